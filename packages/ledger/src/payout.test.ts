import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { giftsTakenBackFen, mostRefundFen } from './payout.ts';

test('the most of a recharge that can be refunded takes no more gifts than there are, and one fen more would', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      (paid, gift, free) => {
        const [paidFen, giftFen, takenFen] = [fen(paid), fen(gift), fen(Math.min(free, gift))];
        const mostFen = mostRefundFen({ takenFen, paidFen, giftFen });
        expect(giftsTakenBackFen({ amountFen: mostFen, paidFen, giftFen })).toBeLessThanOrEqual(takenFen);
        if (mostFen === paidFen) return;
        expect(giftsTakenBackFen({ amountFen: fen(mostFen + 1), paidFen, giftFen })).toBeGreaterThan(takenFen);
      },
    ),
  );
});
