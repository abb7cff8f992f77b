import type { EntryState } from '@voltdeck/contract/transfers';
import { type RawBuilder, sql } from 'kysely';

/** Gifts or transfers in any of these states. */
export function isInState(states: readonly EntryState[]): RawBuilder<boolean> {
  return sql<boolean>`case when reversed_at is null then 'done' else 'reversed' end = any (${[...states]}::text[])`;
}
