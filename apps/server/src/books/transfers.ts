import {
  type AccountParty,
  type LedgerTransferDetail,
  listLedgerTransfers,
  reversalRefusals,
} from '@voltdeck/contract/books';
import { reversalSuffix } from '@voltdeck/ledger/reverse';
import type { TransferReason } from '@voltdeck/ledger/transfer';
import type { AccountId, OrderId, TransferId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type FilterOf, listSource } from '../http/list-source.ts';
import { findPresentWallet } from '../ledger/present-wallet.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';
import { findCause } from './find-cause.ts';
import { findEntry, isClosed } from './find-entry.ts';
import { keysOfCards, keysOfCustomers } from './find-owned.ts';
import { partyOf, toParty } from './party.ts';

type Filter = FilterOf<typeof listLedgerTransfers>;

const side = (column: string): RawBuilder<AccountParty> => sql`(
  select ${partyOf('a')} from ledger_postings p join ledger_accounts a on a.id = ${sql.ref(column)}
   where p.transfer_id = t.id and p.line = 1)`;

const suffix = sql.lit(reversalSuffix);

function transferRows(db: Kysely<Tables>) {
  return db
    .selectFrom('ledger_transfers as t')
    .leftJoin('orders as o', 'o.id', 't.order_id')
    .leftJoin('ledger_transfers as r', (join) => join.on('r.key', '=', sql<string>`t.key || ${suffix}`))
    .select([
      't.id',
      't.position',
      't.key',
      't.reason',
      't.amount_fen as amountFen',
      't.created_at as createdAt',
      't.order_id as orderId',
      'o.number as orderNumber',
      'r.created_at as reversedAt',
    ]);
}

type TransferRow = {
  id: number;
  position: number;
  key: string;
  reason: string;
  amountFen: Fen | number;
  createdAt: Instant;
  orderId: OrderId | number | null;
  orderNumber: string | null;
  reversedAt: Instant | null;
};

function toTransfer(row: TransferRow) {
  const { id, position, key, reason, amountFen, createdAt, orderId, orderNumber, reversedAt } = row;
  return {
    id: id as TransferId,
    position,
    key,
    reason: reason as TransferReason,
    amountFen: amountFen as Fen,
    createdAt: toIso(createdAt),
    orderId: orderId as OrderId | null,
    orderNumber,
    reversedAt: isoOrNull(reversedAt),
  };
}

/** The accounts that each filter by an account or its owner names. */
async function accountsOf(db: Kysely<Tables>, caller: Caller, filter: Filter): Promise<AccountId[][]> {
  const { account, cardNumber, phone } = filter;
  const keys = [
    ...(account === undefined ? [] : [sql`select ${account}::text`]),
    ...(cardNumber === undefined ? [] : [keysOfCards(caller, cardNumber.toUpperCase(), 'whole')]),
    ...(phone === undefined ? [] : [keysOfCustomers(caller, phone, 'whole')]),
  ];
  return Promise.all(
    keys.map(async (named) => {
      const { rows } = await sql<{ id: AccountId }>`
        select id from ledger_accounts where key in (${named})`.execute(db);
      return rows.map(({ id }) => id);
    }),
  );
}

export const ledgerTransferList = listSource({
  route: listLedgerTransfers,
  platformOnly: true,
  async filtered(db, caller, filter) {
    let transfers = db.selectFrom('ledger_transfers as t');
    for (const ids of await accountsOf(db, caller, filter)) {
      if (ids.length === 0) return null;
      // Values that PostgreSQL sees: it plans a card otherwise than a channel that half of all transfers belong to.
      transfers = transfers.where(
        sql<boolean>`exists (
          select 1 from ledger_postings p
           where p.transfer_id = t.id and (p.from_account_id = any(${ids}) or p.to_account_id = any(${ids})))`,
      );
    }
    const { orderNumber, fromFen, toFen, reason } = filter;
    if (orderNumber !== undefined) {
      transfers = transfers.where(sql<boolean>`t.order_id = (select id from orders where number = ${orderNumber})`);
    }
    if (fromFen !== undefined) transfers = transfers.where('t.amount_fen', '>=', fromFen);
    if (toFen !== undefined) transfers = transfers.where('t.amount_fen', '<=', toFen);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) transfers = transfers.where('t.created_at', '>=', from);
    if (to !== null) transfers = transfers.where('t.created_at', '<=', to);
    if (reason === undefined) return transfers;
    const [first, ...others] = [...new Set(reason)].map((each) => transfers.where('t.reason', '=', each));
    return first === undefined ? transfers : [first, ...others];
  },
  id: sql`t.id`,
  sorts: { createdAt: sql`t.created_at` },
  sums: { amountFen: sql`t.amount_fen` },
  rows: (db) =>
    transferRows(db).select([
      side('p.from_account_id').as('from'),
      side('p.to_account_id').as('to'),
      sql<number>`(select count(*)::int from ledger_postings p where p.transfer_id = t.id)`.as('postingCount'),
    ]),
  toItem: ({ from, to, postingCount, ...row }) => ({
    ...toTransfer(row),
    from: toParty(from),
    to: toParty(to),
    postingCount,
  }),
  neverShrinks: true,
});

export async function findLedgerTransfer(db: Kysely<Tables>, id: TransferId): Promise<LedgerTransferDetail | null> {
  const row = await transferRows(db)
    .select(waitingActs('ledger_transfer', 't.id').as('waits'))
    .where('t.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { rows: postings } = await sql<{ line: number; amountFen: Fen; from: AccountParty; to: AccountParty }>`
    select p.line, p.amount_fen as "amountFen", ${partyOf('giver')} as from, ${partyOf('taker')} as to
      from ledger_postings p
      join ledger_accounts giver on giver.id = p.from_account_id
      join ledger_accounts taker on taker.id = p.to_account_id
     where p.transfer_id = ${id} order by p.line`.execute(db);
  const transfer = toTransfer(row);
  const undone = row.key.endsWith(reversalSuffix) ? row.key.slice(0, -reversalSuffix.length) : null;
  return {
    ...transfer,
    postings: postings.map(({ from, to, ...posting }) => ({ ...posting, from: toParty(from), to: toParty(to) })),
    cause: await findCause(db, transfer),
    reversal: await findByKey(db, row.key + reversalSuffix),
    waits: row.waits,
    reverses: undone === null ? null : await findByKey(db, undone),
    walletClosed: reversalRefusals[transfer.reason] === null && (await hasClosedWallet(db, row.key)),
  };
}

async function hasClosedWallet(db: Kysely<Tables>, key: string): Promise<boolean> {
  const entry = await findEntry(db, key);
  for (const change of entry?.changes ?? []) {
    if (isClosed(change, await findPresentWallet(db, change))) return true;
  }
  return false;
}

async function findByKey(db: Kysely<Tables>, key: string): Promise<LedgerTransferDetail['reversal']> {
  const row = await db
    .selectFrom('ledger_transfers')
    .select(['id', 'position', 'created_at as createdAt'])
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, id: row.id as TransferId, createdAt: toIso(row.createdAt) };
}
