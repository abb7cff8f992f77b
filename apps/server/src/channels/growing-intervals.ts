import { hourMs, type Instant, instant, secondMs } from '@voltdeck/units/instant';

export const lookIntervals = { firstMs: 15 * secondMs, lastMs: hourMs } as const;

/**
 * When to ask again about something whose outcome has been open `since`: after half as long as it has been open, so that
 * most are found out within seconds and the rest cost little.
 */
export function nextLookAt({ since, at }: { since: Instant; at: Instant }): Instant {
  const openMs = Math.max(0, at - since);
  return instant(at + Math.min(lookIntervals.lastMs, Math.max(lookIntervals.firstMs, Math.floor(openMs / 2))));
}
