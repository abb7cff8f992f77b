import { dayMs, instant, shanghaiDateTime } from '@voltdeck/units/instant';

/** "11-21 22:40–23:00" in Asia/Shanghai: the day once, and twice only where a line ends on another; midnight is 24:00. */
export function spanText(from: string, to: string): string {
  const [start, end] = [shanghaiDateTime(instant(Date.parse(from))), shanghaiDateTime(instant(Date.parse(to)))];
  const dayAndTime = (text: string) => text.slice(5, 16);
  const endsWithTheDay = end.endsWith('00:00:00') && Date.parse(to) - Date.parse(from) <= dayMs;
  if (endsWithTheDay && start.slice(0, 10) !== end.slice(0, 10)) return `${dayAndTime(start)}–24:00`;
  return start.slice(0, 10) === end.slice(0, 10)
    ? `${dayAndTime(start)}–${end.slice(11, 16)}`
    : `${dayAndTime(start)}–${dayAndTime(end)}`;
}
