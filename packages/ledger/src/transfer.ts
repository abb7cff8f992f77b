import type { OrderId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { AccountKey } from './account.ts';
import type { Posting } from './posting.ts';

/** Why money moved; a transfer has exactly one reason. */
export const transferReasons = [
  'opening',
  'recharge',
  'prepaid_filled',
  'gift',
  'gift_deducted',
  'hold',
  'hold_extended',
  'hold_voided',
  'charge_settled',
  'order_shared',
  'shares_paid_out',
  'refund_order',
  'debt_repaid',
  'debt_written_off',
  'money_frozen',
  'withdrawal',
  'recharge_refund',
  'transfer',
  'group_allocated',
  'group_taken_back',
  'roaming_settled',
  'roaming_repaid',
  'roaming_refunded',
  'roaming_written_off',
  'partner_paid',
  'correction',
  'reversal',
] as const;
export type TransferReason = (typeof transferReasons)[number];

/**
 * Money that moves at once or not at all, balanced by its shape: a posting gives exactly what it takes. `key` is
 * derived from the business event (`order:7:settle`) and unique in the books, so an event that arrives twice moves
 * money once. `reverses` is the key of the transfer that this one undoes.
 */
export type Transfer = {
  key: string;
  reason: TransferReason;
  orderId?: OrderId;
  reverses?: string;
  postings: readonly Posting[];
};

export const postingsMax = 64;
export const keyLengthMax = 128;

/** Why a transfer cannot be made; `index` counts the postings from 0. */
export type TransferFault =
  | { code: 'ledger.key_invalid'; key: string }
  | { code: 'ledger.no_postings' }
  | { code: 'ledger.too_many_postings'; max: number; count: number }
  | { code: 'ledger.amount_not_positive'; index: number; amountFen: number }
  | { code: 'ledger.same_account'; index: number; account: AccountKey }
  | { code: 'ledger.amount_negative'; field: string; amountFen: number }
  | { code: 'ledger.coupon_too_high'; maxFen: number }
  | { code: 'ledger.refund_too_high'; maxFen: number };

/** A transfer of 1 to `postingsMax` postings, each of more than zero between two different accounts. */
export function makeTransfer(transfer: Transfer): Result<Transfer, TransferFault> {
  const { key, postings } = transfer;
  if (key.length > keyLengthMax || !/^[a-z0-9]+([:_-][a-z0-9]+)*$/.test(key)) {
    return failed({ code: 'ledger.key_invalid', key });
  }
  if (postings.length === 0) return failed({ code: 'ledger.no_postings' });
  if (postings.length > postingsMax) {
    return failed({ code: 'ledger.too_many_postings', max: postingsMax, count: postings.length });
  }
  for (const [index, { from, to, amountFen }] of postings.entries()) {
    if (amountFen <= 0) return failed({ code: 'ledger.amount_not_positive', index, amountFen });
    if (from === to) return failed({ code: 'ledger.same_account', index, account: from });
  }
  return ok(transfer);
}

/** A fault for the first amount below zero; null when there is none. */
export function negativeAmount(amounts: Readonly<Record<string, number>>): TransferFault | null {
  for (const [field, amountFen] of Object.entries(amounts)) {
    if (amountFen < 0) return { code: 'ledger.amount_negative', field, amountFen };
  }
  return null;
}
