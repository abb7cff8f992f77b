import { type Kysely, sql } from 'kysely';
import { isOutOfTime } from '../database/is-database-away.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { addingTo, saleTableNames, sumsFor, withStation } from './sale-tables.ts';

/** Limits of one run. A backlog is worked off over several runs. */
export const keepLimits = { changesAtOnce: 5_000, batchesMax: 100 } as const;
/** A machine so busy that a batch runs out of time gets smaller ones, down to this. */
const changesAtOnceMin = 50;

/**
 * Takes the sums for this transaction: nobody else writes them until it ends, and what it reads afterwards is no older.
 * Charges and readers wait for nothing. False where another node has them.
 */
export async function takeSums(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('sums of sales', 0)) as free`.execute(trx);
  return rows[0]?.free === true;
}

/** Takes the oldest changes and adds them to every kept sum. The changes are gone and the sums moved in one step. */
const keepStatement = (changesAtOnce: number) => `
  with taken as materialized (
    delete from sale_changes where id in (select id from sale_changes order by id limit ${changesAtOnce}) returning *
  ), placed as materialized (${withStation('taken')}),
  ${saleTableNames.map((table) => `in_${table} as (${addingTo(table, sumsFor(table, 'placed'))})`).join(',\n  ')}
  select count(*)::int as taken from taken`;

/**
 * Adds the changes that charges have written to the kept sums. Returns how many are left at least (0 or one batch);
 * null where another node is at it.
 */
export async function keepSales(
  db: Kysely<Tables>,
  limits: { [Limit in keyof typeof keepLimits]: number } = keepLimits,
): Promise<number | null> {
  let { changesAtOnce } = limits;
  for (let batch = 0; batch < limits.batchesMax; batch += 1) {
    try {
      const taken = await db.transaction().execute((trx) => keepNext(trx, changesAtOnce));
      if (taken === null) return null;
      if (taken < changesAtOnce) return 0;
    } catch (error) {
      if (!isOutOfTime(error) || changesAtOnce <= changesAtOnceMin) throw error;
      changesAtOnce = Math.max(changesAtOnceMin, Math.floor(changesAtOnce / 4));
    }
  }
  return changesAtOnce;
}

async function keepNext(trx: Trx, changesAtOnce: number): Promise<number | null> {
  if (!(await takeSums(trx))) return null;
  const { rows } = await sql<{ taken: number }>`${sql.raw(keepStatement(changesAtOnce))}`.execute(trx);
  await sql`update sale_progress set folded_at = now()`.execute(trx);
  return rows[0]?.taken ?? 0;
}
