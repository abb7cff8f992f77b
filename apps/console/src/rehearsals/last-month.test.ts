import { expect, test } from 'vitest';
import { lastMonth } from './last-month.ts';

test('the last month is the calendar month before, by the days of Shanghai', () => {
  expect(lastMonth(Date.parse('2026-11-21T04:00:00Z'))).toEqual({
    from: '2026-09-30T16:00:00.000Z',
    to: '2026-10-31T16:00:00.000Z',
  });
  // Already the first of January in Shanghai.
  expect(lastMonth(Date.parse('2026-12-31T17:00:00Z'))).toEqual({
    from: '2026-11-30T16:00:00.000Z',
    to: '2026-12-31T16:00:00.000Z',
  });
});
