import type { OrderId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBeyondDebtLimit, repayInOrder } from './debt.ts';

const debt = (orderId: number, owedFen: number) => ({ orderId: orderId as OrderId, owedFen: fen(owedFen) });

describe('money that repays debts', () => {
  test('a repayment pays the first debt in full before the next', () => {
    expect(repayInOrder([debt(1, 500), debt(2, 300), debt(3, 100)], fen(650))).toEqual([
      { orderId: 1, amountFen: 500, owedFen: 0 },
      { orderId: 2, amountFen: 150, owedFen: 150 },
    ]);
  });

  test('a repayment pays nothing when there is no debt', () => {
    expect(repayInOrder([debt(1, 500)], fen(0))).toEqual([]);
    expect(repayInOrder([], fen(500))).toEqual([]);
  });

  test('a repayment never exceeds the money or the debts, and leaves a debt only when the money is used up', () => {
    const anyDebts = fc.array(fc.integer({ min: 1, max: 50_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(anyDebts, fc.integer({ min: 0, max: 400_000 }), (owed, availableFen) => {
        const debts = owed.map((owedFen, index) => debt(index + 1, owedFen));
        const repayments = repayInOrder(debts, fen(availableFen));
        const repaidFen = repayments.reduce((sum, { amountFen }) => sum + amountFen, 0);
        expect(repaidFen).toBe(
          Math.min(
            availableFen,
            owed.reduce((sum, owedFen) => sum + owedFen, 0),
          ),
        );
        for (const [index, { orderId, amountFen, owedFen }] of repayments.entries()) {
          expect(orderId).toBe(debts[index]?.orderId);
          expect(amountFen).toBeGreaterThan(0);
          expect(amountFen + owedFen).toBe(debts[index]?.owedFen);
          if (index < repayments.length - 1) expect(owedFen).toBe(0);
        }
      }),
    );
  });
});

test('a debt of exactly the limit is within it, and a higher one is beyond it', () => {
  expect(isBeyondDebtLimit(fen(1_000), fen(1_000))).toBe(false);
  expect(isBeyondDebtLimit(fen(1_001), fen(1_000))).toBe(true);
  expect(isBeyondDebtLimit(fen(0), fen(0))).toBe(false);
  expect(isBeyondDebtLimit(fen(1), fen(0))).toBe(true);
});
