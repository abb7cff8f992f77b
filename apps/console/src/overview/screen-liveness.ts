import type { Instant } from '@voltdeck/units/instant';

/** A figure older than this is not shown as if it were of now. */
export const lateAfterMs = 30_000;

export type Heard = {
  /** When the answer came, by the page's own clock, which nobody sets; 0 for never. */
  receivedAtMs: number;
  /** How old it was then, by the server's clock. */
  ageMs: number;
};

/**
 * `none`: nothing has come yet. `gone`: the server cannot be heard. `earlier`: it can be heard again, and this is from
 * before. `old`: nothing newer has come for longer than it may take.
 */
export type Liveness = 'none' | 'live' | 'gone' | 'earlier' | 'old';

/**
 * Whether something that came may be shown as true now. `heardSinceMs` is when the connection was last restored, 0 if it
 * never broke, null while it is broken. Both and `nowMs` are of the page's own clock: a machine without a battery may
 * have its own set by hours as soon as its network is back.
 */
export function livenessOf({ receivedAtMs, ageMs }: Heard, heardSinceMs: number | null, nowMs: number): Liveness {
  if (receivedAtMs === 0) return 'none';
  if (heardSinceMs === null) return 'gone';
  if (receivedAtMs < heardSinceMs) return 'earlier';
  return nowMs - receivedAtMs + ageMs > lateAfterMs ? 'old' : 'live';
}

/** The connection as the screen tells of it: `heardSinceMs` of the page's own clock, `lostAt` of the machine's. */
export type Hearing = { heardSinceMs: number | null; lostAt: Instant | null };
export const neverLost: Hearing = { heardSinceMs: 0, lostAt: null };

/** The hearing after the event stream reports a state, at `nowMs` of the page's own clock and `now` of the machine's. */
export function hearingAfter(
  hearing: Hearing,
  state: 'connecting' | 'open' | 'lost',
  { nowMs, now }: { nowMs: number; now: Instant },
): Hearing {
  if (state === 'lost' && hearing.lostAt === null) return { heardSinceMs: null, lostAt: now };
  if (state === 'open' && hearing.lostAt !== null) return { heardSinceMs: nowMs, lostAt: null };
  return hearing;
}
