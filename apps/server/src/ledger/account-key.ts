import { type AccountKind, chart } from '@voltdeck/ledger/chart';
import { type RawBuilder, sql } from 'kysely';

/** The key of an account by the column of its owner's id: `'card:' || cards.id`. */
export function accountKey(kind: AccountKind, ownerId: string): RawBuilder<string> {
  return sql`(${sql.lit(`${chart[kind].prefix}:`)} || ${sql.ref(ownerId)})`;
}
