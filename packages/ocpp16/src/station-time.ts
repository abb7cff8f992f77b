import { isBelievable } from '@voltdeck/charging/station-clock';
import { type Instant, minuteMs, parseIso } from '@voltdeck/units/instant';

const stationTimeCharsMax = 64;
/** A time without a zone is read as UTC or local time if one of the two is this close to now. */
export const zonelessWithinMs = 15 * minuteMs;

/** Date, time and zone; a space may replace the T. */
const written = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|[+-]\d{2}:?\d{2})?$/i;
const zones = ['Z', '+08:00'] as const;
type Zone = (typeof zones)[number];

/** Event time, or undefined when the station's clock is unusable: see `timesOf`. */
export function eventTime(value: unknown, now: Instant): Instant | undefined {
  return timesOf(now, () => [value])(value);
}

/**
 * Reads the times of one message. A time is unusable when it is months old, ahead of ours, or without a zone that can
 * be determined. `all` returns every time of the message, newest first: the first of them that is close to now in UTC
 * or in Asia/Shanghai determines the zone of those without.
 */
export function timesOf(now: Instant, all: () => readonly unknown[]): (value: unknown) => Instant | undefined {
  let zone: Zone | null | undefined;
  return (value) => {
    if (typeof value !== 'string' || value.length > stationTimeCharsMax) return undefined;
    let at = parseIso(value);
    if (at === null) {
      const [date, time, own] = partsOf(value);
      if (date === undefined) return undefined;
      if (own === undefined && zone === undefined) zone = zoneOf(all(), now);
      at = parseIso(`${date}T${time}${own ?? zone ?? ''}`);
    }
    return at === null || !isBelievable(at, now) ? undefined : at;
  };
}

function zoneOf(values: readonly unknown[], now: Instant): Zone | null {
  for (const value of values) {
    const [date, time, own] = partsOf(value);
    if (date === undefined || own !== undefined) continue;
    for (const zone of zones) {
      const at = parseIso(`${date}T${time}${zone}`);
      if (at !== null && Math.abs(now - at) <= zonelessWithinMs) return zone;
    }
  }
  return null;
}

function partsOf(value: unknown): readonly (string | undefined)[] {
  if (typeof value !== 'string' || value.length > stationTimeCharsMax) return [];
  return written.exec(value.trim())?.slice(1) ?? [];
}

/** The time as the station wrote it, for keys that identify repeated messages. Empty if there was none. */
export function stationTime(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, stationTimeCharsMax).replaceAll('\0', '').toWellFormed();
  return typeof value === 'number' ? String(value) : '';
}
