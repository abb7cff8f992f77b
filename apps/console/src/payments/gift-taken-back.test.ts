import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { giftTakenBack } from './gift-taken-back.ts';

test('a refund takes back its gift in proportion over all refunds, to the fen, and never more than is left', () => {
  const taken = (refundedFen: number, giftLeftFen: number, amountFen: number) =>
    giftTakenBack(
      { amountFen: fen(30_000), giftFen: fen(1_000), refundedFen: fen(refundedFen), giftLeftFen: fen(giftLeftFen) },
      fen(amountFen),
    );
  expect(taken(0, 1_000, 1)).toBe(0);
  expect(taken(1, 1_000, 9_999)).toBe(333);
  expect(taken(10_000, 667, 5_000)).toBe(167);
  expect(taken(15_000, 500, 15_000)).toBe(500);
  expect(taken(15_000, 500, 99_000)).toBe(500);
});
