import { type Kysely, sql } from 'kysely';
import { type BatchLimits, inBatches, type Worked } from '../database/in-batches.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { addingTo, saleTableNames, sumsFor, withStation } from './sale-tables.ts';

const limits: BatchLimits = { rowsAtOnce: 5_000, rowsAtOnceMin: 50, batchesMax: 100 };

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

/** Adds the changes that charges have written to the kept sums. A backlog is worked off over several runs. */
export function keepSales(db: Kysely<Tables>, fewer: Partial<BatchLimits> = {}): Promise<Worked> {
  return inBatches({ ...limits, ...fewer }, (changesAtOnce) =>
    db.transaction().execute((trx) => keepNext(trx, changesAtOnce)),
  );
}

async function keepNext(trx: Trx, changesAtOnce: number): Promise<number | null> {
  if (!(await takeSums(trx))) return null;
  const { rows } = await sql<{ taken: number }>`${sql.raw(keepStatement(changesAtOnce))}`.execute(trx);
  await sql`update sale_progress set kept_at = now()`.execute(trx);
  return rows[0]?.taken ?? 0;
}
