import { expect, test } from 'vitest';
import { weekdayOfDay, weekdayText } from './weekday.ts';

test('the days of the week are named from Monday to Sunday, short or in full', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((weekday) => weekdayText(weekday)).join(' ')).toBe(
    '周一 周二 周三 周四 周五 周六 周日',
  );
  expect([weekdayText(1, 'long'), weekdayText(7, 'long')]).toEqual(['星期一', '星期日']);
});

test('a day has the name of its weekday', () => {
  expect([weekdayOfDay('2026-11-29'), weekdayOfDay('2026-11-30')]).toEqual(['周日', '周一']);
});
