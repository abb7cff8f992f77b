import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('each caller gets a limited number of calls per window, and the next window starts again', () => {
  const limit = new RateLimit({ max: 2, windowMs: 60_000 });
  const at = (ms: number) => instant(1_000_000 + ms);
  expect([limit.secondsToWait('a', at(0)), limit.secondsToWait('a', at(1_000))]).toEqual([0, 0]);
  expect(limit.secondsToWait('a', at(2_000))).toBe(58);
  expect(limit.secondsToWait('b', at(2_000))).toBe(0);
  expect(limit.secondsToWait('a', at(60_000))).toBe(0);
  expect(limit.secondsToWait('a', at(61_000))).toBe(0);
  expect(limit.secondsToWait('a', at(119_000))).toBe(1);
});

test('a call that came before another and is counted after it belongs to the same window', () => {
  const limit = new RateLimit({ max: 1, windowMs: 60_000 });
  limit.secondsToWait('a', instant(10_000_000));
  expect(limit.secondsLeft('a', instant(9_999_000))).toBe(61);
  expect(limit.secondsToWait('a', instant(9_999_000))).toBe(61);
});

test('a clock that is set back starts a new window instead of a long wait', () => {
  const limit = new RateLimit({ max: 1, windowMs: 60_000 });
  limit.secondsToWait('a', instant(10_000_000));
  expect(limit.secondsToWait('a', instant(1_000_000))).toBe(0);
});
