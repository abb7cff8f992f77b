import type { CardId, CustomerId } from '@voltdeck/units/id';
import { describe, expect, test } from 'vitest';
import { orderStates } from '../states.ts';
import { hasPayer, isAwaitingStop } from './charge.ts';

describe("a station's word about the end", () => {
  test.each(orderStates)(
    'the stop of an order that is %s is awaited only while it runs or its stop is missing',
    (state) => {
      expect(isAwaitingStop({ state, waitsFor: null })).toBe(state === 'charging');
      expect(isAwaitingStop({ state, waitsFor: 'stop' })).toBe(state === 'charging' || state === 'settling');
      expect(isAwaitingStop({ state, waitsFor: 'person' })).toBe(state === 'charging');
    },
  );
});

test.each([
  ['card', 1, null, true],
  ['card', null, 2, false],
  ['online', null, 2, true],
  ['online', 1, null, false],
] as const)('an order by %s is paid by that alone (card %s, customer %s)', (paymentType, cardId, customerId, paid) => {
  const of = { paymentType, cardId: cardId as CardId | null, customerId: customerId as CustomerId | null };
  expect(hasPayer(of)).toBe(paid);
});
