import { describe, expect, test } from 'vitest';
import { median, percentile, spread } from './spread.ts';

describe('percentiles', () => {
  test('percentiles are values of the sample, by nearest rank, in any order', () => {
    const sample = [5, 1, 4, 2, 3];
    expect([0, 0.2, 0.21, 0.5, 0.95, 1].map((share) => percentile(sample, share))).toEqual([1, 1, 2, 3, 5, 5]);
    expect(sample).toEqual([5, 1, 4, 2, 3]);
  });

  test('percentiles of one value are that value, and of none are NaN', () => {
    expect([percentile([7], 0.5), percentile([7], 0.95)]).toEqual([7, 7]);
    expect(median([])).toBeNaN();
  });

  test('one slow request in twenty does not affect the 95th percentile', () => {
    expect(percentile([...Array.from({ length: 19 }, () => 1), 100], 0.95)).toBe(1);
    expect(percentile([...Array.from({ length: 18 }, () => 1), 100, 100], 0.95)).toBe(100);
  });
});

test('a spread names the median and both ends', () => {
  expect(spread([1.2, 1, 1.5])).toBe('1.20 (1.00 to 1.50)');
});
