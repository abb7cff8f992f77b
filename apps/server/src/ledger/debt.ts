import { keyOf, receivableAccount, type Wallet } from '@voltdeck/ledger/account';
import { type Fen, fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** The parameter for how much somebody may owe and still begin a charge, and its default. */
export const debtLimit = { key: 'debt_limit_fen', defaultFen: fen(1_000) } as const;

/** The debt of a wallet's owner, in fen; zero or more. */
export async function debtOf(db: Kysely<Tables>, wallet: Wallet): Promise<Fen> {
  const account = await db
    .selectFrom('ledger_accounts')
    .select('balance_fen')
    .where('key', '=', keyOf(receivableAccount(wallet)))
    .executeTakeFirst();
  return subtractFen(zeroFen, account?.balance_fen ?? zeroFen);
}

/** The limit in force, in fen. */
export async function readDebtLimit(db: Kysely<Tables>): Promise<Fen> {
  const config = await db.selectFrom('configs').select('value').where('key', '=', debtLimit.key).executeTakeFirst();
  return debtLimitFrom(config?.value ?? null);
}

/** The limit that a parameter's text gives; the default where it is missing or invalid. */
export function debtLimitFrom(text: string | null): Fen {
  return text !== null && isDebtLimit(text) ? fen(Number(text)) : debtLimit.defaultFen;
}

/** Whole fen up to ten million yuan. */
export function isDebtLimit(text: string): boolean {
  return /^\d{1,9}$/.test(text);
}
