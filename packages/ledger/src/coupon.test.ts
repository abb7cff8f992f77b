import { instant } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestCoupon, bestCouponAt, couponFen, type OfferedCoupon } from './coupon.ts';

const amount = (amountFen: number, leftFen: number | null = null): OfferedCoupon => ({
  value: { kind: 'amount', amountFen: fen(amountFen) },
  leftFen: leftFen as Fen | null,
});
const percent = (of: number, maxFen: number | null = null, leftFen: number | null = null): OfferedCoupon => ({
  value: { kind: 'percent', percent: of, maxFen: maxFen as Fen | null },
  leftFen: leftFen as Fen | null,
});

describe('a coupon on the service fee', () => {
  test('an amount is taken off as far as the fee and the budget go', () => {
    expect(couponFen(amount(500), fen(2_000))).toBe(500);
    expect(couponFen(amount(500), fen(300))).toBe(300);
    expect(couponFen(amount(500, 120), fen(2_000))).toBe(120);
    expect(couponFen(amount(500, 0), fen(2_000))).toBe(0);
  });

  test('a percentage is rounded down and capped', () => {
    expect(couponFen(percent(50), fen(333))).toBe(166);
    expect(couponFen(percent(100), fen(333))).toBe(333);
    expect(couponFen(percent(50, 100), fen(333))).toBe(100);
    expect(couponFen(percent(50, 100, 40), fen(333))).toBe(40);
  });

  test('the best of several takes off the most, the first of equal ones, and none where nothing is taken off', () => {
    const [small, large, same] = [amount(100), percent(50), amount(500)];
    expect(bestCoupon([small, large, same], fen(1_000))).toEqual({ coupon: large, amountFen: 500 });
    expect(bestCoupon([small], fen(0))).toBeNull();
    expect(bestCoupon([], fen(1_000))).toBeNull();
  });

  test('a coupon counts from its first instant to before its last, and without bounds always', () => {
    const at = instant(1_000);
    const during = (fromMs: number | null, toMs: number | null) => ({ ...amount(500), fromMs, toMs });
    const isUsable = (fromMs: number | null, toMs: number | null) =>
      bestCouponAt([during(fromMs, toMs)], fen(1_000), at) !== null;
    expect(isUsable(null, null)).toBe(true);
    expect(isUsable(1_000, 1_001)).toBe(true);
    expect(isUsable(1_001, null)).toBe(false);
    expect(isUsable(null, 1_000)).toBe(false);
    const [past, smaller] = [during(0, 900), { ...during(0, 2_000), ...amount(100) }];
    expect(bestCouponAt([past, smaller], fen(1_000), at)).toEqual({ coupon: smaller, amountFen: 100 });
  });

  test('no coupon takes off more than the fee, its budget or less than nothing', () => {
    const money = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(money, fc.integer({ min: 1, max: 100 }), money, money, (fee, of, maxFen, leftFen) => {
        const taken = couponFen(percent(of, maxFen, leftFen), fen(fee));
        expect(taken).toBeGreaterThanOrEqual(0);
        expect(taken).toBeLessThanOrEqual(Math.min(fee, maxFen, leftFen));
      }),
    );
  });
});
