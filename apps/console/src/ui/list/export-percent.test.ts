import { describe, expect, test } from 'vitest';
import { exportPercent } from './export-percent.ts';

describe('the progress of an export', () => {
  test.each([
    [0, 6_000, 0],
    [2_999, 6_000, 49],
    [6_000, 6_000, 99],
    [7_000, 6_000, 99],
    [10, null, null],
    [0, 0, null],
  ])('%j of %j rows are %j percent', (doneCount, totalCount, percent) => {
    expect(exportPercent({ doneCount, totalCount })).toBe(percent);
  });
});
