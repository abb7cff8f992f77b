import { identityNumbers } from '@voltdeck/contract/identity-numbers';
import type { TaskKind } from '@voltdeck/contract/tasks';
import { type Kysely, sql } from 'kysely';
import type { StoredDetail } from '../background/task-details.ts';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';

/** How many of the stations whose passwords are in a task's file are no longer in the caller's scope. */
export async function countPasswordsOfOthers(
  db: Kysely<Tables>,
  { agents }: Caller,
  kind: TaskKind,
  detail: StoredDetail<TaskKind>,
): Promise<number> {
  if (agents === 'all') return 0;
  const isForeign = sql`(agent_id = any(${[...agents]}::bigint[])) is not true`;
  if (kind === 'station-identities') {
    const { startNumber, count, protocol } = (detail as StoredDetail<'station-identities'>).batch;
    const counted = identityNumbers(startNumber, count, protocol);
    if ('fault' in counted) throw new Error(`a stored batch has no numbers: ${counted.fault}`);
    const numbers = Array.from({ length: count }, (_, index) => counted.numbers(index));
    return countOf(db, sql`station_identities where number = any(${numbers}) and ${isForeign}`);
  }
  if (kind === 'station-import') {
    const { importId } = detail as StoredDetail<'station-import'>;
    const made = sql`select station_id from station_import_rows where import_id = ${importId}`;
    return countOf(db, sql`stations where id in (${made}) and ${isForeign}`);
  }
  return 0;
}

async function countOf(db: Kysely<Tables>, chosen: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${chosen}`.execute(db);
  return rows[0]?.count ?? 0;
}
