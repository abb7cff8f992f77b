/**
 * The smallest value that this share (0..1) of the sample does not exceed, by nearest rank; NaN for an empty sample.
 */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(sample: readonly number[]): number {
  return percentile(sample, 0.5);
}

/** "1.23 (1.10 to 1.40)": the median of several runs with their range. */
export function spread(sample: readonly number[], digits = 2): string {
  return `${median(sample).toFixed(digits)} (${Math.min(...sample).toFixed(digits)} to ${Math.max(...sample).toFixed(digits)})`;
}
