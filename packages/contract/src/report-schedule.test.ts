import { type Instant, instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { nextDueAt, type ReportSchedule, reportPeriod } from './report-schedule.ts';

const china = (text: string) => instant(Date.parse(`${text.replace(' ', 'T')}:00+08:00`));
const daily: ReportSchedule = { every: 'day', weekday: null, monthDay: null, hour: 8 };
const weekly: ReportSchedule = { every: 'week', weekday: 1, monthDay: null, hour: 0 };
const monthly = (monthDay: number): ReportSchedule => ({ every: 'month', weekday: null, monthDay, hour: 23 });

/** The next times that a schedule is due, as they stand on a clock in China. */
function dueAfter(schedule: ReportSchedule, after: string, count: number): string[] {
  let at: Instant = china(after);
  return Array.from({ length: count }, () => {
    at = nextDueAt(schedule, at);
    return shanghaiDateTime(at).slice(0, 16);
  });
}

test('a daily report is due at its hour in China every day, the whole year round', () => {
  expect(dueAfter(daily, '2026-12-31 07:59', 3)).toEqual(['2026-12-31 08:00', '2027-01-01 08:00', '2027-01-02 08:00']);
  expect(dueAfter(daily, '2026-12-31 08:00', 1)).toEqual(['2027-01-01 08:00']);
  const year = dueAfter(daily, '2026-01-01 00:00', 365);
  expect(new Set(year).size).toBe(365);
  expect(year.every((at) => at.endsWith(' 08:00'))).toBe(true);
});

test('a weekly report is due on its weekday, across the end of a year', () => {
  expect(dueAfter(weekly, '2026-12-27 23:59', 2)).toEqual(['2026-12-28 00:00', '2027-01-04 00:00']);
  expect(dueAfter({ ...weekly, weekday: 7 }, '2026-12-27 00:00', 1)).toEqual(['2027-01-03 00:00']);
});

test('a monthly report of a day that a month lacks is due on its last day', () => {
  expect(dueAfter(monthly(31), '2027-01-31 22:00', 5)).toEqual([
    '2027-01-31 23:00',
    '2027-02-28 23:00',
    '2027-03-31 23:00',
    '2027-04-30 23:00',
    '2027-05-31 23:00',
  ]);
  expect(dueAfter(monthly(30), '2028-02-01 00:00', 1)).toEqual(['2028-02-29 23:00']);
  expect(dueAfter(monthly(1), '2026-12-01 23:00', 1)).toEqual(['2027-01-01 23:00']);
});

test('a report is about the whole day, week or month before', () => {
  expect(reportPeriod(daily, china('2027-01-01 00:00'))).toEqual({ from: '2026-12-31', to: '2026-12-31' });
  // Sunday still belongs to the week that began on Monday.
  expect(reportPeriod(weekly, china('2027-01-03 23:59'))).toEqual({ from: '2026-12-21', to: '2026-12-27' });
  expect(reportPeriod(weekly, china('2027-01-04 00:00'))).toEqual({ from: '2026-12-28', to: '2027-01-03' });
  expect(reportPeriod(monthly(5), china('2027-01-05 23:00'))).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  expect(reportPeriod(monthly(5), china('2028-03-31 23:00'))).toEqual({ from: '2028-02-01', to: '2028-02-29' });
});
