import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { riseUntil } from './spread-energy.ts';

/** The parts into which cuts at `elapsed` divide a rise. */
function partsOf(rise: number, spanMs: number, elapsed: readonly number[]): number[] {
  const cuts = [...elapsed.map((elapsedMs) => riseUntil(rise, elapsedMs, spanMs)), riseUntil(rise, spanMs, spanMs)];
  return cuts.map((cut, index) => cut - (cuts[index - 1] ?? 0));
}

test('half a watt-hour at a border goes to the part before it', () => {
  expect(partsOf(1_001, 3_600_000, [1_800_000])).toEqual([501, 500]);
});

test('thirds of 100 Wh add up to 100 Wh', () => {
  expect(partsOf(100, 3, [1, 2])).toEqual([33, 34, 33]);
});

test('a megawatt-hour over a month in thousandths is cut exactly', () => {
  expect(riseUntil(1_000_000_001, 1_339_200_000, 2_678_400_000)).toBe(500_000_001);
});

const interval = fc
  .record({
    rise: fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 1e12 })),
    spanMs: fc.integer({ min: 1, max: 31 * 86_400_000 }),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
  })
  .map(({ rise, spanMs, shares }) => ({
    rise,
    spanMs,
    borders: shares.map((share) => Math.floor(share * spanMs)).sort((a, b) => a - b),
  }));

test('the parts of a spread add up to the whole, and each is within one watt-hour of its exact share', () => {
  fc.assert(
    fc.property(interval, ({ rise, spanMs, borders }) => {
      const parts = partsOf(rise, spanMs, borders);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(rise);
      const ends = [...borders, spanMs];
      let start = 0;
      for (const [index, part] of parts.entries()) {
        const end = ends[index] ?? Number.NaN;
        // |part - rise × duration / span| <= 1, in whole numbers.
        const distance = BigInt(part) * BigInt(spanMs) - BigInt(rise) * BigInt(end - start);
        expect(part).toBeGreaterThanOrEqual(0);
        expect(distance <= BigInt(spanMs) && distance >= -BigInt(spanMs)).toBe(true);
        start = end;
      }
    }),
  );
});

test('a cut is exact to half a unit, rounded up at the half', () => {
  const cut = fc.tuple(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 2_678_400_000 }), fc.nat());
  fc.assert(
    fc.property(cut, ([rise, spanMs, seed]) => {
      const elapsedMs = seed % (spanMs + 1);
      const doubledError =
        2n * BigInt(riseUntil(rise, elapsedMs, spanMs)) * BigInt(spanMs) - 2n * BigInt(rise) * BigInt(elapsedMs);
      expect(doubledError > -BigInt(spanMs) && doubledError <= BigInt(spanMs)).toBe(true);
    }),
  );
});
