import type { PartnerId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  badDebtAccount,
  channelAccount,
  keyOf,
  partnerPayableAccount,
  receivableAccount,
  type Wallet,
} from './account.ts';
import { freeShares, giveBack, heldShares, type Parts, totalOf } from './parts.ts';
import { flow } from './posting.ts';
import { payDue, type Settlement } from './settle.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

/**
 * Money of charges that customers have at the stations of another operator. What they pay is owed to that operator until
 * it is paid out. `chargeId` is the roaming charge's.
 */
type RoamingHold = { chargeId: number; wallet: Wallet; held: Parts };

/** Sets money aside; `number` counts the holds of a charge from 1. */
export function roamingHoldTransfer(hold: RoamingHold & { number: number }): Result<Transfer, TransferFault> {
  const { chargeId, number, wallet, held } = hold;
  const postings = flow(freeShares(wallet, held), heldShares(wallet, held));
  const reason = number === 1 ? 'hold' : 'hold_extended';
  return makeTransfer({ key: `roaming:${chargeId}:hold:${number}`, reason, postings });
}

/** Returns the whole hold of a charge that did not begin. `number` is that of its last hold: it may begin late after all. */
export function voidRoamingHoldTransfer(hold: RoamingHold & { number: number }): Result<Transfer, TransferFault> {
  const { chargeId, number, wallet, held } = hold;
  const postings = flow(heldShares(wallet, held), freeShares(wallet, held));
  return makeTransfer({ key: `roaming:${chargeId}:void:${number}`, reason: 'hold_voided', postings });
}

/** Pays the bill of a charge as that of an order is paid (`settleTransfer`); all of it is owed to the partner. */
export function settleRoamingTransfer(
  settlement: RoamingHold & { partnerId: PartnerId; available: Parts; electricityFeeFen: Fen; serviceFeeFen: Fen },
): Result<Settlement, TransferFault> {
  const { chargeId, partnerId, wallet, held, available, electricityFeeFen, serviceFeeFen } = settlement;
  const negative = negativeAmount({
    heldFen: held.paidFen,
    heldGiftFen: held.giftFen,
    availableFen: available.paidFen,
    availableGiftFen: available.giftFen,
    electricityFeeFen,
    serviceFeeFen,
  });
  if (negative !== null) return failed(negative);
  const dueFen = addFen(electricityFeeFen, serviceFeeFen);
  const takers = [{ account: keyOf(partnerPayableAccount(partnerId)), amountFen: dueFen }];
  const { postings, ...moved } = payDue({ wallet, held, available, dueFen, takers });
  if (postings.length === 0) return ok({ transfer: null, ...moved });
  const transfer = makeTransfer({ key: `roaming:${chargeId}:settle`, reason: 'roaming_settled', postings });
  return transfer.ok ? ok({ transfer: transfer.value, ...moved }) : transfer;
}

/** A wallet pays what a charge left owing; `number` counts the repayments of the charge from 1. */
export function repayRoamingTransfer(repayment: {
  chargeId: number;
  number: number;
  wallet: Wallet;
  paid: Parts;
}): Result<Transfer, TransferFault> {
  const { chargeId, number, wallet, paid } = repayment;
  const postings = flow(freeShares(wallet, paid), [
    { account: keyOf(receivableAccount(wallet)), amountFen: totalOf(paid) },
  ]);
  return makeTransfer({ key: `roaming:${chargeId}:repayment:${number}`, reason: 'roaming_repaid', postings });
}

/**
 * Gives back what a charge cost too much, as both operators agreed: the partner gets that much less. A debt that the
 * charge left is forgiven first, the rest goes to the wallet in the proportion of what it paid. `number` counts the
 * refunds of the charge from 1.
 */
export function refundRoamingTransfer(refund: {
  chargeId: number;
  number: number;
  partnerId: PartnerId;
  wallet: Wallet;
  /** Above zero, and no more than is owed and was paid and not given back. */
  amountFen: Fen;
  paid: Parts;
  refunded: Parts;
  owedFen: Fen;
}): Result<{ transfer: Transfer; forgivenFen: Fen; refunded: Parts }, TransferFault> {
  const { chargeId, number, partnerId, wallet, amountFen, paid, refunded, owedFen } = refund;
  if (amountFen <= 0) return failed({ code: 'ledger.amount_not_positive', index: 0, amountFen });
  const maxFen = addFen(owedFen, subtractFen(totalOf(paid), totalOf(refunded)));
  if (amountFen > maxFen) return failed({ code: 'ledger.refund_too_high', maxFen });
  const forgivenFen = minFen(owedFen, amountFen);
  const toWallet = giveBack(paid, refunded, subtractFen(amountFen, forgivenFen));
  const postings = flow(
    [{ account: keyOf(partnerPayableAccount(partnerId)), amountFen }],
    [{ account: keyOf(receivableAccount(wallet)), amountFen: forgivenFen }, ...freeShares(wallet, toWallet)],
  );
  const transfer = makeTransfer({ key: `roaming:${chargeId}:refund:${number}`, reason: 'roaming_refunded', postings });
  return transfer.ok ? ok({ transfer: transfer.value, forgivenFen, refunded: toWallet }) : transfer;
}

/** Gives up what a charge left owing: the loss is ours, and the partner is paid all the same. `id` is the correction's. */
export function writeOffRoamingTransfer(writeOff: {
  id: number;
  wallet: Wallet;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, wallet, amountFen } = writeOff;
  const posting = { from: keyOf(badDebtAccount), to: keyOf(receivableAccount(wallet)), amountFen };
  return makeTransfer({ key: `roaming-write-off:${id}`, reason: 'roaming_written_off', postings: [posting] });
}

/**
 * What was paid to an operator for such charges, from a bank account; below zero what it gave back. `id` is the
 * payment's.
 */
export function partnerPaymentTransfer(payment: {
  id: number;
  partnerId: PartnerId;
  amountFen: Fen;
}): Result<Transfer, TransferFault> {
  const { id, partnerId, amountFen } = payment;
  const [payable, bank] = [keyOf(partnerPayableAccount(partnerId)), keyOf(channelAccount('bank'))];
  const posting =
    amountFen < 0
      ? { from: bank, to: payable, amountFen: subtractFen(zeroFen, amountFen) }
      : { from: payable, to: bank, amountFen };
  return makeTransfer({ key: `partner-payment:${id}`, reason: 'partner_paid', postings: [posting] });
}
