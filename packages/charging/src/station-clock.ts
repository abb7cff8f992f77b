import { dayMs, type Instant, minuteMs } from '@voltdeck/units/instant';

/** How far a station's clock may run ahead of ours before it is wrong. */
export const clockAheadMaxMs = 10 * minuteMs;
/** Stations keep what they could not send for days, not for seasons: an older time is of a clock that has lost its time. */
export const clockBehindMaxMs = 90 * dayMs;

/** Whether something that a station tells now can have happened then. */
export function isBelievable(at: Instant, now: Instant): boolean {
  return at <= now + clockAheadMaxMs && at >= now - clockBehindMaxMs;
}
