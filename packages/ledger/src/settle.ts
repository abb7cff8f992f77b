import type { OrderId, SiteId } from '@voltdeck/units/id';
import { addFen, type Fen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import {
  couponExpenseAccount,
  electricityIncomeAccount,
  keyOf,
  receivableAccount,
  serviceIncomeAccount,
  type Wallet,
} from './account.ts';
import { addParts, freeShares, heldShares, type Parts, subtractParts, takeFrom, totalOf } from './parts.ts';
import { flow, type Posting, type Share } from './posting.ts';
import { makeTransfer, negativeAmount, type Transfer, type TransferFault } from './transfer.ts';

/** Who gives up what a coupon takes off a bill: the site earns less, or the platform pays it. */
export const couponBearers = ['site', 'platform'] as const;
export type CouponBearer = (typeof couponBearers)[number];

/** What a coupon takes off a bill's service fee; at most that fee. */
export type CouponUse = { amountFen: Fen; bearer: CouponBearer };

/** A bill after its coupon. */
export function dueAfterCoupon(billFen: Fen, coupon: CouponUse | null): Fen {
  return coupon === null ? billFen : subtractFen(billFen, coupon.amountFen);
}

export type Settlement = {
  /** Null when nothing was held and nothing is due: there is no money to move. */
  transfer: Transfer | null;
  /** Taken from held and free money. */
  paid: Parts;
  /** What the wallet could not pay, now owed by its owner. */
  shortfallFen: Fen;
  /** Held money that was returned to the wallet. */
  released: Parts;
};

/**
 * Pays the bill of an order: first with paid money, held before free, then with gifts, then as a debt; the unused hold
 * is returned. What was paid, the shortfall and the coupon are the bill, to the fen. All amounts are zero or more.
 */
export function settleTransfer(settlement: {
  orderId: OrderId;
  siteId: SiteId;
  wallet: Wallet;
  /** The order's hold. */
  held: Parts;
  /** What is free in the wallet. */
  available: Parts;
  electricityFeeFen: Fen;
  serviceFeeFen: Fen;
  coupon?: CouponUse | null;
}): Result<Settlement, TransferFault> {
  const { orderId, siteId, wallet, held, available, electricityFeeFen, serviceFeeFen, coupon = null } = settlement;
  const couponFen = coupon?.amountFen ?? zeroFen;
  const negative = negativeAmount({
    heldFen: held.paidFen,
    heldGiftFen: held.giftFen,
    availableFen: available.paidFen,
    availableGiftFen: available.giftFen,
    electricityFeeFen,
    serviceFeeFen,
    couponFen,
  });
  if (negative !== null) return failed(negative);
  if (couponFen > serviceFeeFen) return failed({ code: 'ledger.coupon_too_high', maxFen: serviceFeeFen });

  const dueFen = subtractFen(addFen(electricityFeeFen, serviceFeeFen), couponFen);
  const isBorneByPlatform = coupon?.bearer === 'platform';
  const { postings, ...moved } = payDue({
    wallet,
    held,
    available,
    dueFen,
    givers: [{ account: keyOf(couponExpenseAccount), amountFen: isBorneByPlatform ? couponFen : zeroFen }],
    takers: [
      { account: keyOf(electricityIncomeAccount(siteId)), amountFen: electricityFeeFen },
      {
        account: keyOf(serviceIncomeAccount(siteId)),
        amountFen: isBorneByPlatform ? serviceFeeFen : subtractFen(serviceFeeFen, couponFen),
      },
    ],
  });
  if (postings.length === 0) return ok({ transfer: null, ...moved });
  const transfer = makeTransfer({ key: `order:${orderId}:settle`, reason: 'charge_settled', orderId, postings });
  return transfer.ok ? ok({ transfer: transfer.value, ...moved }) : transfer;
}

/**
 * The postings that pay `dueFen` from a hold, then from free money, then as a debt, and return the unused hold.
 * @param due.givers who pays beside the wallet
 */
export function payDue(due: {
  wallet: Wallet;
  held: Parts;
  available: Parts;
  dueFen: Fen;
  givers?: readonly Share[];
  takers: readonly Share[];
}): Omit<Settlement, 'transfer'> & { postings: readonly Posting[] } {
  const { wallet, held, available, dueFen, givers = [], takers } = due;
  const paid = takeFrom(addParts(held, available), dueFen);
  const fromHeld = { paidFen: minFen(held.paidFen, paid.paidFen), giftFen: minFen(held.giftFen, paid.giftFen) };
  const fromWallet = subtractParts(paid, fromHeld);
  const released = subtractParts(held, fromHeld);
  const shortfallFen = subtractFen(dueFen, totalOf(paid));
  const [heldPaid, heldGift] = heldShares(wallet, fromHeld);
  const [freePaid, freeGift] = freeShares(wallet, fromWallet);
  const payments = flow(
    [
      ...[heldPaid, freePaid, heldGift, freeGift].filter((share) => share !== undefined),
      { account: keyOf(receivableAccount(wallet)), amountFen: shortfallFen },
      ...givers,
    ],
    takers,
  );
  const postings = [...payments, ...flow(heldShares(wallet, released), freeShares(wallet, released))];
  return { postings, paid, shortfallFen, released };
}
