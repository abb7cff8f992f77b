import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { balanceAfter } from './balance-after.ts';

test('a recharge pays what is owed first, and the rest can be spent', () => {
  const after = (balanceFen: number, owedFen: number, amountFen: number) =>
    balanceAfter({ balanceFen: fen(balanceFen), owedFen: fen(owedFen) }, fen(amountFen));
  expect(after(500, 0, 10_000)).toEqual({ repaidFen: 0, afterFen: 10_500 });
  expect(after(0, 300, 10_000)).toEqual({ repaidFen: 300, afterFen: 9_700 });
  expect(after(0, 300, 200)).toEqual({ repaidFen: 200, afterFen: 0 });
});
