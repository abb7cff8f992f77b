import type { AgentId, DividerId, SettlementPeriodId } from '@voltdeck/units/id';
import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import { carriedIn, payableFen, payOutTransfer } from './settlement.ts';

const period = 3 as SettlementPeriodId;

test('a period carries over what the one before it owes, and none of its gain', () => {
  const carried = [null, fen(500), fen(0), fen(-70)].map((netFen) => carriedIn(netFen, fen(0)));
  expect(carried).toEqual([0, 0, 0, -70]);
});

test('a period carries over what earlier periods could not pay out', () => {
  expect([carriedIn(fen(-70), fen(100)), carriedIn(null, fen(30)), carriedIn(fen(9), fen(30))]).toEqual([30, 30, 30]);
});

test('a period pays out what it came to, at most what is left of the shares, and never less than nothing', () => {
  expect(payableFen(fen(880), fen(900))).toBe(880);
  expect(payableFen(fen(880), fen(880))).toBe(880);
  expect(payableFen(fen(880), fen(100))).toBe(100);
  expect(payableFen(fen(880), fen(0))).toBe(0);
  expect(payableFen(fen(880), fen(-5))).toBe(0);
  expect(payableFen(fen(-880), fen(900))).toBe(0);
});

test('what a period came to goes from the shares to the balance of its party, under a key of its own', () => {
  expect(payOutTransfer(period, { kind: 'agent', id: 5 as AgentId }, fen(120))).toMatchObject({
    ok: true,
    value: {
      key: 'period:3:paid-out',
      reason: 'shares_paid_out',
      postings: [{ from: 'agent-share:5', to: 'agent-balance:5', amountFen: 120 }],
    },
  });
  expect(payOutTransfer(period, { kind: 'divider', id: 9 as DividerId }, fen(1))).toMatchObject({
    value: { postings: [{ from: 'divider-share:9', to: 'divider-balance:9', amountFen: 1 }] },
  });
});

test('a period that came to nothing or less pays nothing out', () => {
  for (const amountFen of [0, -5]) {
    expect(payOutTransfer(period, { kind: 'agent', id: 5 as AgentId }, fen(amountFen))).toBeNull();
  }
});
