import { dayMs, hourMs, type Instant, minuteMs, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { language } from '../language.ts';
import { phrase } from '../phrases.ts';

/** American English writes "1 min. ago". */
const relative = new Intl.RelativeTimeFormat(language === 'en' ? 'en-GB' : language, {
  numeric: 'always',
  style: 'short',
});

/** "2026-11-21 15:04" */
const minuteLength = 16;

/** More recent instants read better as "2 min ago". */
export const freshMs = 12 * hourMs;

/** "2 min ago" if recent, "2026-11-21 15:04" otherwise; in Asia/Shanghai. */
export function instantText(at: Instant, now: Instant): string {
  const age = now - at;
  if (Math.abs(age) < minuteMs / 2) return phrase('shell.justNow');
  if (Math.abs(age) >= freshMs) return shanghaiDateTime(at).slice(0, minuteLength);
  if (Math.abs(age) < hourMs) return relative.format(-Math.round(age / minuteMs), 'minute');
  return relative.format(-Math.round(age / hourMs), 'hour');
}

/** "2026-11-21 15:04:05" for an ISO text; null if it is not one. */
export function isoDateTime(iso: string): string | null {
  const at = parseIso(iso);
  return at === null ? null : shanghaiDateTime(at);
}

/** "14:00" of an hour of the day. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** "14:00–15:00" of an hour of the day. */
export function hourSpanText(hour: number): string {
  return `${hourText(hour)}–${hourText(hour + 1)}`;
}

/** How long until `instantText` may change, so that pages update no more often than needed. */
export function textChangesInMs(at: Instant, now: Instant): number {
  const age = Math.abs(now - at);
  if (age < hourMs) return minuteMs / 2;
  return age < freshMs ? 10 * minuteMs : dayMs;
}
