/** Times as the protocol writes them: Asia/Shanghai, to the second. */
import {
  dayMs,
  hourMs,
  type Instant,
  instant,
  minuteMs,
  parseShanghaiDate,
  secondMs,
  shanghaiDateTime,
} from '@voltdeck/units/instant';

/** "2026-11-21 15:04:05"; null for what no clock shows, and for years before 1970. */
export function readDateTime(text: string): Instant | null {
  return dateTimeForm.test(text)
    ? instantOf(text.slice(0, 10), text.slice(11, 13), text.slice(14, 16), text.slice(17))
    : null;
}

const dateTimeForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** "20261121150405", the TimeStamp of an envelope. */
export function readTimeStamp(text: string): Instant | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '', minute = '', second = ''] = match;
  return instantOf(`${year}-${month}-${day}`, hour, minute, second);
}

function instantOf(date: string, hour: string, minute: string, second: string): Instant | null {
  const midnight = date < '1970-01-02' ? null : parseShanghaiDate(date);
  if (midnight === null || hour > '23' || minute > '59' || second > '59') return null;
  return instant(midnight + Number(hour) * hourMs + Number(minute) * minuteMs + Number(second) * secondMs);
}

export const writeDateTime = shanghaiDateTime;

export function writeTimeStamp(at: Instant): string {
  return shanghaiDateTime(at).replaceAll(/\D/g, '');
}

/** "HHmmss" as seconds since midnight; null for what no clock shows. */
export function readTimeOfDay(text: string): number | null {
  if (!/^\d{6}$/.test(text)) return null;
  const [hour, minute, second] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)];
  if (hour > '23' || minute > '59' || second > '59') return null;
  return Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
}

export const secondOfDayMax = dayMs / secondMs - 1;

export function writeTimeOfDay(secondOfDay: number): string {
  const parts = [Math.floor(secondOfDay / 3_600), Math.floor(secondOfDay / 60) % 60, secondOfDay % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join('');
}
