import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayMs,
  hourMs,
  instant,
  isoOrNull,
  minuteMs,
  parseIso,
  parseShanghaiDate,
  secondMs,
  shanghaiDate,
  shanghaiDateTime,
  shanghaiDayStart,
  shanghaiTimeOfDayMs,
  toIso,
} from './instant.ts';

const year0 = Date.parse('0000-01-01T00:00:00Z');
const year9999 = Date.parse('9999-12-31T15:59:59Z');
const anInstant = integer({ min: year0 + dayMs, max: year9999 }).map(instant);
/** Since then China has kept one zone. */
const since1992 = integer({ min: Date.parse('1992-01-01T00:00:00Z'), max: Date.parse('2100-01-01T00:00:00Z') }).map(
  instant,
);
const evening = instant(Date.parse('2026-11-21T15:59:59.999Z'));

/** The wall clock of Shanghai by the machine's time zone database. */
const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
});

test('units of time are multiples of each other', () => {
  expect([1_000, 60 * secondMs, 60 * minuteMs, 24 * hourMs]).toEqual([secondMs, minuteMs, hourMs, dayMs]);
});

test('an instant is a whole number of milliseconds', () => {
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => instant(value)).toThrow(RangeError);
  }
});

test('the last instants of the year 9999 in UTC are its last day', () => {
  expect(shanghaiDate(instant(year9999))).toBe('9999-12-31');
  expect(shanghaiDate(instant(Date.parse('9999-12-31T23:59:59.999Z')))).toBe('9999-12-31');
});

describe('ISO 8601', () => {
  test('an ISO 8601 text is parsed to the instant it was written from', () => {
    assert(
      property(anInstant, (at) => {
        expect(parseIso(toIso(at))).toBe(at);
      }),
    );
  });

  test('an instant is written in UTC with milliseconds', () => {
    expect(toIso(evening)).toBe('2026-11-21T15:59:59.999Z');
  });

  test.each([
    ['2026-11-21T15:59:00Z'],
    ['2026-11-21T15:59Z'],
    ['2026-11-21t15:59:00z'],
    ['2026-11-21T15:59:00.0Z'],
    ['2026-11-21T15:59:00.000999Z'],
    ['2026-11-21T23:59:00+08:00'],
    ['2026-11-21T23:59:00+0800'],
    ['2026-11-22T01:29:00.00+09:30'],
    ['2026-11-21T05:59:00-10:00'],
  ])('%s is one minute before midnight in Shanghai', (text) => {
    expect(parseIso(text)).toBe(evening - 59_999);
  });

  test('a time is accepted on exactly the days of the calendar', () => {
    for (const year of ['0000', '1900', '2000', '2024', '2026', '2100']) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const date = [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
          expect(parseIso(`${date}T12:00:00Z`) !== null, date).toBe(parseShanghaiDate(date) !== null);
        }
      }
    }
  });

  test('the end of a day may be written as 24:00', () => {
    expect(parseIso('2026-11-21T24:00:00+08:00')).toBe(evening + 1);
  });

  test.each([
    ['', 'nothing'],
    ['2026-11-21T15:59:00', 'no zone'],
    ['2026-11-21', 'no time'],
    ['2026-11-21T15Z', 'no minutes'],
    ['2026-11-21 15:59:00Z', 'a space'],
    ['2026-11-21T15:59:00.Z', 'a point and nothing after it'],
    ['2026-11-21T15:59:00+8', 'a short zone'],
    ['2026-11-21T15:59:00+08', 'a zone without minutes'],
    ['2026-11-21T15:59:00+08:000', 'a long zone'],
    ['26-11-21T15:59:00Z', 'a short year'],
    ['12026-11-21T15:59:00Z', 'a long year'],
    ['+012026-11-21T15:59:00Z', 'a signed year'],
    ['2026-1-21T15:59:00Z', 'a short month'],
    ['2026-11-1T15:59:00Z', 'a short day'],
    ['2026-11-21T5:59:00Z', 'a short hour'],
    ['2026-11-21T15:9:00Z', 'a short minute'],
    ['2026-11-21T15:59:0Z', 'a short second'],
    ['x2026-11-21T15:59:00Z', 'something before it'],
    ['2026-11-21T15:59:00Zx', 'something after it'],
    ['2026-11-21T15:59:00Z\n', 'a line end'],
    ['2026-13-01T00:00:00Z', 'a thirteenth month'],
    ['2026-00-01T00:00:00Z', 'a month zero'],
    ['2026-11-00T00:00:00Z', 'a day zero'],
    ['2026-11-31T00:00:00Z', 'a day that November has not'],
    ['2026-02-29T00:00:00Z', 'a leap day of a common year'],
    ['2026-11-21T25:00:00Z', 'a twenty-sixth hour'],
    ['2026-11-21T24:00:01Z', 'a time after the end of the day'],
    ['2026-11-21T15:60:00Z', 'a minute 60'],
    ['2026-11-21T15:59:60Z', 'a leap second'],
    ['2026-11-21T15:59:00+24:00', 'a zone of a whole day'],
  ])('"%s" is refused: %s', (text) => {
    expect(parseIso(text)).toBeNull();
  });
});

