import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { rehearsedChargesMax } from '@voltdeck/contract/rehearsals';
import type { AgentId, TaskId } from '@voltdeck/units/id';
import { sql } from 'kysely';
import type { TaskWork } from '../background/running-task.ts';
import { callerOf } from '../background/task-details.ts';
import type { Trx } from '../database/transact.ts';
import { countCharges } from './read-charges.ts';
import type { SiteSums } from './sum-up.ts';
import type { WrittenRehearsal } from './write-rehearsal.ts';

/** Prices the charges again in the thread of the exports, and stores what they add up to with the end of the task. */
export const runRehearsal: TaskWork<'rehearsal'> = async (context, task) => {
  const { id, userId, language, detail, progress, signal, finishIn } = task;
  const { db } = context.database;
  const { tariff, filter } = detail;
  const caller = callerOf(detail, userId, language);
  const count = await countCharges(db, caller, tariff.kind, filter, rehearsedChargesMax);
  if (count > rehearsedChargesMax) return { failed: 'rehearsal.too_many' };
  progress.totalCount = count;
  const written = context.exports.write({ caller, rehearsal: { tariff, filter } }, (charges) => {
    progress.doneCount += charges;
  });
  const through = new PassThrough();
  const flow = pipeline(written, through, { signal });
  flow.catch(() => undefined);
  const text = await buffer(through);
  await flow;
  const { result, sites } = JSON.parse(text.toString()) as WrittenRehearsal;
  await db.transaction().execute(async (trx) => {
    await addFigures(trx, id, sites);
    await finishIn(trx, { result });
  });
  return 'finished';
};

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
