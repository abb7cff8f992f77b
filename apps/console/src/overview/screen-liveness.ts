/** A figure older than this is not shown as if it were of now. */
export const lateAfterMs = 30_000;

export type Heard = {
  /** When the answer came, by this machine's clock; 0 for never. */
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
 * never broke, null while it is broken.
 */
export function livenessOf({ receivedAtMs, ageMs }: Heard, heardSinceMs: number | null, nowMs: number): Liveness {
  if (receivedAtMs === 0) return 'none';
  if (heardSinceMs === null) return 'gone';
  if (receivedAtMs < heardSinceMs) return 'earlier';
  // A clock that was set back makes an answer come from the future; then its age is unknown.
  const elapsedMs = nowMs - receivedAtMs;
  return elapsedMs < -lateAfterMs || elapsedMs + ageMs > lateAfterMs ? 'old' : 'live';
}

/** The connection as the screen tells of it. */
export type Hearing = { heardSinceMs: number | null; lostAtMs: number | null };
export const neverLost: Hearing = { heardSinceMs: 0, lostAtMs: null };

/** The hearing after the event stream reports a state. */
export function hearingAfter(hearing: Hearing, state: 'connecting' | 'open' | 'lost', nowMs: number): Hearing {
  if (state === 'lost' && hearing.lostAtMs === null) return { heardSinceMs: null, lostAtMs: nowMs };
  if (state === 'open' && hearing.lostAtMs !== null) return { heardSinceMs: nowMs, lostAtMs: null };
  return hearing;
}
