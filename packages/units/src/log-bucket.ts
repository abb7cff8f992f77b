/** Buckets a doubling. A share that is read from buckets is at most 9.1 % (2^(1/8) − 1) from the true one. */
const bucketsPerDoubling = 4;

/** Half of a bucket’s width as a share of the value: how far a percentile read from buckets may be off, in percent. */
export const bucketErrorPercent = 9.1;

/** The bucket of a duration in whole milliseconds; 0 and 1 ms share the first. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : Math.floor(bucketsPerDoubling * Math.log2(ms));
}

/** The middle of a bucket, in whole milliseconds. */
export function bucketMs(bucket: number): number {
  return Math.round(2 ** ((bucket + 0.5) / bucketsPerDoubling));
}

/**
 * The value below which `share` (0 to 1) of the counted durations lie, within `bucketErrorPercent`; null without any.
 * Buckets add up over days, which percentiles do not.
 */
export function percentileMs(counts: ReadonlyMap<number, number>, share: number): number | null {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed >= share * total) return bucketMs(bucket);
  }
  return null;
}
