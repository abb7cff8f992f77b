import type { SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { type SettleStep, settleOne } from './settle-one.ts';
import { closePeriods, payOutPeriods } from './settle-periods.ts';

/** Parties whose next period is looked at in one go. */
const batchSize = 200;

export type SettledByItself = { closed: number; paidOut: number; failed: number };

/**
 * Closes and pays out what is due of the parties that are settled by themselves, each step of each period in a
 * transaction of its own. What fails is noted with its period and tried again with the next run.
 */
export async function settleDue(context: Context<'money'>): Promise<SettledByItself> {
  const closed = await settleEach(context, closePeriods, dueToClose);
  const paidOut = await settleEach(context, payOutPeriods, dueToPayOut);
  return { closed: closed.done, paidOut: paidOut.done, failed: closed.failed + paidOut.failed };
}

/** One step of everything that is due. What failed, or another node took, is not looked at again in this run. */
async function settleEach(
  context: Context<'money'>,
  act: SettleStep,
  find: typeof dueToClose,
): Promise<{ done: number; failed: number }> {
  const passed: SettlementPeriodId[] = [];
  let done = 0;
  let failed = 0;
  for (;;) {
    const due = await find(context, passed);
    if (due.length === 0) return { done, failed };
    for (const id of due) {
      const became = await settleOne(context, null, act, id, context.now());
      if (became === 'done') done += 1;
      if (became === 'failed') failed += 1;
      if (became !== 'done') passed.push(id);
    }
  }
}

/** The earliest open period of each such party, where its last day is over. */
async function dueToClose(
  { database, now }: Context<'money'>,
  besides: readonly SettlementPeriodId[],
): Promise<SettlementPeriodId[]> {
  const { rows } = await sql<{ id: SettlementPeriodId }>`
    select p.id from settlement_periods p
      left join agents a on a.id = p.agent_id
      left join dividers d on d.id = p.divider_id
     where p.state = 'open' and p.to_on < ${today(now())} and coalesce(a.settles_itself, d.settles_itself)
       and p.id <> all(${besides}::bigint[])
       and not exists (select 1 from settlement_periods e
                        where e.party = p.party and coalesce(e.agent_id, e.divider_id) = coalesce(p.agent_id, p.divider_id)
                          and e.to_on < p.from_on and e.state = 'open')
     order by p.to_on, p.id limit ${batchSize}`.execute(database.db);
  return rows.map(({ id }) => id);
}

async function dueToPayOut(
  { database }: Context<'money'>,
  besides: readonly SettlementPeriodId[],
): Promise<SettlementPeriodId[]> {
  const { rows } = await sql<{ id: SettlementPeriodId }>`
    select p.id from settlement_periods p
      left join agents a on a.id = p.agent_id
      left join dividers d on d.id = p.divider_id
     where p.state = 'closed' and coalesce(a.settles_itself, d.settles_itself) and p.id <> all(${besides}::bigint[])
     order by p.to_on, p.id limit ${batchSize}`.execute(database.db);
  return rows.map(({ id }) => id);
}

const today = (at: Instant) => sql`(${toIso(at)}::timestamptz at time zone 'Asia/Shanghai')::date`;
