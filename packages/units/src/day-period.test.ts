import { expect, test } from 'vitest';
import { daysOf } from './day-period.ts';
import { instant } from './instant.ts';

const at = instant(Date.UTC(2026, 10, 21, 3));

test('without a period, the days are the last ones up to today in China', () => {
  expect(daysOf({}, at, 7)).toEqual({ fromOn: '2026-11-15', toOn: '2026-11-21' });
  expect(daysOf({}, instant(Date.UTC(2026, 10, 20, 16)), 1)).toEqual({ fromOn: '2026-11-21', toOn: '2026-11-21' });
});

test('a part of a day is the whole day in China that it lies in', () => {
  const period = { from: '2026-11-01T15:59:59.999Z', to: '2026-11-02T16:00:00.000Z' };
  expect(daysOf(period, at, 7)).toEqual({ fromOn: '2026-11-01', toOn: '2026-11-03' });
});

test('a period that only ends has so many days up to its end, and one that only begins reaches to today', () => {
  expect(daysOf({ to: '2026-11-10T00:00:00.000Z' }, at, 7)).toEqual({ fromOn: '2026-11-04', toOn: '2026-11-10' });
  expect(daysOf({ from: '2026-10-01T00:00:00.000Z' }, at, 7)).toEqual({ fromOn: '2026-10-01', toOn: '2026-11-21' });
});
