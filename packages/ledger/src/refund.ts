import type { OrderId, SiteId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { electricityIncomeAccount, keyOf, receivableAccount, serviceIncomeAccount, type Wallet } from './account.ts';
import { flow } from './posting.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

export type Refund = {
  transfer: Transfer;
  /** The part of this refund that each fee gives back; both together are its amount. */
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  /** The part that reduced the order's debt instead of going to the wallet. */
  forgivenFen: Fen;
};

/**
 * Refunds a settled order: a debt that the order left is forgiven first, the rest goes to the wallet. It is taken from
 * electricity and service in the proportion they were charged, calculated over all refunds of the order together, so
 * that many small refunds never take more from either than was charged.
 */
export function refundOrderTransfer(refund: {
  orderId: OrderId;
  /** Counts the refunds of the order, from 1. */
  number: number;
  siteId: SiteId;
  wallet: Wallet;
  amountFen: Fen;
  /** What the order was charged. */
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  /** Earlier refunds, forgiven debt included. */
  refundedFen: Fen;
  /** What is still owed for this order. */
  owedFen: Fen;
}): Result<Refund, TransferFault> {
  const { orderId, number, siteId, wallet, amountFen, refundedFen, owedFen } = refund;
  const charged = { electricityFeeFen: refund.electricityFeeFen, serviceFeeFen: refund.serviceFeeFen };
  const negative = negativeAmount({ ...charged, refundedFen, owedFen });
  if (negative !== null) return failed(negative);
  if (amountFen <= 0) return failed({ code: 'ledger.amount_not_positive', index: 0, amountFen });
  const maxFen = subtractFen(addFen(charged.electricityFeeFen, charged.serviceFeeFen), refundedFen);
  if (amountFen > maxFen) return failed({ code: 'ledger.refund_too_high', maxFen });

  const electricityFeeFen = subtractFen(
    electricityShareFen(addFen(refundedFen, amountFen), charged),
    electricityShareFen(refundedFen, charged),
  );
  const serviceFeeFen = subtractFen(amountFen, electricityFeeFen);
  const forgivenFen = minFen(owedFen, amountFen);
  const postings = flow(
    [
      { account: keyOf(electricityIncomeAccount(siteId)), amountFen: electricityFeeFen },
      { account: keyOf(serviceIncomeAccount(siteId)), amountFen: serviceFeeFen },
    ],
    [
      { account: keyOf(receivableAccount(wallet)), amountFen: forgivenFen },
      { account: keyOf(wallet), amountFen: subtractFen(amountFen, forgivenFen) },
    ],
  );
  const transfer = makeTransfer({
    key: `order:${orderId}:refund:${number}`,
    reason: 'refund_order',
    orderId,
    postings,
  });
  return transfer.ok ? ok({ transfer: transfer.value, electricityFeeFen, serviceFeeFen, forgivenFen }) : transfer;
}

/** Electricity's part of `refundedFen`, the order's refunds so far. */
function electricityShareFen(refundedFen: Fen, charged: { electricityFeeFen: Fen; serviceFeeFen: Fen }): Fen {
  return splitFen(refundedFen, [charged.electricityFeeFen, charged.serviceFeeFen])[0] ?? zeroFen;
}
