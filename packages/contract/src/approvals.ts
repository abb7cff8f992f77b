import * as z from 'zod/mini';
import { fenField, idField } from './fields.ts';
import type { Permission } from './permissions.ts';

/** Acts that wait for a second person when they are larger than the parameter of their kind allows. */
export const approvalKinds = [
  'order_refund',
  'order_settlement',
  'transfer',
  'recharge',
  'recharge_refund',
  'withdrawal',
  'write_off',
  'tariff_default',
  'card_cancellation',
  'gift',
  'gift_deduction',
  'agent_recharge',
  'partner_deposit',
  'partner_payment',
  'roaming_refund',
  'roaming_write_off',
  'customer_merge',
  'card_holder',
  'withdrawal_outcome',
  'agent_withdrawal',
  'agent_withdrawal_return',
  'share_correction',
  'reversal',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** The permission of each act, which its approval needs too. */
export const approvedActPermissions = {
  order_refund: 'order.refund',
  order_settlement: 'order.settle',
  transfer: 'transfer.create',
  recharge: 'recharge.create',
  recharge_refund: 'recharge.reverse',
  withdrawal: 'withdrawal.review',
  write_off: 'debt.write_off',
  tariff_default: 'tariff.edit',
  card_cancellation: 'card.cancel',
  gift: 'gift.create',
  gift_deduction: 'gift.deduct',
  agent_recharge: 'agent.recharge',
  partner_deposit: 'partner.deposit',
  partner_payment: 'partner.pay',
  roaming_refund: 'partner_order.settle',
  roaming_write_off: 'partner_order.settle',
  customer_merge: 'customer.merge',
  card_holder: 'card.edit',
  withdrawal_outcome: 'withdrawal.resolve',
  agent_withdrawal: 'agent_withdrawal.review',
  agent_withdrawal_return: 'agent_withdrawal.return',
  share_correction: 'order.correct_shares',
  reversal: 'ledger.reverse',
} as const satisfies Readonly<Record<ApprovalKind, Permission>>;

/** Kinds that are measured by the largest change of a price; all others by their amount. */
const approvalKindsOfPrices = ['tariff_default'] as const satisfies readonly ApprovalKind[];
export type ApprovalKindOfPrices = (typeof approvalKindsOfPrices)[number];

/**
 * `failed`: approved, and refused when it was carried out. `withdrawn`: by who asked, or after thirty days. `obsolete`: its
 * record was decided in another way.
 */
export const approvalStates = ['waiting', 'approved', 'refused', 'failed', 'withdrawn', 'obsolete'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** The kinds of record that an act concerns. */
export const approvalSubjectKinds = [
  'order',
  'card',
  'customer',
  'group',
  'recharge',
  'withdrawal',
  'agent_withdrawal',
  'tariff',
  'agent',
  'partner',
  'roaming_charge',
  'ledger_transfer',
] as const;
export type ApprovalSubjectKind = (typeof approvalSubjectKinds)[number];

const waits = z.object({
  waitsFor: z.object({
    id: idField<'approval'>(),
    number: z.string(),
    /** Whether anybody else may approve it at present. */
    hasDecider: z.boolean(),
  }),
});
/** What a route answers whose act waits for a second person. */
export type Waits = z.output<typeof waits>;

/** The answer of a route whose act may have to wait for a second person: the record, or what it waits for. */
export function orWaits<Answer extends z.ZodMiniType>(record: Answer) {
  return z.union([waits, record]);
}

/** An act that waits, as the record says that it concerns. */
export const waitingAct = z.object({
  id: idField<'approval'>(),
  number: z.string(),
  kind: z.enum(approvalKinds),
  amountFen: fenField,
});
export type WaitingAct = z.output<typeof waitingAct>;
