import { dayMs, type Instant, minuteMs } from '@voltdeck/units/instant';

/** How far a station's clock may run ahead of ours. */
export const clockAheadMaxMs = 10 * minuteMs;
/** Stations keep unsent messages for days, not for seasons: an older time means a clock that has lost its time. */
export const clockBehindMaxMs = 90 * dayMs;

/** Whether a message received now can be from that time. */
export function isBelievable(at: Instant, now: Instant): boolean {
  return at <= now + clockAheadMaxMs && at >= now - clockBehindMaxMs;
}
