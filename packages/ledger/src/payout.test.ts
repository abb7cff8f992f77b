import type { AgentId, DividerId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentBalanceAccount, dividerBalanceAccount } from './account.ts';
import { freezeBalanceTransfer, giftsTakenBackFen, mostRefundFen, payOutTransfer } from './payout.ts';

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

test('money of a party’s balance is set aside whole, and leaves less the fee that the platform keeps', () => {
  const cause = { kind: 'agent-withdrawal', id: 7 } as const;
  const balance = agentBalanceAccount(5 as AgentId);
  expect(freezeBalanceTransfer({ cause, balance, amountFen: fen(1_000) })).toEqual({
    ok: true,
    value: {
      key: 'agent-withdrawal:7:freeze',
      reason: 'money_frozen',
      postings: [{ from: 'agent-balance:5', to: 'agent-frozen:5', amountFen: 1_000 }],
    },
  });
  const target = { channel: 'bank' } as const;
  expect(payOutTransfer({ cause, wallet: balance, target, amountFen: fen(1_000), feeFen: fen(6) })).toEqual({
    ok: true,
    value: {
      key: 'agent-withdrawal:7:paid',
      reason: 'withdrawal',
      postings: [
        { from: 'agent-frozen:5', to: 'channel:bank', amountFen: 994 },
        { from: 'agent-frozen:5', to: 'withdrawal-fee', amountFen: 6 },
      ],
    },
  });
  expect(
    freezeBalanceTransfer({ cause, balance: dividerBalanceAccount(9 as DividerId), amountFen: fen(1) }),
  ).toMatchObject({ value: { postings: [{ from: 'divider-balance:9', to: 'divider-frozen:9' }] } });
});
