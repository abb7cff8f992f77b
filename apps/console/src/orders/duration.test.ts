import { describe, expect, test } from 'vitest';
import { chargeDurationMs, clockOf, durationParts } from './duration.ts';

describe('duration', () => {
  test('a duration counts whole minutes only, so that 59 s is zero', () => {
    expect(durationParts(59_999)).toEqual({ hours: 0, minutes: 0 });
    expect(durationParts(60_000)).toEqual({ hours: 0, minutes: 1 });
    expect(durationParts(25 * 3_600_000 + 61_000)).toEqual({ hours: 25, minutes: 1 });
  });

  test('a duration has two digits for minutes, so that columns line up', () => {
    expect(clockOf(3_900_000)).toBe('1:05');
    expect(clockOf(0)).toBe('0:00');
  });

  test('a running charge counts to now, an ended one to its end, and one that has not started has no duration', () => {
    const startedAt = '2026-11-21T07:00:00.000Z';
    const now = Date.parse('2026-11-21T08:30:00.000Z');
    expect(chargeDurationMs({ startedAt, endedAt: null }, now)).toBe(5_400_000);
    expect(chargeDurationMs({ startedAt, endedAt: '2026-11-21T07:10:00.000Z' }, now)).toBe(600_000);
    expect(chargeDurationMs({ startedAt: null, endedAt: null }, now)).toBeNull();
  });

  test('a station clock that is ahead never causes a negative duration', () => {
    expect(
      chargeDurationMs({ startedAt: '2026-11-21T07:00:05.000Z', endedAt: null }, Date.parse('2026-11-21T07:00:00Z')),
    ).toBe(0);
  });
});
