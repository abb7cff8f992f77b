import { expect, test } from 'vitest';
import { type LabelFormat, labelFormats, labelPlace, pagesOf } from './label-formats.ts';

const formats = Object.keys(labelFormats) as LabelFormat[];

test.each(formats)(
  'the labels of %s fit on their page, and each code fits on its label and can be scanned',
  (format) => {
    const { page, columns, rows, margin } = labelFormats[format];
    const { labelWidth, labelHeight, code } = labelPlace(format, 1);
    expect(columns * labelWidth + 2 * margin.x).toBeLessThanOrEqual(page.width);
    expect(rows * labelHeight + 2 * margin.y).toBeLessThanOrEqual(page.height);
    expect(code).toBeLessThan(Math.min(labelWidth, labelHeight));
    expect(code).toBeGreaterThanOrEqual(30);
  },
);

test('a sheet has as many pages as its labels need', () => {
  expect(labelPlace('a4-3x8', 24).pageCount).toBe(1);
  expect(labelPlace('a4-3x8', 25).pageCount).toBe(2);
  expect(
    pagesOf(
      'a4-3x8',
      Array.from({ length: 25 }, (_, index) => index),
    ).map(({ length }) => length),
  ).toEqual([24, 1]);
  expect(pagesOf('50x70', [1, 2, 3])).toEqual([[1], [2], [3]]);
});
