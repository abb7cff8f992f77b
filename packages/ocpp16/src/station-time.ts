import { dayMs, type Instant, minuteMs, parseIso } from '@voltdeck/units/instant';

/** OCPP 1.6 was published in 2015: an earlier clock has lost its time. */
const earliestMs = 16_436 * dayMs;
/** How far a station's clock may run ahead of ours before it is wrong. */
export const clockAheadMaxMs = 10 * minuteMs;
const stationTimeCharsMax = 64;

/** Event time, or undefined when the station's clock cannot be used: before 2015, ahead of ours, or without a zone. */
export function eventTime(value: unknown, now: Instant): Instant | undefined {
  if (typeof value !== 'string' || value.length > stationTimeCharsMax) return undefined;
  const at = parseIso(value);
  return at === null || at < earliestMs || at > now + clockAheadMaxMs ? undefined : at;
}

/** The time as the station wrote it, for the keys that recognise repeated messages. Empty when there was none. */
export function stationTime(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, stationTimeCharsMax).replaceAll('\0', '').toWellFormed();
  return typeof value === 'number' ? String(value) : '';
}
