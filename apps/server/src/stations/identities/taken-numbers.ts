import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';

/** The numbers that a station or another identity has already: the first one, and how many there are. */
export async function takenNumbers(
  db: Kysely<Tables>,
  numbers: readonly string[],
): Promise<{ first: string | null; count: number }> {
  const { rows } = await sql<{ first: string | null; count: number }>`
    select min(number) as first, count(*)::integer as count
      from (select number from stations where number = any(${numbers})
            union
            select number from station_identities where number = any(${numbers})) as taken`.execute(db);
  return rows[0] ?? { first: null, count: 0 };
}
