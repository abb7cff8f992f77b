import { type EntryState, listTransfers, type WalletTransfer } from '@voltdeck/contract/transfers';
import type { AgentId, WalletTransferId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { type FilterOf, listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsPersonal } from '../../personal/sees-personal.ts';
import { isInState } from '../is-in-state.ts';

type Side = 'from' | 'to';
type Transfers = SelectQueryBuilder<Tables, 'wallet_transfers', object>;

function transfersAsShown(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>) {
  return db
    .selectFrom('wallet_transfers')
    .leftJoin('cards as fc', 'fc.id', 'wallet_transfers.from_card_id')
    .leftJoin('customers as fu', (join) =>
      join.on('fu.id', '=', sql`coalesce(wallet_transfers.from_customer_id, fc.customer_id)`),
    )
    .leftJoin('cards as tc', 'tc.id', 'wallet_transfers.to_card_id')
    .leftJoin('customers as tu', (join) =>
      join.on('tu.id', '=', sql`coalesce(wallet_transfers.to_customer_id, tc.customer_id)`),
    )
    .leftJoin('users', 'users.id', 'wallet_transfers.user_id')
    .select([
      'wallet_transfers.id',
      'wallet_transfers.number',
      'wallet_transfers.kind',
      'wallet_transfers.from_card_id as fromCardId',
      'fc.number as fromCardNumber',
      'wallet_transfers.from_customer_id as fromCustomerId',
      'fu.phone as fromCustomerPhone',
      'fu.nickname as fromNickname',
      'wallet_transfers.to_card_id as toCardId',
      'tc.number as toCardNumber',
      'wallet_transfers.to_customer_id as toCustomerId',
      'tu.phone as toCustomerPhone',
      'tu.nickname as toNickname',
      sql<Fen>`wallet_transfers.paid_fen + wallet_transfers.gift_fen`.as('amountFen'),
      'wallet_transfers.paid_fen as paidFen',
      'wallet_transfers.gift_fen as giftFen',
      'wallet_transfers.repaid_fen as repaidFen',
      'wallet_transfers.reason',
      'wallet_transfers.created_at as createdAt',
      sql<EntryState>`case when wallet_transfers.reversed_at is null then 'done' else 'reversed' end`.as('state'),
      'wallet_transfers.reversed_at as reversedAt',
      'wallet_transfers.reversal_reason as reversalReason',
    ])
    .select(shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('operatorName'));
}

function toTransfer<Row extends { createdAt: Instant; reversedAt: Instant | null }>(row: Row) {
  return { ...row, createdAt: toIso(row.createdAt), reversedAt: isoOrNull(row.reversedAt) };
}

/** Transfers of whose one side the caller may see, in parts that share no record. Null: the caller sees none. */
function partsInScope(transfers: Transfers, caller: Caller): Transfers | [Transfers, Transfers] | null {
  if (caller.agents === 'all') return transfers;
  const of = (side: Side) =>
    scoped(transfers, caller, `wallet_transfers.${side}_agent_id`, `wallet_transfers.${side}_customer_id`);
  if (caller.agents.length > 0) {
    const agents = [...caller.agents] as AgentId[];
    const notFrom = sql<boolean>`(wallet_transfers.from_agent_id is null or wallet_transfers.from_agent_id <> all(${agents}))`;
    return [of('from'), of('to').where(notFrom)];
  }
  return caller.customerId === null ? null : [of('from'), of('to')];
}

/** The transfers of one wallet, which it gave in one part and received in the other. */
function partsOfWallet(
  db: Kysely<Tables>,
  caller: Caller,
  transfers: Transfers,
  { cardNumber, phone, cardId, customerId }: FilterOf<typeof listTransfers>,
): [Transfers, Transfers] {
  const of = (side: Side) => {
    let found = transfers;
    if (cardId !== undefined) found = found.where(`wallet_transfers.${side}_card_id`, '=', cardId);
    if (customerId !== undefined) found = found.where(`wallet_transfers.${side}_customer_id`, '=', customerId);
    if (cardNumber !== undefined) {
      const card = db.selectFrom('cards').select('cards.id');
      const named = card.where(findsPersonal(caller, 'cards.number', cardNumber.toUpperCase()));
      found = found.where(`wallet_transfers.${side}_card_id`, 'in', named);
    }
    if (phone !== undefined) {
      const customer = db.selectFrom('customers').select('customers.id');
      const named = customer.where(findsPersonal(caller, 'customers.phone', phone));
      found = found.where(`wallet_transfers.${side}_customer_id`, 'in', named);
    }
    return found;
  };
  return [of('from'), of('to')];
}

/** Transfers of whose one side the caller may see, for few of them. Null: the caller sees none. */
export function transfersInScope(transfers: Transfers, caller: Caller): Transfers | null {
  if (caller.agents === 'all') return transfers;
  if (caller.agents.length === 0) {
    const { customerId } = caller;
    if (customerId === null) return null;
    return transfers.where((eb) =>
      eb.or([eb('from_customer_id', '=', customerId), eb('to_customer_id', '=', customerId)]),
    );
  }
  const agents = sql`any(${[...caller.agents]}::bigint[])`;
  return transfers.where(sql<boolean>`(from_agent_id = ${agents} or to_agent_id = ${agents})`);
}

export async function findTransfer(
  db: Kysely<Tables>,
  caller: Caller,
  id: WalletTransferId,
): Promise<WalletTransfer | null> {
  const seen = transfersInScope(db.selectFrom('wallet_transfers'), caller);
  if (seen === null) return null;
  const row = await transfersAsShown(db, caller)
    .where('wallet_transfers.id', 'in', seen.select('wallet_transfers.id').where('wallet_transfers.id', '=', id))
    .executeTakeFirst();
  return row === undefined ? null : toTransfer(row);
}

export const transferList = listSource({
  route: listTransfers,
  filtered(db, caller, filter) {
    let transfers: Transfers = db.selectFrom('wallet_transfers');
    if (filter.number !== undefined) transfers = transfers.where('number', '=', filter.number.toUpperCase());
    if (filter.kind !== undefined) transfers = transfers.where('kind', 'in', filter.kind);
    if (filter.state !== undefined) transfers = transfers.where(isInState(filter.state));
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) transfers = transfers.where('created_at', '>=', from);
    if (to !== null) transfers = transfers.where('created_at', '<=', to);
    const { cardNumber, phone, cardId, customerId } = filter;
    const isOfWallet = [cardNumber, phone, cardId, customerId].some((given) => given !== undefined);
    if (!isOfWallet) return partsInScope(transfers, caller);
    const seen = transfersInScope(transfers, caller);
    return seen === null ? null : partsOfWallet(db, caller, seen, filter);
  },
  id: sql`wallet_transfers.id`,
  sorts: { createdAt: sql`wallet_transfers.created_at` },
  sums: {
    amountFen: sql`wallet_transfers.paid_fen + wallet_transfers.gift_fen`,
    giftFen: sql`wallet_transfers.gift_fen`,
    repaidFen: sql`wallet_transfers.repaid_fen`,
  },
  rows: (db, read) => transfersAsShown(db, read),
  toItem: toTransfer,
});
