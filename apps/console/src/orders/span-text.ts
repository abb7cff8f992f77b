import { dayMs, instant, minuteMs, shanghaiDateTime } from '@voltdeck/units/instant';

/**
 * "11-21 22:40–23:00" in Asia/Shanghai: the date appears twice only if the span ends on another day; midnight is 24:00.
 * Seconds are shown when both ends would otherwise look the same.
 */
export function spanText(from: string, to: string): string {
  const [start, end] = [shanghaiDateTime(instant(Date.parse(from))), shanghaiDateTime(instant(Date.parse(to)))];
  const isWithinMinute = Math.floor(Date.parse(from) / minuteMs) === Math.floor(Date.parse(to) / minuteMs);
  const timeEnd = isWithinMinute ? 19 : 16;
  const dayAndTime = (text: string) => text.slice(5, timeEnd);
  const endsWithTheDay = end.endsWith('00:00:00') && Date.parse(to) - Date.parse(from) <= dayMs;
  if (endsWithTheDay && start.slice(0, 10) !== end.slice(0, 10)) return `${dayAndTime(start)}–24:00`;
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${dayAndTime(start)}–${end.slice(11, timeEnd)}`
    : `${dayAndTime(start)}–${dayAndTime(end)}`;
}
