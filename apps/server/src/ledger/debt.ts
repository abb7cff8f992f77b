import { keyOf, receivableAccount, type Wallet } from '@voltdeck/ledger/account';
import { type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import { wholeNumber } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';

/** The parameter for how much somebody may owe and still begin a charge: up to ten million yuan. */
export const debtLimit = wholeNumber({ key: 'debt_limit_fen', defaultValue: fen(1_000), max: 999_999_999 });

/** The debt of a wallet's owner, in fen; zero or more. */
export async function debtOf(db: Kysely<Tables>, wallet: Wallet): Promise<Fen> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(receivableAccount(wallet)))
    .executeTakeFirst();
  return subtractFen(zeroFen, account?.balance_fen ?? zeroFen);
}
