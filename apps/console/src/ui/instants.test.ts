import { dayMs, hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { hourSpanText, hourText, instantText } from './instants.ts';

const now = instant(Date.UTC(2026, 10, 21, 7, 0, 0));
const ago = (ms: number) => instantText(instant(now - ms), now);

test('a recent instant is relative, an older one is an exact Shanghai time', () => {
  expect(ago(2 * minuteMs)).toBe('2分钟前');
  expect(ago(3 * hourMs)).toBe('3小时前');
  expect(ago(2 * dayMs)).toBe('2026-11-19 15:00');
});

test('an hour of the day is written by its beginning, or from it to its end', () => {
  expect([hourText(7), hourSpanText(7), hourSpanText(23)]).toEqual(['07:00', '07:00–08:00', '23:00–24:00']);
});
