import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Credit, creditChange } from './credit.ts';

const nothing: Credit = { amountFen: fen(0), pointsE2: 0 };
const add = (a: Credit, b: Credit): Credit => ({
  amountFen: fen(a.amountFen + b.amountFen),
  pointsE2: a.pointsE2 + b.pointsE2,
});

describe('the credit of an order', () => {
  test('a paid fen is a hundredth of a point for each point per yuan', () => {
    expect(creditChange(nothing, 1_234, 1)).toEqual({ amountFen: 1_234, pointsE2: 1_234 });
    expect(creditChange(nothing, 80, 3)).toEqual({ amountFen: 80, pointsE2: 240 });
    expect(creditChange(nothing, 80, 0)).toEqual({ amountFen: 80, pointsE2: 0 });
  });

  test('returned money takes its part of what the order gave, whatever the rate is by then', () => {
    const given = creditChange(nothing, 1_000, 2);
    expect(creditChange(given, -750, 9)).toEqual({ amountFen: -750, pointsE2: -1_500 });
  });

  test('a debt paid later counts at the rate of that day', () => {
    const given = creditChange(nothing, 400, 1);
    expect(creditChange(given, 600, 2)).toEqual({ amountFen: 600, pointsE2: 1_200 });
  });

  test('an order that counted nothing loses nothing when its money is returned', () => {
    expect(creditChange(nothing, -500, 1)).toEqual({ amountFen: 0, pointsE2: 0 });
  });

  test('any payments and refunds leave the points of an order within zero and what it gave, and none once all is returned', () => {
    const step = fc.record({
      movedFen: fc.integer({ min: -5_000_000, max: 5_000_000 }),
      rate: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let counted = nothing;
        let givenE2 = 0;
        for (const { movedFen, rate } of steps) {
          const change = creditChange(counted, movedFen, rate);
          givenE2 += Math.max(0, change.pointsE2);
          counted = add(counted, change);
          expect(counted.amountFen).toBeGreaterThanOrEqual(0);
          expect(counted.pointsE2).toBeGreaterThanOrEqual(0);
          expect(counted.pointsE2).toBeLessThanOrEqual(givenE2);
        }
        expect(add(counted, creditChange(counted, -counted.amountFen, 5))).toEqual(
          counted.amountFen === 0 ? counted : nothing,
        );
      }),
    );
  });

  test('many small refunds take as much as one of their sum', () => {
    const given = creditChange(nothing, 1_001, 3);
    let counted = given;
    for (let refund = 0; refund < 91; refund += 1) counted = add(counted, creditChange(counted, -11, 1));
    expect(counted).toEqual(add(given, creditChange(given, -1_001, 1)));
  });
});
