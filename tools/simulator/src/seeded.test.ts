import { describe, expect, test } from 'vitest';
import { seeded } from './seeded.ts';

const draw = (seed: number | string, count = 1_000) => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.next());
};

describe('seeded numbers', () => {
  test('the same seed repeats the same numbers and another seed does not', () => {
    expect(draw(7)).toEqual(draw(7));
    expect(draw('CD-001')).toEqual(draw('CD-001'));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw('CD-001')).not.toEqual(draw('CD-002'));
  });

  test('numbers fill the range evenly', () => {
    const numbers = draw(42, 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = Array.from({ length: 10 }, (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length);
    for (const tenth of tenths) expect(tenth).toBeGreaterThan(1_800);
    for (const tenth of tenths) expect(tenth).toBeLessThan(2_200);
  });

  test('a fork depends on seed and label, not on earlier draws', () => {
    const fresh = seeded(3);
    const used = seeded(3);
    used.next();
    expect(used.fork('a').next()).toBe(fresh.fork('a').next());
    expect(fresh.fork('a').next()).not.toBe(fresh.fork('b').next());
  });

  test('integers include both ends, and picking from an empty list is refused', () => {
    const random = seeded(1);
    const dice = new Set(Array.from({ length: 500 }, () => random.integer(1, 6)));
    expect([...dice].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(() => random.pick([])).toThrow(RangeError);
  });

  test('waits of a Poisson process have the mean of the rate', () => {
    const random = seeded(11);
    const waits = Array.from({ length: 20_000 }, () => random.waitFor(0.25));
    expect(waits.reduce((sum, wait) => sum + wait, 0) / waits.length).toBeCloseTo(4, 0);
    expect(random.waitFor(0)).toBe(Number.POSITIVE_INFINITY);
  });
});
