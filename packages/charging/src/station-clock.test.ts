import { dayMs, hourMs, instant, minuteMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { isBelievable } from './station-clock.ts';

const now = instant(Date.parse('2026-11-22T12:00:00+08:00'));

test.each([
  ['now', 0, true],
  ['ten minutes ahead, as clocks run', 10 * minuteMs, true],
  ['further ahead', 10 * minuteMs + 1, false],
  ['a zone ahead', 8 * hourMs, false],
  ['a zone behind', -8 * hourMs, true],
  ['90 days ago, told by a record that was kept', -90 * dayMs, true],
  ['longer ago', -90 * dayMs - 1, false],
  ['in 1970', -now, false],
])("a station's time is believed from 90 days behind to ten minutes ahead: %s", (_title, ms, isBelieved) => {
  expect(isBelievable(instant(now + ms), now)).toBe(isBelieved);
});
