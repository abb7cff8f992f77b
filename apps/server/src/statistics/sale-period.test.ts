import { type Instant, instant, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { periodBefore, periodOf } from './sale-period.ts';

const moment = (text: string) => parseIso(`${text.replace(' ', 'T')}+08:00`) as Instant;
const later = moment('2030-01-01 00:00:00');

/** What a period of whole days in China is compared with, as times in China. */
function before(from: string, to: string, by: 'span' | 'month', at: Instant = later): string[] {
  const { from: first, until } = periodBefore(periodOf({ from, to }, at, 1), at, by);
  return [first, instant(until - 1)].map((each) => shanghaiDateTime(each).slice(0, 16));
}

test('a calendar month is compared with the whole calendar month before, whatever its length', () => {
  expect(before('2028-03-01', '2028-03-31', 'month')).toEqual(['2028-02-01 00:00', '2028-02-29 23:59']);
  expect(before('2028-02-01', '2028-02-29', 'month')).toEqual(['2028-01-01 00:00', '2028-01-31 23:59']);
  expect(before('2028-01-01', '2028-01-31', 'month')).toEqual(['2027-12-01 00:00', '2027-12-31 23:59']);
  expect(before('2028-01-01', '2028-03-31', 'month')).toEqual(['2027-10-01 00:00', '2027-12-31 23:59']);
});

test('a month that runs is compared with the same days of the month before, up to the same time', () => {
  const so = (at: string) => before('2028-03-01', at.slice(0, 10), 'month', moment(at));
  expect(so('2028-03-07 14:00:00')).toEqual(['2028-02-01 00:00', '2028-02-07 13:59']);
  expect(so('2028-03-01 00:30:00')).toEqual(['2028-02-01 00:00', '2028-02-01 00:29']);
  // The month before has no such day.
  expect(so('2028-03-30 14:00:00')).toEqual(['2028-02-01 00:00', '2028-02-29 23:59']);
  expect(before('2028-03-05', '2028-03-10', 'month')).toEqual(['2028-02-05 00:00', '2028-02-10 23:59']);
});

test('days at the end of a month are compared with the same days of the month before, not with its end', () => {
  expect(before('2027-02-28', '2027-02-28', 'month')).toEqual(['2027-01-28 00:00', '2027-01-28 23:59']);
  expect(before('2026-11-30', '2026-11-30', 'month')).toEqual(['2026-10-30 00:00', '2026-10-30 23:59']);
  expect(before('2027-02-15', '2027-02-28', 'month')).toEqual(['2027-01-15 00:00', '2027-01-28 23:59']);
});

test('other periods are compared with the equal time before them', () => {
  expect(before('2028-03-01', '2028-03-31', 'span')).toEqual(['2028-01-30 00:00', '2028-02-29 23:59']);
  expect(before('2028-03-07', '2028-03-07', 'span', moment('2028-03-07 14:00:00'))).toEqual([
    '2028-03-06 00:00',
    '2028-03-06 13:59',
  ]);
});
