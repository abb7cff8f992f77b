import { periods } from '@voltdeck/tariffs/tariff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, cellsOfDay, coverageOf, paintedSlots } from './day-slots.ts';

const day = [
  { start: '00:00', end: '07:00', period: 'valley' },
  { start: '07:00', end: '24:00', period: 'flat' },
] as const;

test('a stretch that no slot covers and one that two cover are reported with their times', () => {
  expect(coverageOf(day)).toEqual({ gaps: [], overlaps: [] });
  const typed = [
    { start: '00:00', end: '06:00', period: 'valley' },
    { start: '07:00', end: '22:00', period: 'flat' },
    { start: '20:30', end: '24:00', period: 'peak' },
  ];
  expect(coverageOf(typed)).toMatchObject({
    gaps: [{ start: '06:00', end: '07:00' }],
    overlaps: [{ start: '20:30', end: '22:00' }],
  });
  expect(coverageOf([])).toMatchObject({ gaps: [{ start: '00:00', end: '24:00' }], overlaps: [] });
});

test('painting a range cuts the slots that it meets and joins neighbours of one period', () => {
  expect(paintedSlots(day, 20, 23, 'peak')).toEqual([
    { start: '00:00', end: '07:00', period: 'valley' },
    { start: '07:00', end: '10:00', period: 'flat' },
    { start: '10:00', end: '12:00', period: 'peak' },
    { start: '12:00', end: '24:00', period: 'flat' },
  ]);
  expect(paintedSlots(day, 15, 14, 'valley')).toEqual([
    { start: '00:00', end: '08:00', period: 'valley' },
    { start: '08:00', end: '24:00', period: 'flat' },
  ]);
  expect(paintedSlots(day, 0, 47, 'sharp')).toEqual([{ start: '00:00', end: '24:00', period: 'sharp' }]);
});

test('wiped half hours have no slot', () => {
  expect(coverageOf(paintedSlots(day, 47, 47, null)).gaps).toMatchObject([{ start: '23:30', end: '24:00' }]);
});

test('whatever is painted, the painted half hours have the period and the others keep theirs', () => {
  const index = fc.integer({ min: 0, max: cellsOfDay - 1 });
  const stroke = fc.tuple(index, index, fc.constantFrom(...periods, null));
  fc.assert(
    fc.property(fc.array(stroke, { maxLength: 12 }), (strokes) => {
      const expected: (string | null)[] = cellsOf(day).map(({ period }) => period);
      const slots = strokes.reduce(
        (painted, [from, to, period]) => {
          for (let at = Math.min(from, to); at <= Math.max(from, to); at += 1) expected[at] = period;
          return paintedSlots(painted, from, to, period);
        },
        paintedSlots(day, 0, 0, 'valley'),
      );
      const cells = cellsOf(slots);
      expect(cells.map(({ period }) => period)).toEqual(expected);
      expect(cells.some(({ isOverlapped }) => isOverlapped)).toBe(false);
      expect(slots.length).toBeLessThanOrEqual(cellsOfDay);
    }),
  );
});
