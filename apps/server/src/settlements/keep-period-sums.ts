import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

/** Limits of one run. A backlog is worked off over several runs. */
export const periodSumLimits = { sharesAtOnce: 50_000, batchesMax: 40 } as const;

/** A share `s` is the first of its order in its period, as far as shares before the batch go. */
export const isFirstAfter = (keptTo: string) => sql<boolean>`not exists (
  select from order_shares e where e.order_id = s.order_id and e.period_id = s.period_id and e.id <= ${sql.ref(keptTo)})`;

/**
 * Adds shares to the sums of open periods, up to those that were written when the last run ended. A transaction that has
 * not ended since keeps it waiting; nobody waits for it. Another node that is at it has it to itself.
 */
export async function keepPeriodSums(
  db: Kysely<Tables>,
  limits: { [Limit in keyof typeof periodSumLimits]: number } = periodSumLimits,
): Promise<void> {
  for (let batch = 0; batch < limits.batchesMax; batch += 1) {
    const isDone = await db.transaction().execute((trx) => keepNext(trx, limits.sharesAtOnce));
    if (isDone) break;
  }
  await sql`
    delete from settlement_sums k using settlement_periods p where p.id = k.period_id and p.state <> 'open'`.execute(
    db,
  );
}

async function keepNext(trx: Trx, sharesMax: number): Promise<boolean> {
  const { rows } = await sql<{ from: number; to: number; ended: boolean }>`
    select kept_to as from, least(next_to, kept_to + ${sharesMax}) as to,
           next_after_transaction <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended
      from settlement_progress for update skip locked`.execute(trx);
  const [progress] = rows;
  if (progress === undefined || !progress.ended) return true;
  const { from, to } = progress;
  if (from < to) {
    await sql`
      insert into settlement_sums as k (period_id, orders, shares_fen)
      select s.period_id, count(distinct s.order_id) filter (where ${isFirstAfter('g.kept_to')}), sum(s.amount_fen)
        from settlement_progress g
        join order_shares s on s.id > g.kept_to and s.id <= ${to}
        join settlement_periods p on p.id = s.period_id and p.state = 'open'
       group by s.period_id
      on conflict (period_id) do update
        set orders = k.orders + excluded.orders, shares_fen = k.shares_fen + excluded.shares_fen`.execute(trx);
    await sql`update settlement_progress set kept_to = ${to}`.execute(trx);
    return false;
  }
  await sql`
    update settlement_progress
       set next_to = greatest(next_to, (select coalesce(max(id), 0) from order_shares)),
           next_after_transaction = pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(trx);
  return true;
}
