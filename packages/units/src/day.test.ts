import { describe, expect, test } from 'vitest';
import { addDays, daysFromTo, firstOfMonth, lastOfMonth, monthsFromTo, weekdayOf } from './day.ts';

describe('days of the calendar', () => {
  test('days are added across the ends of months and years, and taken away', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(addDays('2026-11-21', 0)).toBe('2026-11-21');
  });

  test('the days between two of them are counted, with a sign', () => {
    expect(daysFromTo('2026-02-27', '2026-03-02')).toBe(3);
    expect(daysFromTo('2026-03-02', '2026-02-27')).toBe(-3);
  });

  test('the months between the months of two days are counted, across years and with a sign', () => {
    expect(monthsFromTo('2026-11-30', '2027-02-01')).toBe(3);
    expect(monthsFromTo('2027-02-01', '2026-11-30')).toBe(-3);
    expect(monthsFromTo('2026-11-01', '2026-11-30')).toBe(0);
  });

  test('a week begins with Monday and ends with Sunday as its seventh day', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29'].map(weekdayOf)).toEqual([1, 6, 7]);
  });

  test('a month has its first and its last day, also months later and in a leap year', () => {
    expect([firstOfMonth('2026-11-21'), firstOfMonth('2026-11-21', 2), firstOfMonth('2026-01-31', -1)]).toEqual([
      '2026-11-01',
      '2027-01-01',
      '2025-12-01',
    ]);
    expect(['2026-11-01', '2026-12-31', '2028-02-10'].map(lastOfMonth)).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2028-02-29',
    ]);
  });
});
