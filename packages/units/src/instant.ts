import { exactInteger, type Quantity } from './quantity.ts';

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Quantity<'ms since 1970'>;

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** China has kept one zone, UTC+8 without summer time, since 1991 (IANA tz database, Asia/Shanghai). */
const shanghaiOffsetMs = 8 * hourMs;

/** @throws RangeError unless `value` is a safe integer. */
export function instant(value: number): Instant {
  return exactInteger(value, 'ms since 1970');
}

/** ISO 8601 in UTC with milliseconds, as the API and OCPP carry it. */
export function toIso(at: Instant): string {
  return new Date(at).toISOString();
}

/** ISO 8601 in UTC; null for what has no time. */
export function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : toIso(at);
}

/**
 * Parses ISO 8601 with a zone; null when it is invalid or names a day that no calendar has. A time without a zone is
 * ambiguous and refused.
 */
export function parseIso(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i.test(text)) return null;
  if (!isInMonth(text.slice(0, 10))) return null;
  const value = Date.parse(text);
  return Number.isNaN(value) ? null : instant(value);
}

/**
 * `Date.parse` takes 30 February for 2 March. Every meter value has a time, so days that every month has skip the
 * check.
 */
function isInMonth(date: string): boolean {
  const day = date.slice(8);
  return day <= '28' || new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
}

/** Milliseconds since midnight in Asia/Shanghai, 0 to 86,399,999. */
export function shanghaiTimeOfDayMs(at: Instant): number {
  return (((at + shanghaiOffsetMs) % dayMs) + dayMs) % dayMs;
}

/** The instant at which the Asia/Shanghai day of `at` began. */
export function shanghaiDayStart(at: Instant): Instant {
  return instant(at - shanghaiTimeOfDayMs(at));
}

/** The last day that its four digits can name. */
const lastDayMs = Date.UTC(9999, 11, 31);

/** "2026-11-21": the business day in Asia/Shanghai; 9999-12-31 for the last hours of that year in UTC. */
export function shanghaiDate(at: Instant): string {
  return new Date(Math.min(at + shanghaiOffsetMs, lastDayMs)).toISOString().slice(0, 10);
}

/** "2026-11-21 15:04:05" in Asia/Shanghai. */
export function shanghaiDateTime(at: Instant): string {
  return new Date(at + shanghaiOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Midnight in Asia/Shanghai of a date like "2026-11-21"; null when it is not a date. */
export function parseShanghaiDate(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const value = Date.parse(`${text}T00:00:00+08:00`);
  return Number.isNaN(value) || shanghaiDate(instant(value)) !== text ? null : instant(value);
}
