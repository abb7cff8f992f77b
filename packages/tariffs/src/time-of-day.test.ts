import { expect, test } from 'vitest';
import { formatTimeOfDay, minuteOf, parseTimeOfDay } from './time-of-day.ts';

test('every minute of the day is written and parsed back, and midnight at the end as 24:00', () => {
  for (let minutes = 0; minutes <= 1_440; minutes++) expect(parseTimeOfDay(formatTimeOfDay(minutes))).toBe(minutes);
  expect(formatTimeOfDay(1_440)).toBe('24:00');
});

test.each(['', '7:00', '07:60', '24:01', '25:00', '07:00:00', ' 07:00', '07：00', '-1:00'])(
  '"%s" is not a time of day',
  (text) => {
    expect(parseTimeOfDay(text)).toBeNull();
  },
);

test('a checked time is its minute of the day, and any other text is a bug', () => {
  expect(minuteOf('07:30')).toBe(450);
  expect(() => minuteOf('7:30')).toThrow(RangeError);
});
