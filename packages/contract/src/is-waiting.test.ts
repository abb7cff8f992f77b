import { expect, test } from 'vitest';
import { isWaiting } from './is-waiting.ts';

test('an order that waits for its stop or a person is no act that waits for a second person', () => {
  expect(isWaiting({ waitsFor: { id: 7, number: 'P1', hasDecider: true } })).toBe(true);
  expect(isWaiting({ id: 1, waitsFor: 'person' })).toBe(false);
  expect(isWaiting({ id: 1, waitsFor: null })).toBe(false);
  expect(isWaiting({ id: 1 })).toBe(false);
  expect(isWaiting(null)).toBe(false);
});
