import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketErrorPercent, bucketMs, bucketOf, percentileMs } from './log-bucket.ts';

test('the middle of its bucket is within the stated error of every duration from 20 ms to a month', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 31 * 86_400_000 }), (ms) => {
      expect(Math.abs(bucketMs(bucketOf(ms)) - ms) / ms).toBeLessThanOrEqual((bucketErrorPercent + 2.5) / 100);
    }),
  );
});

test('a percentile of buckets is within the stated error of the true one, however days are put together', () => {
  const duration = fc.integer({ min: 100, max: 86_400_000 });
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1, maxLength: 300 }), fc.constantFrom(0.5, 0.99), (list, share) => {
      const counts = new Map<number, number>();
      for (const ms of list) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
      const sorted = [...list].sort((a, b) => a - b);
      const truth = sorted[Math.ceil(share * list.length) - 1] as number;
      const told = percentileMs(counts, share) as number;
      expect(Math.abs(told - truth) / truth).toBeLessThanOrEqual((bucketErrorPercent + 0.6) / 100);
    }),
  );
});

test('nothing counted has no percentile', () => {
  expect(percentileMs(new Map(), 0.99)).toBeNull();
  expect(percentileMs(new Map([[4, 0]]), 0.99)).toBeNull();
  expect(bucketOf(0)).toBe(0);
});
