import type { OrderId } from '@voltdeck/units/id';
import type { Result } from '@voltdeck/units/result';
import type { Wallet } from './account.ts';
import { freeShares, heldShares, type Parts } from './parts.ts';
import { flow } from './posting.ts';
import { makeTransfer, type Transfer, type TransferFault } from './transfer.ts';

/** The key of an order's first hold; `%s` stands for the id of an order that is yet to be written. */
export function holdKey(orderId: OrderId | '%s'): string {
  return `order:${orderId}:hold`;
}

/** Sets money of a wallet aside for a charge. The hold ends in `settleTransfer` or `voidHoldTransfer`. */
export function holdTransfer(hold: { orderId: OrderId; wallet: Wallet; held: Parts }): Result<Transfer, TransferFault> {
  const { orderId, wallet, held } = hold;
  const postings = flow(freeShares(wallet, held), heldShares(wallet, held));
  return makeTransfer({ key: holdKey(orderId), reason: 'hold', orderId, postings });
}

/** Sets more money aside for a running charge; `number` counts its holds, so the first extension is 2. */
export function extendHoldTransfer(hold: {
  orderId: OrderId;
  number: number;
  wallet: Wallet;
  held: Parts;
}): Result<Transfer, TransferFault> {
  const { orderId, number, wallet, held } = hold;
  const postings = flow(freeShares(wallet, held), heldShares(wallet, held));
  return makeTransfer({ key: `order:${orderId}:hold:${number}`, reason: 'hold_extended', orderId, postings });
}

/** Returns an order's whole hold to the wallet: the charge never began. */
export function voidHoldTransfer(hold: {
  orderId: OrderId;
  wallet: Wallet;
  held: Parts;
}): Result<Transfer, TransferFault> {
  const { orderId, wallet, held } = hold;
  const postings = flow(heldShares(wallet, held), freeShares(wallet, held));
  return makeTransfer({ key: `order:${orderId}:void`, reason: 'hold_voided', orderId, postings });
}
