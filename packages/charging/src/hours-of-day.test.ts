import { describe, expect, test } from 'vitest';
import { hoursOfDayMax, hoursOfDayText, isWithinHours, parseHoursOfDay } from './hours-of-day.ts';

const minute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

describe('parts of the day', () => {
  test('they are read however people write them, and written in one way', () => {
    const written = '8:00-20:00，22:00～06:00; 20:30–21:15';
    expect(hoursOfDayText(parseHoursOfDay(written) ?? [])).toBe('08:00-20:00, 22:00-06:00, 20:30-21:15');
    expect(parseHoursOfDay('')).toEqual([]);
    expect(hoursOfDayText(parseHoursOfDay('18:00至24:00') ?? [])).toBe('18:00-24:00');
  });

  test('a text with one part that is none is no list of parts', () => {
    for (const text of ['8-20', '08:00', '25:00-26:00', '08:60-09:00', '24:00-06:00', '08:00-08:00', '08:00-20:00, x'])
      expect(parseHoursOfDay(text), text).toBeNull();
    expect(parseHoursOfDay(Array(hoursOfDayMax).fill('01:00-02:00').join(','))).toHaveLength(hoursOfDayMax);
    expect(
      parseHoursOfDay(
        Array(hoursOfDayMax + 1)
          .fill('01:00-02:00')
          .join(','),
      ),
    ).toBeNull();
  });

  test('a part begins with its first minute and ends before its last', () => {
    const day = parseHoursOfDay('08:00-20:00') ?? [];
    expect(['07:59', '08:00', '19:59', '20:00'].map((time) => isWithinHours(day, minute(time)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('a part that crosses midnight holds on both sides of it', () => {
    const night = parseHoursOfDay('22:00-06:00') ?? [];
    expect(['21:59', '22:00', '00:00', '05:59', '06:00'].map((time) => isWithinHours(night, minute(time)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    const evening = parseHoursOfDay('22:00-24:00') ?? [];
    expect(['23:59', '00:00'].map((time) => isWithinHours(evening, minute(time)))).toEqual([true, false]);
  });

  test('without a part every minute is within', () => {
    expect(isWithinHours([], 0)).toBe(true);
  });
});
