import { type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { continuesVisit, isSuccess, successLimits, visitGapMs } from './start-attempt.ts';

const noon = instant(Date.UTC(2026, 10, 2, 4));
const after = (ms: number) => instant(noon + ms);

test.each<[string, Instant | null, Instant, boolean]>([
  ['the first attempt of a person at a site begins a visit', null, noon, false],
  ['an attempt at the same moment belongs to the visit', noon, noon, true],
  ['an attempt ten minutes later still belongs to it', noon, after(visitGapMs), true],
  ['an attempt a moment after that begins another visit', noon, after(visitGapMs + 1), false],
  ['an attempt told late, before the last one, begins its own', after(1), noon, false],
])('%s', (_, previousAt, at, expected) => {
  expect(continuesVisit(previousAt, at)).toBe(expected);
});

test.each([
  ['more than 0.2 kWh in more than two minutes is a success', 201, 2 * minuteMs + 1, true],
  ['exactly 0.2 kWh is none', successLimits.energyWh, 60 * minuteMs, false],
  ['exactly two minutes are none', 5_000, successLimits.durationMs, false],
])('%s', (_, energyWh, durationMs, expected) => {
  expect(isSuccess({ energyWh, startedAt: noon, endedAt: after(durationMs) })).toBe(expected);
});

test('a charge without a known beginning is no success', () => {
  expect(isSuccess({ energyWh: 5_000, startedAt: null, endedAt: noon })).toBe(false);
  expect(isSuccess({ energyWh: 5_000, startedAt: noon, endedAt: null })).toBe(false);
});
