import { giftAccount, keyOf, receivableAccount, type Wallet } from '@voltdeck/ledger/account';
import { type Fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** What is free in a wallet, paid money and gifts apart, and what its owner owes, read without a lock. */
export async function readBalance(
  db: Kysely<Tables>,
  wallet: Wallet,
): Promise<{ balanceFen: Fen; giftFen: Fen; owedFen: Fen }> {
  const keys = [keyOf(wallet), keyOf(receivableAccount(wallet)), keyOf(giftAccount(wallet))] as const;
  const rows = await db.selectFrom('ledger_accounts').select(['key', 'balance_fen']).where('key', 'in', keys).execute();
  const balanceOf = (key: string) => rows.find((row) => row.key === key)?.balance_fen ?? zeroFen;
  return {
    balanceFen: balanceOf(keys[0]),
    giftFen: balanceOf(keys[2]),
    owedFen: subtractFen(zeroFen, balanceOf(keys[1])),
  };
}
