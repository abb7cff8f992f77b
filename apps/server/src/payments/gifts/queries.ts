import { type EntryState, listGifts, type WalletGift } from '@voltdeck/contract/transfers';
import type { WalletGiftId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';
import { isInState } from '../is-in-state.ts';

function giftsAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('wallet_gifts')
    .leftJoin('cards', 'cards.id', 'wallet_gifts.card_id')
    .leftJoin('customers', (join) =>
      join.on('customers.id', '=', sql`coalesce(wallet_gifts.customer_id, cards.customer_id)`),
    )
    .leftJoin('users', 'users.id', 'wallet_gifts.user_id')
    .select([
      'wallet_gifts.id',
      'wallet_gifts.number',
      'wallet_gifts.kind',
      'wallet_gifts.card_id as cardId',
      'cards.number as cardNumber',
      'wallet_gifts.customer_id as customerId',
      'customers.phone as customerPhone',
      'customers.nickname',
      'wallet_gifts.amount_fen as amountFen',
      'wallet_gifts.repaid_fen as repaidFen',
      'wallet_gifts.reason',
      'wallet_gifts.created_at as createdAt',
      sql<EntryState>`case when wallet_gifts.reversed_at is null then 'done' else 'reversed' end`.as('state'),
      'wallet_gifts.reversed_at as reversedAt',
      'wallet_gifts.reversal_reason as reversalReason',
    ])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'));
}

function toGift<Row extends { createdAt: Instant; reversedAt: Instant | null }>(row: Row) {
  return { ...row, createdAt: toIso(row.createdAt), reversedAt: isoOrNull(row.reversedAt) };
}

export async function findGift(db: Kysely<Tables>, caller: Caller, id: WalletGiftId): Promise<WalletGift | null> {
  const row = await scoped(giftsAsShown(db, caller), caller, 'wallet_gifts.agent_id', 'wallet_gifts.customer_id')
    .where('wallet_gifts.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toGift(row);
}

export const giftList = listSource({
  route: listGifts,
  filtered(db, caller, filter) {
    let gifts = scoped(db.selectFrom('wallet_gifts'), caller, 'wallet_gifts.agent_id', 'wallet_gifts.customer_id');
    if (filter.number !== undefined) gifts = gifts.where('number', '=', filter.number.toUpperCase());
    if (filter.kind !== undefined) gifts = gifts.where('kind', 'in', filter.kind);
    if (filter.state !== undefined) gifts = gifts.where(isInState(filter.state));
    if (filter.cardId !== undefined) gifts = gifts.where('card_id', '=', filter.cardId);
    if (filter.customerId !== undefined) gifts = gifts.where('customer_id', '=', filter.customerId);
    if (filter.cardNumber !== undefined) {
      const card = db.selectFrom('cards').select('cards.id');
      const named = card.where(findsPersonal(caller, 'cards.number', filter.cardNumber.toUpperCase()));
      gifts = gifts.where('card_id', 'in', named);
    }
    if (filter.phone !== undefined) {
      const customer = db.selectFrom('customers').select('customers.id');
      gifts = gifts.where('customer_id', 'in', customer.where(findsPersonal(caller, 'customers.phone', filter.phone)));
    }
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) gifts = gifts.where('created_at', '>=', from);
    if (to !== null) gifts = gifts.where('created_at', '<=', to);
    return gifts;
  },
  id: sql`wallet_gifts.id`,
  sorts: { createdAt: sql`wallet_gifts.created_at` },
  sums: {
    amountFen: sql`case wallet_gifts.kind when 'deducted' then -wallet_gifts.amount_fen else wallet_gifts.amount_fen end`,
    repaidFen: sql`wallet_gifts.repaid_fen`,
  },
  rows: (db, read) => giftsAsShown(db, read),
  toItem: toGift,
});
