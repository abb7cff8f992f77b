import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';

/** Records of the platform itself: for everyone else they do not exist. */
export function platformOnly<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  caller: Pick<Caller, 'agents'>,
): SelectQueryBuilder<DB, TB, O> {
  return caller.agents === 'all' ? query : query.where(sql<boolean>`false`);
}
