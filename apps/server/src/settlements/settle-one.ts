import type { SettlementRefusal } from '@voltdeck/contract/settlements';
import type { SettlementPeriodId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Who } from '../caller/audit.ts';
import type { Context } from '../context.ts';
import { transact } from '../database/transact.ts';
import type { Parts } from '../http/bind.ts';
import type { closePeriods, Settling } from './settle-periods.ts';

/** Closes or pays out periods in a transaction. */
export type SettleStep = typeof closePeriods;

/**
 * One step of a period in a transaction of its own, so that charges of its party wait for nothing else. What fails is
 * logged and noted with the period. Answers why it was skipped otherwise.
 */
export async function settleOne(
  context: Context<'money'>,
  who: Who,
  act: SettleStep,
  id: SettlementPeriodId,
  at: Instant,
  parts?: Parts,
): Promise<'done' | SettlementRefusal> {
  const { db } = context.database;
  try {
    const acted = await transact(db, async (trx) => {
      const settling = await act(trx, who, [id], at);
      if (settling.done.length > 0) await parts?.note(trx, id);
      else if (await parts?.isDone(trx, id)) return ok({ done: [id], skipped: [] });
      return ok(settling);
    });
    if (!acted.ok) throw new Error(`period ${id} was refused: ${acted.error.code}`);
    const [skipped] = acted.value.skipped;
    return skipped === undefined ? 'done' : skipped.because;
  } catch (error) {
    context.log.error({ err: error, periodId: id }, 'a settlement period could not be settled');
    await noteFailure(context, id, error instanceof Error ? error.message : String(error));
    return 'failed';
  }
}

/**
 * The same for many that a person chose, by party and day. Each is done once: a retry after a crash in between does the
 * others, and answers that those were done.
 */
export async function settleMany(
  context: Context<'money'>,
  who: Who,
  act: SettleStep,
  ids: readonly SettlementPeriodId[],
  at: Instant,
  parts: Parts,
): Promise<Settling> {
  const known = await context.database.db
    .selectFrom('settlement_periods')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('agent_id')
    .orderBy('divider_id')
    .orderBy('from_on')
    .execute();
  const settling: Settling = { done: [], skipped: [] };
  for (const id of new Set([...known.map((period) => period.id), ...ids])) {
    const became = await settleOne(context, who, act, id, at, parts);
    if (became === 'done') settling.done.push(id);
    else settling.skipped.push({ id, because: became });
  }
  return settling;
}

async function noteFailure({ database, now }: Context<'money'>, id: SettlementPeriodId, failure: string) {
  await sql`
    insert into settlement_failures as f (period_id, failure, attempts, failed_at)
    values (${id}, ${failure.slice(0, 500)}, 1, ${toIso(now())}::timestamptz)
    on conflict (period_id) do update
      set failure = excluded.failure, attempts = f.attempts + 1, failed_at = excluded.failed_at`.execute(database.db);
}
