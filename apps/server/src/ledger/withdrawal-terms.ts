import { type Fen, fen, minFen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import { type Parameter, valueIn, wholeNumber } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';

/** The parameters of withdrawals. */
export const withdrawalParameters = {
  /** The least amount of one application, in fen. */
  minFen: wholeNumber({ key: 'withdrawal_min_fen', defaultValue: fen(100), min: 1, max: 9_999_999 }),
  /** The fee in hundredths of a percent of the amount. */
  feeBp: wholeNumber({ key: 'withdrawal_fee_bp', defaultValue: 0, max: 10_000 }),
  /** Applications of one registered user in a day of Shanghai. */
  perDay: wholeNumber({ key: 'withdrawals_per_day', defaultValue: 3, min: 1, max: 999 }),
  /** Whether gifts go with the money in its proportion or stay. */
  gifts: {
    key: 'withdrawal_gifts',
    defaultValue: 'proportional',
    isUsable: (text) => text === 'proportional' || text === 'off',
    read: (text) => text as GiftsOfWithdrawals,
  } satisfies Parameter<GiftsOfWithdrawals, 'withdrawal_gifts'>,
} as const;
type GiftsOfWithdrawals = 'proportional' | 'off';

/** The parameters of withdrawals of agents and dividers. */
export const agentWithdrawalParameters = {
  minFen: wholeNumber({ key: 'agent_withdrawal_min_fen', defaultValue: fen(100), min: 1, max: 99_999_999 }),
  feeBp: wholeNumber({ key: 'agent_withdrawal_fee_bp', defaultValue: 0, max: 10_000 }),
  perDay: wholeNumber({ key: 'agent_withdrawals_per_day', defaultValue: 3, min: 1, max: 999 }),
  /** Days for which every withdrawal to a payout account that was set or changed waits for a second person. */
  accountWaitDays: wholeNumber({ key: 'agent_withdrawal_account_wait_days', defaultValue: 7, max: 365 }),
} as const;

export type WithdrawalTerms = { minFen: Fen; feeBp: number; perDay: number; takesGifts: boolean };

/** The terms in force. */
export async function readWithdrawalTerms(db: Kysely<Tables>): Promise<WithdrawalTerms> {
  const { minFen, feeBp, perDay, gifts } = withdrawalParameters;
  const textOf = await readTexts(db, Object.values(withdrawalParameters));
  return {
    minFen: valueIn(minFen, textOf(minFen)),
    feeBp: valueIn(feeBp, textOf(feeBp)),
    perDay: valueIn(perDay, textOf(perDay)),
    takesGifts: valueIn<GiftsOfWithdrawals>(gifts, textOf(gifts)) === 'proportional',
  };
}

/** The terms in force for agents and dividers. */
export async function readAgentWithdrawalTerms(db: Kysely<Tables>): Promise<Omit<WithdrawalTerms, 'takesGifts'>> {
  const { minFen, feeBp, perDay } = agentWithdrawalParameters;
  const textOf = await readTexts(db, Object.values(agentWithdrawalParameters));
  return {
    minFen: valueIn(minFen, textOf(minFen)),
    feeBp: valueIn(feeBp, textOf(feeBp)),
    perDay: valueIn(perDay, textOf(perDay)),
  };
}

type Keyed = { key: string };

async function readTexts(db: Kysely<Tables>, parameters: readonly Keyed[]) {
  const keys = parameters.map(({ key }) => key);
  const rows = await db.selectFrom('configs').select(['key', 'value']).where('key', 'in', keys).execute();
  return ({ key }: Keyed) => rows.find((row) => row.key === key)?.value;
}

/** The fee of a withdrawal, rounded half up to the fen and never above the amount. */
export function withdrawalFeeFen(amountFen: Fen, feeBp: number): Fen {
  if (feeBp <= 0) return zeroFen;
  return minFen(amountFen, fen(Number((BigInt(amountFen) * BigInt(feeBp) * 2n + 10_000n) / 20_000n)));
}
