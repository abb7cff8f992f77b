import { type Account, type AccountKey, keyOf } from '@voltdeck/ledger/account';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Trx } from '../database/transact.ts';

/**
 * The balances of accounts, locked until the transaction ends, in the order in which a posting locks them. An account
 * without postings has no row to lock and a balance of zero.
 */
export async function lockAccounts(trx: Trx, accounts: readonly Account[]): Promise<(account: Account) => Fen> {
  const { rows } = await sql<{ key: AccountKey; balance_fen: Fen }>`
    select key, balance_fen from ledger_accounts where key = any (${accounts.map(keyOf)}::text[])
     order by id for no key update`.execute(trx);
  const balances = new Map(rows.map(({ key, balance_fen }) => [key, balance_fen]));
  return (account) => balances.get(keyOf(account)) ?? zeroFen;
}
