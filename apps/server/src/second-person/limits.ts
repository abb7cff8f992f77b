import type { ApprovalKind } from '@voltdeck/contract/approvals';
import type { Kysely } from 'kysely';
import { readParameter } from '../database/parameter.ts';
import type { Tables } from '../database/tables.generated.ts';

/** The largest act of a kind that needs no second person. `off`: none of them does; zero: every one does. */
export type SecondPersonLimit = number | 'off';

type LimitRow = { key: `second_person_${string}`; defaultLimit: SecondPersonLimit };

const orderRefundLimit = { key: 'second_person_order_refund_fen', defaultLimit: 50_000 } as const;
const writeOffLimit = { key: 'second_person_write_off_fen', defaultLimit: 0 } as const;
const transferLimit = { key: 'second_person_transfer_fen', defaultLimit: 100_000 } as const;
const rechargeLimit = { key: 'second_person_recharge_fen', defaultLimit: 1_000_000 } as const;
const withdrawalLimit = { key: 'second_person_withdrawal_fen', defaultLimit: 100_000 } as const;
const agentWithdrawalLimit = { key: 'second_person_agent_withdrawal_fen', defaultLimit: 1_000_000 } as const;
const giveBackLimit = { key: 'second_person_recharge_refund_fen', defaultLimit: 50_000 } as const;

/** What one person may end of a day's differences with payment channels and still seal the day. */
export const ownDifferencesLimit = {
  key: 'second_person_reconciliation_fen',
  defaultLimit: 50_000,
} as const satisfies LimitRow;

/** The parameter of each kind, in fen or in 1e-5 yuan per kWh, and its default. */
export const secondPersonLimits = {
  order_refund: orderRefundLimit,
  order_settlement: { key: 'second_person_order_settlement_fen', defaultLimit: 50_000 },
  transfer: transferLimit,
  recharge: rechargeLimit,
  recharge_refund: giveBackLimit,
  withdrawal: withdrawalLimit,
  write_off: writeOffLimit,
  tariff_default: { key: 'second_person_tariff_default_e5', defaultLimit: 'off' },
  card_cancellation: { key: 'second_person_card_cancellation_fen', defaultLimit: 50_000 },
  gift: rechargeLimit,
  gift_deduction: giveBackLimit,
  agent_recharge: { key: 'second_person_agent_recharge_fen', defaultLimit: 1_000_000 },
  partner_deposit: rechargeLimit,
  partner_payment: withdrawalLimit,
  roaming_refund: orderRefundLimit,
  roaming_write_off: writeOffLimit,
  customer_merge: transferLimit,
  card_holder: transferLimit,
  withdrawal_outcome: withdrawalLimit,
  agent_withdrawal: agentWithdrawalLimit,
  agent_withdrawal_return: agentWithdrawalLimit,
  share_correction: { key: 'second_person_share_correction_fen', defaultLimit: 50_000 },
  /** Every reversal waits, whatever amount is set. */
  reversal: { key: 'second_person_reversal_fen', defaultLimit: 0 },
} as const satisfies Readonly<Record<ApprovalKind, LimitRow>>;

/** Kinds whose acts on one record count together with those of another kind, because they do the same to it. */
const countedAs: Readonly<Partial<Record<ApprovalKind, ApprovalKind>>> = {
  gift: 'recharge',
  customer_merge: 'transfer',
  card_holder: 'transfer',
};

/** The kind under which an act within the limit counts. */
export function kindCountedAs(kind: ApprovalKind): ApprovalKind {
  return countedAs[kind] ?? kind;
}

/** "off", or a whole number of up to eleven digits. */
export function isSecondPersonLimit(text: string): boolean {
  return text === 'off' || /^\d{1,11}$/.test(text);
}

/** The limit in force. */
export async function readSecondPersonLimit(db: Kysely<Tables>, kind: ApprovalKind): Promise<SecondPersonLimit> {
  return readLimit(db, secondPersonLimits[kind]);
}

export function readLimit(db: Kysely<Tables>, { key, defaultLimit }: LimitRow): Promise<SecondPersonLimit> {
  return readParameter<SecondPersonLimit>(db, {
    key,
    defaultValue: defaultLimit,
    isUsable: isSecondPersonLimit,
    read: (text) => (text === 'off' ? 'off' : Number(text)),
  });
}
