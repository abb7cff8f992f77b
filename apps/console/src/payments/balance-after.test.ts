import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { balanceAfter } from './balance-after.ts';

test('a recharge and its gift pay what is owed first, with paid money before gifts, and the rest can be spent', () => {
  const after = (paidFen: number, giftFen: number, owedFen: number, amountFen: number, givenFen = 0) =>
    balanceAfter(
      { balanceFen: fen(paidFen + giftFen), paidFen: fen(paidFen), owedFen: fen(owedFen) },
      fen(amountFen),
      fen(givenFen),
    );
  expect(after(500, 0, 0, 10_000)).toEqual({ repaidFen: 0, afterFen: 10_500, paidAfterFen: 10_500 });
  expect(after(0, 0, 300, 10_000)).toEqual({ repaidFen: 300, afterFen: 9_700, paidAfterFen: 9_700 });
  expect(after(0, 0, 300, 200)).toEqual({ repaidFen: 200, afterFen: 0, paidAfterFen: 0 });
  expect(after(100, 50, 0, 1_000, 200)).toEqual({ repaidFen: 0, afterFen: 1_350, paidAfterFen: 1_100 });
  expect(after(0, 0, 1_100, 1_000, 200)).toEqual({ repaidFen: 1_100, afterFen: 100, paidAfterFen: 0 });
});
