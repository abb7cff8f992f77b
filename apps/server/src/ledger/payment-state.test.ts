import { expect, test } from 'vitest';
import { paymentStateOf } from './payment-state.ts';

test.each([
  ['unpaid', { amountFen: 1_000, paidFen: 0, refundedFen: 0, forgivenFen: 0 }],
  ['unpaid', { amountFen: 1_000, paidFen: 0, refundedFen: 0, forgivenFen: 999 }],
  ['partly_paid', { amountFen: 1_000, paidFen: 1, refundedFen: 0, forgivenFen: 0 }],
  ['partly_paid', { amountFen: 1_000, paidFen: 600, refundedFen: 0, forgivenFen: 399 }],
  ['paid', { amountFen: 1_000, paidFen: 1_000, refundedFen: 0, forgivenFen: 0 }],
  ['paid', { amountFen: 0, paidFen: 0, refundedFen: 0, forgivenFen: 0 }],
  ['partly_refunded', { amountFen: 1_000, paidFen: 600, refundedFen: 0, forgivenFen: 400 }],
  ['partly_refunded', { amountFen: 1_000, paidFen: 1_000, refundedFen: 999, forgivenFen: 0 }],
  ['partly_refunded', { amountFen: 1_000, paidFen: 600, refundedFen: 599, forgivenFen: 400 }],
  ['refunded', { amountFen: 1_000, paidFen: 600, refundedFen: 600, forgivenFen: 400 }],
  ['refunded', { amountFen: 1_000, paidFen: 0, refundedFen: 0, forgivenFen: 1_000 }],
  // A refund of what was paid, from before refunds reduced the debt first.
  ['partly_refunded', { amountFen: 1_000, paidFen: 600, refundedFen: 600, forgivenFen: 0 }],
] as const)('a settled order is %s with %o', (state, order) => {
  expect(paymentStateOf(order)).toBe(state);
});
