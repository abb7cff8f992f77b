import type { OrderId, SiteId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, splitFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  couponExpenseAccount,
  electricityIncomeAccount,
  keyOf,
  receivableAccount,
  serviceIncomeAccount,
  type Wallet,
} from './account.ts';
import { freeShares, giveBack, type Parts, totalOf } from './parts.ts';
import { flow } from './posting.ts';
import type { CouponUse } from './settle.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

export type Refund = {
  transfer: Transfer;
  /** The part of this refund that each fee gives back; both together are its amount. */
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  /** The part that reduced the order's debt instead of going to the wallet. */
  forgivenFen: Fen;
  /** What went to the wallet. */
  refunded: Parts;
  /** What the platform gets back of a coupon that it bore. */
  couponFen: Fen;
};

/**
 * Refunds a settled order: a debt that the order left is forgiven first, the rest goes back to the wallet, to the paid
 * and the gift part in the proportion they paid. It is taken from electricity and service in the proportion they were
 * charged after the coupon. Proportions hold over all refunds of the order together, so that many small refunds never
 * take more from one than was charged or return more to a part than it paid.
 */
export function refundOrderTransfer(refund: {
  orderId: OrderId;
  /** Counts the refunds of the order, from 1. */
  number: number;
  siteId: SiteId;
  wallet: Wallet;
  amountFen: Fen;
  /** What the order was charged, before the coupon. */
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  coupon?: CouponUse | null;
  /** What the wallet paid so far. */
  paid: Parts;
  /** What earlier refunds returned to the wallet. */
  refunded: Parts;
  /** The debt that earlier refunds forgave. */
  forgivenFen: Fen;
  /** What is still owed for this order. */
  owedFen: Fen;
}): Result<Refund, TransferFault> {
  const { orderId, number, siteId, wallet, amountFen, paid, refunded, owedFen, coupon = null } = refund;
  const negative = negativeAmount({
    electricityFeeFen: refund.electricityFeeFen,
    serviceFeeFen: refund.serviceFeeFen,
    refundedFen: refunded.paidFen,
    refundedGiftFen: refunded.giftFen,
    paidFen: paid.paidFen,
    paidGiftFen: paid.giftFen,
    forgivenFen: refund.forgivenFen,
    owedFen,
  });
  if (negative !== null) return failed(negative);
  if (amountFen <= 0) return failed({ code: 'ledger.amount_not_positive', index: 0, amountFen });
  const charged = {
    electricityFeeFen: refund.electricityFeeFen,
    serviceFeeFen: subtractFen(refund.serviceFeeFen, coupon?.amountFen ?? zeroFen),
  };
  const earlierFen = addFen(totalOf(refunded), refund.forgivenFen);
  const chargedFen = addFen(charged.electricityFeeFen, charged.serviceFeeFen);
  // Less than the rest of the bill where a part of it was written off.
  const maxFen = minFen(
    subtractFen(chargedFen, earlierFen),
    addFen(owedFen, subtractFen(totalOf(paid), totalOf(refunded))),
  );
  if (amountFen > maxFen) return failed({ code: 'ledger.refund_too_high', maxFen });

  const givenBackFen = addFen(earlierFen, amountFen);
  const electricityFeeFen = subtractFen(
    electricityShareFen(givenBackFen, charged),
    electricityShareFen(earlierFen, charged),
  );
  const serviceFeeFen = subtractFen(amountFen, electricityFeeFen);
  const forgivenFen = minFen(owedFen, amountFen);
  const toWallet = giveBack(paid, refunded, subtractFen(amountFen, forgivenFen));
  const borneFen = coupon?.bearer === 'platform' ? coupon.amountFen : zeroFen;
  const couponShareFen = (backFen: Fen) =>
    splitFen(borneFen, [backFen, subtractFen(chargedFen, backFen)])[0] ?? zeroFen;
  const couponFen = subtractFen(couponShareFen(givenBackFen), couponShareFen(earlierFen));
  const postings = flow(
    [
      { account: keyOf(electricityIncomeAccount(siteId)), amountFen: electricityFeeFen },
      { account: keyOf(serviceIncomeAccount(siteId)), amountFen: addFen(serviceFeeFen, couponFen) },
    ],
    [
      { account: keyOf(receivableAccount(wallet)), amountFen: forgivenFen },
      ...freeShares(wallet, toWallet),
      { account: keyOf(couponExpenseAccount), amountFen: couponFen },
    ],
  );
  const transfer = makeTransfer({
    key: `order:${orderId}:refund:${number}`,
    reason: 'refund_order',
    orderId,
    postings,
  });
  if (!transfer.ok) return transfer;
  return ok({ transfer: transfer.value, electricityFeeFen, serviceFeeFen, forgivenFen, refunded: toWallet, couponFen });
}

/** Electricity's part of `refundedFen`, the order's refunds so far. */
function electricityShareFen(refundedFen: Fen, charged: { electricityFeeFen: Fen; serviceFeeFen: Fen }): Fen {
  return splitFen(refundedFen, [charged.electricityFeeFen, charged.serviceFeeFen])[0] ?? zeroFen;
}
