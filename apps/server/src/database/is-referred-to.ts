import { sql } from 'kysely';
import type { Trx } from './transact.ts';

/**
 * Whether a row of any table refers to one of `table` and would keep it from being deleted. The catalogue names the
 * tables, so that a new one is not forgotten; those of `except` are left out, and `besides` are references without a
 * foreign key.
 */
export async function isReferredTo(
  trx: Trx,
  table: string,
  id: number,
  { except = [], besides = [] }: { except?: readonly string[]; besides?: readonly { table: string; column: string }[] },
): Promise<boolean> {
  const { rows: references } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.confrelid = ${table}::regclass and c.contype = 'f' and c.confdeltype in ('a', 'r')
       and c.conrelid <> all (${[...except]}::regclass[])`.execute(trx);
  const isThere = [...besides, ...references].map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id})`,
  );
  if (isThere.length === 0) return false;
  const { rows } = await sql<{ has: boolean }>`select ${sql.join(isThere, sql` or `)} as has`.execute(trx);
  return rows[0]?.has === true;
}
