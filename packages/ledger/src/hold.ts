import type { OrderId } from '@voltdeck/units/id';
import type { Fen } from '@voltdeck/units/money';
import type { Result } from '@voltdeck/units/result';
import { heldAccount, keyOf, type Wallet } from './account.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** The key of an order's first hold; `%s` stands for the id of an order that is yet to be written. */
export function holdKey(orderId: OrderId | '%s'): string {
  return `order:${orderId}:hold`;
}

/** Sets money of a wallet aside for a charge. The hold ends in `settleTransfer` or `voidHoldTransfer`. */
export function holdTransfer(hold: {
  orderId: OrderId;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { orderId, wallet, amountFen } = hold;
  const posting = { from: keyOf(wallet), to: keyOf(heldAccount(wallet)), amountFen };
  return makeTransfer({ key: holdKey(orderId), reason: 'hold', orderId, postings: [posting] });
}

/** Sets more money aside for a running charge; `number` counts its holds, so the first extension is 2. */
export function extendHoldTransfer(hold: {
  orderId: OrderId;
  number: number;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { orderId, number, wallet, amountFen } = hold;
  const posting = { from: keyOf(wallet), to: keyOf(heldAccount(wallet)), amountFen };
  return makeTransfer({
    key: `order:${orderId}:hold:${number}`,
    reason: 'hold_extended',
    orderId,
    postings: [posting],
  });
}

/** Returns an order's whole hold to the wallet: the charge never began. */
export function voidHoldTransfer(hold: {
  orderId: OrderId;
  wallet: Wallet;
  heldFen: Fen;
}): Result<Transfer, TransferFault> {
  const { orderId, wallet, heldFen } = hold;
  const posting = { from: keyOf(heldAccount(wallet)), to: keyOf(wallet), amountFen: heldFen };
  return makeTransfer({ key: `order:${orderId}:void`, reason: 'hold_voided', orderId, postings: [posting] });
}
