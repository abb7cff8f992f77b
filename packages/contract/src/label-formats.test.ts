import { expect, test } from 'vitest';
import { labelCorner, labelFormatNames, labelFormats, labelPlace } from './label-formats.ts';

test.each(labelFormatNames)(
  'the labels of %s fit on their page, and each code fits on its label beside its text and can be scanned',
  (format) => {
    const { page } = labelFormats[format];
    const { labelWidth, labelHeight, labelsPerPage, code, text, isUpright } = labelPlace(format, 1);
    const last = labelCorner(format, labelsPerPage - 1);
    expect(last.x + labelWidth).toBeLessThanOrEqual(page.width);
    expect(last.y + labelHeight).toBeLessThanOrEqual(page.height);
    for (const box of [code, text]) {
      expect(Math.min(box.x, box.y)).toBeGreaterThan(0);
      expect(box.x + box.width).toBeLessThan(labelWidth);
      expect(box.y + box.height).toBeLessThan(labelHeight);
    }
    expect(code.width).toBeGreaterThanOrEqual(30);
    expect(isUpright ? text.y - code.y : text.x - code.x).toBeGreaterThanOrEqual(code.width);
  },
);

test('a sheet has as many pages as its labels need', () => {
  expect(labelPlace('a4-3x8', 24).pageCount).toBe(1);
  expect(labelPlace('a4-3x8', 25).pageCount).toBe(2);
  expect(labelPlace('50x70', 3).pageCount).toBe(3);
});

test('labels fill a page line by line', () => {
  expect([0, 1, 2, 3].map((index) => labelCorner('a4-3x8', index))).toEqual([
    { x: 0, y: 0 },
    { x: 70, y: 0 },
    { x: 140, y: 0 },
    { x: 0, y: 37.125 },
  ]);
});
