import { dayMs, hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lookBack } from './look-back.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Row = { at: Instant; id: number };

/** Reads rows of a list as the log would, with a simulated duration. */
async function look(
  rows: readonly Row[],
  span: { from: Instant; limit: number },
  takesMs: (lengthMs: number) => number,
) {
  const stretches: number[] = [];
  const found: Row[] = [];
  let largest = 0;
  const newestFirst = rows.toSorted((one, other) => other.at - one.at || other.id - one.id);
  for await (const batch of lookBack({ ...span, until: now, before: null }, async ({ start, end, before, limit }) => {
    stretches.push(end - start);
    vi.advanceTimersByTime(takesMs(end - start));
    const isBehind = (row: Row) =>
      before === null || row.at < before.at || (row.at === before.at && row.id < before.id);
    const found = newestFirst.filter((row) => row.at >= start && row.at < end && isBehind(row)).slice(0, limit);
    return { rows: found, isCut: found.length >= limit };
  })) {
    found.push(...batch.rows);
    largest = Math.max(largest, batch.rows.length);
  }
  return { found, stretches, largest, newestFirst };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

const every = (stepMs: number, count: number): Row[] =>
  Array.from({ length: count }, (_, id) => ({ at: instant(now - 1 - id * stepMs), id }));

describe('looking back through the log', () => {
  test('looking back finds every row once, newest first, over any gaps', async () => {
    for (const stepMs of [0, 1, 777, 13 * hourMs]) {
      const rows = every(stepMs, 50);
      const { found, newestFirst, largest } = await look(rows, { from: instant(now - 31 * dayMs), limit: 7 }, () => 1);
      expect(found).toEqual(newestFirst);
      expect(largest).toBeLessThanOrEqual(7);
    }
  });

  test('looking back needs few reads where there is little', async () => {
    const { stretches } = await look([], { from: instant(now - 32 * dayMs), limit: 50 }, () => 1);
    expect(stretches.length).toBeLessThan(25);
    expect(sumOf(stretches)).toBe(32 * dayMs);
  });

  test('looking back reads shorter stretches where reading is slow', async () => {
    // Quick for six hours, then a second of reading per ten seconds of log.
    const quietMs = 6 * hourMs;
    let readMs = 0;
    const { stretches } = await look([], { from: instant(now - dayMs), limit: 50 }, (lengthMs) => {
      readMs += lengthMs;
      return readMs <= quietMs ? 1 : lengthMs / 10;
    });
    expect(Math.max(...stretches)).toBeGreaterThan(hourMs);
    expect(Math.max(...stretches.slice(-100))).toBeLessThanOrEqual(10_000);
    expect(sumOf(stretches)).toBe(dayMs);
  });

  test('looking back shortens a stretch whose statement timed out, and fails where it cannot', async () => {
    const outOfTime = (longestMs: number) => (lengthMs: number) => {
      if (lengthMs > longestMs) throw Object.assign(new Error('canceling statement'), { code: '57014' });
      return 1;
    };
    const rows = every(hourMs, 40);
    const span = { from: instant(now - 3 * dayMs), limit: 50 };
    const { found, newestFirst } = await look(rows, span, outOfTime(2 * hourMs));
    expect(found).toEqual(newestFirst);
    await expect(look(rows, span, outOfTime(0))).rejects.toThrow('canceling statement');
  });

  test('looking back reads no more of a dense log than it returns', async () => {
    const rows = every(2, 5_000);
    const { stretches, found } = await look(rows, { from: instant(now - hourMs), limit: 100 }, () => 1);
    expect(found).toHaveLength(5_000);
    // A hundred rows lie in 200 ms; after the first, no stretch is longer than the minimum.
    expect(stretches.slice(1, 40).every((length) => length <= 1_000)).toBe(true);
  });
});
