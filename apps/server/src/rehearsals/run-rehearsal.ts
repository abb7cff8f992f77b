import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { rehearsedChargesMax } from '@voltdeck/contract/rehearsed-charges';
import type { AgentId, TaskId, UserId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { TaskWork } from '../background/running-task.ts';
import { callerOf } from '../background/task-details.ts';
import type { Trx } from '../database/transact.ts';
import { countCharges } from './read-charges.ts';
import type { SiteSums } from './sum-up.ts';
import type { WrittenRehearsal } from './write-rehearsal.ts';

/** Rehearsals of one user whose figures by site and agent are kept: each has a row for every site. */
const figuresKept = 20;

/** Prices the charges again in the thread of the exports, and stores what they add up to with the end of the task. */
export const runRehearsal: TaskWork<'rehearsal'> = async (context, task) => {
  const { id, userId, language, detail, progress, signal, finishIn } = task;
  const { db } = context.database;
  const { tariff, filter } = detail;
  const caller = callerOf(detail, userId, language);
  const tooMany = new AbortController();
  const allow = (charges: number): number => {
    if (charges > rehearsedChargesMax) tooMany.abort();
    return charges;
  };
  countCharges(db, caller, tariff.kind, filter, rehearsedChargesMax).then(
    (count) => {
      progress.totalCount = allow(count);
    },
    // Where no index serves the filter, the rehearsal still runs, but without an expected number.
    (error: unknown) => context.log.info({ err: error }, 'counting the charges of a rehearsal failed'),
  );
  const written = context.exports.write({ caller, rehearsal: { tariff, filter } }, (charges) => {
    progress.doneCount = allow(progress.doneCount + charges);
  });
  const text = await textOf(written, AbortSignal.any([signal, tooMany.signal])).catch((error: unknown) => {
    if (tooMany.signal.aborted) return null;
    throw error;
  });
  if (text === null) return { failed: 'rehearsal.too_many' };
  progress.totalCount = progress.doneCount;
  const { result, sites } = JSON.parse(text) as WrittenRehearsal;
  await db.transaction().execute(async (trx) => {
    await forgetFigures(trx, userId);
    await addFigures(trx, id, sites);
    await finishIn(trx, { result });
  });
  return 'finished';
};

/** Breaks off at once, even while the source waits for the database. */
async function textOf(written: Readable, signal: AbortSignal): Promise<string> {
  const through = new PassThrough();
  const flow = pipeline(written, through, { signal });
  flow.catch(() => undefined);
  const bytes = await buffer(through);
  await flow;
  return bytes.toString();
}

/** Deletes the figures of all but the user's latest rehearsals, this one counted. Totals stay as long as their tasks. */
async function forgetFigures(trx: Trx, userId: UserId): Promise<void> {
  await sql`
    delete from rehearsal_figures
     where task_id in (select id from tasks where user_id = ${userId} and kind = 'rehearsal' and result is not null
                        order by id desc offset ${figuresKept - 1})`.execute(trx);
}

async function addFigures(trx: Trx, taskId: TaskId, sites: readonly SiteSums[]): Promise<void> {
  const rows = [...sites.map((sums) => ({ ...sums, by: 'site' })), ...byAgent(sites)];
  await sql`
    insert into rehearsal_figures (task_id, by, site_id, agent_id, charges, energy_wh, before_fen, after_fen)
    select ${taskId}, by, "siteId", "agentId", charges, "energyWh", "beforeFen", "afterFen"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as sums (by text, "siteId" bigint, "agentId" bigint, charges integer, "energyWh" bigint, "beforeFen" bigint,
                 "afterFen" bigint)`.execute(trx);
}

function byAgent(sites: readonly SiteSums[]) {
  const agents = new Map<AgentId | null, Omit<SiteSums, 'siteId'> & { by: 'agent'; siteId: null }>();
  for (const { agentId, charges, energyWh, beforeFen, afterFen } of sites) {
    const sum = agents.get(agentId);
    if (sum === undefined) {
      agents.set(agentId, { by: 'agent', siteId: null, agentId, charges, energyWh, beforeFen, afterFen });
      continue;
    }
    sum.charges += charges;
    sum.energyWh += energyWh;
    sum.beforeFen += beforeFen;
    sum.afterFen += afterFen;
  }
  return [...agents.values()];
}
