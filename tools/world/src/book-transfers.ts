import type { AccountKey } from '@voltdeck/ledger/account';
import { mayBeNegative } from '@voltdeck/ledger/balance';
import { CopyRows } from '@voltdeck/server/database/copy-rows';
import { addFen } from '@voltdeck/units/money';
import type pg from 'pg';
import { copyInto } from './copy-into.ts';
import type { BookedTransfer } from './order-transfers.ts';

/** A wallet that transfers would take below zero, and by how much. */
export type Overdraft = { account: AccountKey; missingFen: number };

/**
 * Posts many transfers at once, within the caller's transaction. It does for all together what `post_transfer` does one
 * by one: creates missing accounts, locks accounts in order of id, and moves their balances by the sums of the
 * postings.
 *
 * `onOverdraft` is called once, with the accounts locked, if wallets have too little; the transfers it returns are
 * posted first. If that is not enough, a database error (ledger_accounts_floor) ends the transaction.
 */
export async function bookTransfers(
  client: pg.ClientBase,
  booked: readonly BookedTransfer[],
  onOverdraft: (overdrafts: readonly Overdraft[]) => Promise<readonly BookedTransfer[]> = async () => [],
): Promise<void> {
  if (booked.length === 0) return;
  const changes = changesOf(booked);
  const ids = await accountIds(client, [...changes.keys()]);
  const { rows: locked } = await client.query<{ id: number; key: AccountKey; balance_fen: number }>(
    'select id, key, balance_fen from ledger_accounts where id = any ($1::bigint[]) order by id for update',
    [[...ids.values()]],
  );
  const overdrafts = locked.flatMap(({ key, balance_fen }) => {
    const missingFen = -(balance_fen + (changes.get(key) ?? 0));
    return missingFen > 0 && !mayBeNegative(key) ? [{ account: key, missingFen }] : [];
  });
  const rescue = overdrafts.length === 0 ? [] : await onOverdraft(overdrafts);
  const all = [...rescue, ...booked];
  for (const [key, id] of await accountIds(client, [...changesOf(rescue).keys()])) ids.set(key, id);
  await copyTransfers(client, all, ids);
  const moves = [...changesOf(all)].filter(([, changeFen]) => changeFen !== 0);
  await client.query(
    `update ledger_accounts a set balance_fen = a.balance_fen + m.change
       from unnest($1::bigint[], $2::bigint[]) as m (id, change) where a.id = m.id`,
    [moves.map(([key]) => ids.get(key)), moves.map(([, changeFen]) => changeFen)],
  );
}

function changesOf(booked: readonly BookedTransfer[]): Map<AccountKey, number> {
  const changes = new Map<AccountKey, number>();
  for (const { transfer } of booked) {
    for (const { from, to, amountFen } of transfer.postings) {
      changes.set(from, (changes.get(from) ?? 0) - amountFen);
      changes.set(to, (changes.get(to) ?? 0) + amountFen);
    }
  }
  return changes;
}

async function accountIds(client: pg.ClientBase, keys: readonly AccountKey[]): Promise<Map<AccountKey, number>> {
  if (keys.length === 0) return new Map();
  await client.query(
    `insert into ledger_accounts (key, may_go_below_zero)
     select k, b from unnest($1::text[], $2::boolean[]) as n (k, b)
      where not exists (select 1 from ledger_accounts a where a.key = k) order by k
     on conflict do nothing`,
    [keys, keys.map((key) => mayBeNegative(key))],
  );
  const { rows } = await client.query<{ id: number; key: AccountKey }>(
    'select id, key from ledger_accounts where key = any ($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

async function copyTransfers(
  client: pg.ClientBase,
  booked: readonly BookedTransfer[],
  ids: ReadonlyMap<AccountKey, number>,
): Promise<void> {
  const transfers = new CopyRows(booked.length * 100);
  const postings = new CopyRows(booked.length * 180);
  const idOf = (key: AccountKey): number => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`account ${key} was not made`);
    return id;
  };
  for (const { id, at, transfer } of booked) {
    transfers.row(6);
    transfers.bigint(id);
    transfers.text(transfer.key);
    transfers.text(transfer.reason);
    transfers.bigint(transfer.orderId);
    transfers.instant(at);
    transfers.bigint(addFen(...transfer.postings.map(({ amountFen }) => amountFen)));
    for (const [index, { from, to, amountFen }] of transfer.postings.entries()) {
      postings.row(5);
      postings.bigint(id);
      postings.integer(index + 1);
      postings.bigint(idOf(from));
      postings.bigint(idOf(to));
      postings.bigint(amountFen);
    }
  }
  await copyInto(
    client,
    'copy ledger_transfers (id, key, reason, order_id, created_at, amount_fen) from stdin (format binary)',
    transfers,
  );
  await copyInto(
    client,
    `copy ledger_postings (transfer_id, line, from_account_id, to_account_id, amount_fen) from stdin (format binary)`,
    postings,
  );
}
