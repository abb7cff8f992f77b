import {
  type Account,
  frozenAccount,
  giftAccount,
  heldAccount,
  heldGiftAccount,
  keyOf,
  receivableAccount,
  type Wallet,
} from '@voltdeck/ledger/account';
import { type Parts, totalOf } from '@voltdeck/ledger/parts';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { accountKey } from './account-key.ts';
import { lockAccounts } from './lock-accounts.ts';

type WalletKind = Wallet['kind'];
type Part = 'paid' | 'gift' | 'held' | 'gift-held' | 'frozen' | 'receivable';

/** The balance of one part of the wallet whose owner's id stands in a column; zero where it has no account. */
export function partOf(wallet: WalletKind, part: Part, ownerId: string): RawBuilder<Fen> {
  const kind = part === 'paid' ? wallet : (`${wallet}-${part}` as const);
  return sql<Fen>`coalesce((select balance_fen from ledger_accounts where key = ${accountKey(kind, ownerId)}), 0)`;
}

/** What lists show of the wallet whose owner's id stands in a column. */
export function partColumns(wallet: WalletKind, ownerId: string) {
  return [
    partOf(wallet, 'paid', ownerId).as('paidFen'),
    partOf(wallet, 'gift', ownerId).as('giftFen'),
    sql<Fen>`${partOf(wallet, 'held', ownerId)} + ${partOf(wallet, 'gift-held', ownerId)}`.as('heldFen'),
    partOf(wallet, 'frozen', ownerId).as('frozenFen'),
    sql<Fen>`-${partOf(wallet, 'receivable', ownerId)}`.as('owedFen'),
  ] as const;
}

export type PartsRow = { paidFen: Fen; giftFen: Fen };

/** A row of `partColumns` with what can be spent. */
export function withBalance<Row extends PartsRow>(row: Row): Row & { balanceFen: Fen } {
  return { ...row, balanceFen: totalOf(row) };
}

/** What a wallet has free, paid and gift apart, with both accounts locked until the transaction ends. */
export async function lockParts(trx: Trx, wallet: Wallet): Promise<Parts> {
  const gift = giftAccount(wallet);
  const balanceOf = await lockAccounts(trx, [wallet, gift]);
  return { paidFen: balanceOf(wallet), giftFen: balanceOf(gift) };
}

/** All accounts of several wallets, locked until the transaction ends, for acts that move money between them. */
export function lockWallets(trx: Trx, wallets: readonly Wallet[]): Promise<(account: Account) => Fen> {
  const accountsOf = (wallet: Wallet) => [
    wallet,
    heldAccount(wallet),
    giftAccount(wallet),
    heldGiftAccount(wallet),
    frozenAccount(wallet),
    receivableAccount(wallet),
  ];
  return lockAccounts(trx, wallets.flatMap(accountsOf));
}

/** What a wallet has free, read without a lock. */
export async function readParts(db: Kysely<Tables>, wallet: Wallet): Promise<Parts> {
  const { rows } = await sql<Parts>`
    select coalesce(sum(balance_fen) filter (where key = ${keyOf(wallet)}), 0)::bigint as "paidFen",
           coalesce(sum(balance_fen) filter (where key <> ${keyOf(wallet)}), 0)::bigint as "giftFen"
      from ledger_accounts where key in (${keyOf(wallet)}, ${keyOf(giftAccount(wallet))})`.execute(db);
  const [parts] = rows;
  if (parts === undefined) throw new Error('an aggregate gave no row');
  return parts;
}