describe('the business day in Shanghai', () => {
  test('the business day agrees with the time zone database', () => {
    assert(
      property(since1992, (at) => {
        expect(shanghaiDateTime(at)).toBe(wallClock.format(at));
        expect(shanghaiDate(at)).toBe(wallClock.format(at).slice(0, 10));
      }),
    );
  });

  test('the business day begins at or before each of its instants and lasts less than 24 hours more', () => {
    assert(
      property(anInstant, (at) => {
        const timeOfDayMs = shanghaiTimeOfDayMs(at);
        expect(timeOfDayMs).toBeGreaterThanOrEqual(0);
        expect(timeOfDayMs).toBeLessThan(dayMs);
        expect(shanghaiDayStart(at) + timeOfDayMs).toBe(at);
        expect(shanghaiTimeOfDayMs(shanghaiDayStart(at))).toBe(0);
        expect(shanghaiDate(shanghaiDayStart(at))).toBe(shanghaiDate(at));
      }),
    );
  });

  test('the business day changes at 16:00 UTC', () => {
    expect(shanghaiDate(evening)).toBe('2026-11-21');
    expect(shanghaiDate(instant(evening + 1))).toBe('2026-11-22');
    expect(shanghaiTimeOfDayMs(evening)).toBe(dayMs - 1);
    expect(shanghaiTimeOfDayMs(instant(evening + 1))).toBe(0);
  });
});

describe('a date as text', () => {
  test('a date as text is midnight in Shanghai of that day', () => {
    expect(parseShanghaiDate('2026-11-22')).toBe(evening + 1);
    assert(
      property(anInstant, (at) => {
        expect(parseShanghaiDate(shanghaiDate(at))).toBe(shanghaiDayStart(at));
      }),
    );
  });

  test('only leap years have 29 February', () => {
    const years = constantFrom(1900, 2000, 2023, 2024, 2026, 2028, 2100);
    assert(
      property(years, (year) => {
        const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
        expect(parseShanghaiDate(`${year}-02-29`) !== null).toBe(isLeap);
      }),
    );
  });

  test.each([
    '',
    '2026-11-31',
    '2026-13-01',
    '2026-00-10',
    '2026-11-00',
    '2026-11-1',
    '2026-1-01',
    '26-11-21',
    '12026-11-21',
    '2026/11/21',
    ' 2026-11-21',
    '2026-11-21 ',
    '2026-11-21T00:00:00Z',
    '2026-11-211',
    '+012026-11',
  ])('"%s" is not a date', (text) => {
    expect(parseShanghaiDate(text)).toBeNull();
  });
});

test('an instant that is absent has no ISO text', () => {
  expect(isoOrNull(evening)).toBe('2026-11-21T15:59:59.999Z');
  expect(isoOrNull(null)).toBeNull();
});
