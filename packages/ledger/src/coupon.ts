import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen, minFen, subtractFen } from '@voltdeck/units/money';

/** What a coupon takes off, before its budget. */
export type CouponValue = { kind: 'amount'; amountFen: Fen } | { kind: 'percent'; percent: number; maxFen: Fen | null };

export type OfferedCoupon = {
  value: CouponValue;
  /** What its budget still has; null for any sum. */
  leftFen: Fen | null;
};

/** When a coupon can be used, in milliseconds; null for no bound. */
export type CouponTime = { fromMs: number | null; toMs: number | null };

/**
 * What a coupon takes off a service fee: at most that fee and what its budget still has. Percentages are rounded down,
 * so that no coupon takes off more than it says.
 */
export function couponFen({ value, leftFen }: OfferedCoupon, serviceFeeFen: Fen): Fen {
  const statedFen =
    value.kind === 'amount' ? value.amountFen : fen(Number((BigInt(serviceFeeFen) * BigInt(value.percent)) / 100n));
  const cappedFen = value.kind === 'percent' && value.maxFen !== null ? minFen(statedFen, value.maxFen) : statedFen;
  return minFen(minFen(cappedFen, serviceFeeFen), leftFen ?? cappedFen);
}

/** The coupon that takes off the most, the first of equal ones; null where none takes anything off. */
export function bestCoupon<Coupon extends OfferedCoupon>(
  coupons: readonly Coupon[],
  serviceFeeFen: Fen,
): { coupon: Coupon; amountFen: Fen } | null {
  let best: { coupon: Coupon; amountFen: Fen } | null = null;
  for (const coupon of coupons) {
    const amountFen = couponFen(coupon, serviceFeeFen);
    if (subtractFen(amountFen, best?.amountFen ?? fen(0)) > 0) best = { coupon, amountFen };
  }
  return best;
}

/** The best of the coupons that can be used at `at`; their last instant is excluded. */
export function bestCouponAt<Coupon extends OfferedCoupon & CouponTime>(
  coupons: readonly Coupon[],
  serviceFeeFen: Fen,
  at: Instant,
): { coupon: Coupon; amountFen: Fen } | null {
  const valid = coupons.filter(({ fromMs, toMs }) => (fromMs ?? at) <= at && (toMs === null || at < toMs));
  return bestCoupon(valid, serviceFeeFen);
}
