import type { LedgerTransfer, LedgerTransferDetail } from '@voltdeck/contract/books';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

type Cause = NonNullable<LedgerTransferDetail['cause']>;
type Kept = Exclude<Cause['kind'], 'order'>;

/** The records beside orders whose transfers have a key of their own: `recharge:12`. */
const kept = {
  recharge: { prefix: 'recharge', table: 'recharges' },
  agent_recharge: { prefix: 'agent-recharge', table: 'agent_recharges' },
  gift: { prefix: 'gift', table: 'wallet_gifts' },
  gift_deduction: { prefix: 'gift-deduction', table: 'wallet_gifts' },
  transfer: { prefix: 'transfer', table: 'wallet_transfers' },
} as const satisfies Readonly<Record<Kept, { prefix: string; table: keyof Tables }>>;

/** The record that a transfer comes from, by its order or its key; a reversal has the record of what it undoes. */
export async function findCause(
  db: Kysely<Tables>,
  { key, orderId, orderNumber }: Pick<LedgerTransfer, 'key' | 'orderId' | 'orderNumber'>,
): Promise<Cause | null> {
  if (orderId !== null) return { kind: 'order', id: orderId, number: orderNumber };
  const [prefix, id] = key.split(':');
  const kind = (Object.keys(kept) as Kept[]).find((each) => kept[each].prefix === prefix);
  if (kind === undefined || id === undefined) return null;
  const { rows } = await sql<{ id: number; number: string }>`
    select id, number from ${sql.table(kept[kind].table)} where id = ${Number(id)}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { kind, ...row };
}
