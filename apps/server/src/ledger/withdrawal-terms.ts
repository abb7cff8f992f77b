import { type Fen, fen, minFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** The parameters of withdrawals, with their defaults. */
export const withdrawalParameters = {
  /** The least amount of one application, in whole fen: 1 yuan. */
  withdrawal_min_fen: '100',
  /** The fee in hundredths of a percent of the amount, from 0 to 10000. */
  withdrawal_fee_bp: '0',
  /** Applications of one registered user in a day of Shanghai. */
  withdrawals_per_day: '3',
  /** `proportional`: gifts go with the money in its proportion; `off`: they stay. */
  withdrawal_gifts: 'proportional',
} as const;
export type WithdrawalParameter = keyof typeof withdrawalParameters;

const areUsable: Readonly<Record<WithdrawalParameter, (value: string) => boolean>> = {
  withdrawal_min_fen: (value) => /^[1-9]\d{0,6}$/.test(value),
  withdrawal_fee_bp: (value) => /^\d{1,5}$/.test(value) && Number(value) <= 10_000,
  withdrawals_per_day: (value) => /^[1-9]\d{0,2}$/.test(value),
  withdrawal_gifts: (value) => value === 'proportional' || value === 'off',
};

export function isWithdrawalParameter(key: WithdrawalParameter, value: string): boolean {
  return areUsable[key](value);
}

export type WithdrawalTerms = { minFen: Fen; feeBp: number; perDay: number; takesGifts: boolean };

/** The terms in force; a parameter that is missing or invalid has its default. */
export async function readWithdrawalTerms(db: Kysely<Tables>): Promise<WithdrawalTerms> {
  const rows = await db
    .selectFrom('configs')
    .select(['key', 'value'])
    .where('key', 'in', Object.keys(withdrawalParameters))
    .execute();
  const textOf = (key: WithdrawalParameter): string => {
    const value = rows.find((row) => row.key === key)?.value;
    return value !== undefined && isWithdrawalParameter(key, value) ? value : withdrawalParameters[key];
  };
  return {
    minFen: fen(Number(textOf('withdrawal_min_fen'))),
    feeBp: Number(textOf('withdrawal_fee_bp')),
    perDay: Number(textOf('withdrawals_per_day')),
    takesGifts: textOf('withdrawal_gifts') === 'proportional',
  };
}

/** The fee of a withdrawal, rounded half up to the fen and never above the amount. */
export function withdrawalFeeFen(amountFen: Fen, feeBp: number): Fen {
  if (feeBp <= 0) return zeroFen;
  return minFen(amountFen, fen(Number((BigInt(amountFen) * BigInt(feeBp) * 2n + 10_000n) / 20_000n)));
}
