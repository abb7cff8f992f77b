import type { OrderId, SiteId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, type Result } from '@voltdeck/units/result';
import { electricityIncomeAccount, keyOf, receivableAccount, serviceIncomeAccount, type Wallet } from './account.ts';
import { flow } from './posting.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

/**
 * Gives money of a settled order back: a debt that the order left is forgiven first, the rest goes to the wallet. It is
 * taken from electricity and service in the proportion they were charged, reckoned over all refunds of the order
 * together, so that many small refunds take neither more than it was charged.
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
  /** What was refunded before. */
  refundedFen: Fen;
  /** What is still owed for this order. */
  owedFen: Fen;
}): Result<Transfer, TransferFault> {
  const { orderId, number, siteId, wallet, amountFen, electricityFeeFen, serviceFeeFen, refundedFen, owedFen } = refund;
  const negative = negativeAmount({ electricityFeeFen, serviceFeeFen, refundedFen, owedFen });
  if (negative !== null) return failed(negative);
  if (amountFen <= 0) return failed({ code: 'ledger.amount_not_positive', index: 0, amountFen });
  const maxFen = subtractFen(addFen(electricityFeeFen, serviceFeeFen), refundedFen);
  if (amountFen > maxFen) return failed({ code: 'ledger.refund_too_high', maxFen });

  const electricityShare = (refundFen: Fen): Fen =>
    splitFen(refundFen, [electricityFeeFen, serviceFeeFen])[0] ?? zeroFen;
  const electricityFen = subtractFen(electricityShare(addFen(refundedFen, amountFen)), electricityShare(refundedFen));
  const forgivenFen = minFen(owedFen, amountFen);
  const postings = flow(
    [
      { account: keyOf(electricityIncomeAccount(siteId)), amountFen: electricityFen },
      { account: keyOf(serviceIncomeAccount(siteId)), amountFen: subtractFen(amountFen, electricityFen) },
    ],
    [
      { account: keyOf(receivableAccount(wallet)), amountFen: forgivenFen },
      { account: keyOf(wallet), amountFen: subtractFen(amountFen, forgivenFen) },
    ],
  );
  return makeTransfer({ key: `order:${orderId}:refund:${number}`, reason: 'refund_order', orderId, postings });
}
