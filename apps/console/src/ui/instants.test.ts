import { dayMs, hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { instantText } from './instants.ts';

const now = instant(Date.UTC(2026, 10, 21, 7, 0, 0));
const ago = (ms: number) => instantText(instant(now - ms), now);

test('a recent instant is relative, an older one is an exact Shanghai time', () => {
  expect(ago(2 * minuteMs)).toBe('2分钟前');
  expect(ago(3 * hourMs)).toBe('3小时前');
  expect(ago(2 * dayMs)).toBe('2026-11-19 15:00');
});
