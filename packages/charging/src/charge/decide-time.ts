import { dayMs, hourMs, type Instant, minuteMs, toIso } from '@voltdeck/units/instant';
import type { ConnectorState } from '../states.ts';
import type { Charge, Flag } from './charge.ts';

/** Time limits for a charge that contradicts its station's reports. */
export const timeLimits = {
  /** A requested charge is given up when the station has not begun it within this. */
  placedMs: 5 * minuteMs,
  /**
   * The same where the station was lost meanwhile and may have begun it; its payer cannot charge elsewhere until then.
   */
  unheardStartMs: 2 * hourMs,
  /** Grace period for a queued stop, after a port became free while its order still runs and its station is online. */
  freePortMs: 5 * minuteMs,
  /** Time until a lost station with a running charge is flagged. */
  stationLostMs: 30 * minuteMs,
  /** The longest that a lost station or a silent charge blocks its card. */
  unheardMs: dayMs,
  /** Time for a missing stop to arrive; then the charge is settled at its last reading. */
  lateStopMs: dayMs,
  /** The same where the next charge already runs on the gun port, at stations that keep no records. */
  followedStopMs: 10 * minuteMs,
  /** An order that waits for a person longer than this releases its hold. */
  waitingHoldMs: 7 * dayMs,
} as const;

/** The facts of an order that no message updates. */
export type TimeKnown = {
  charge: Charge;
  now: Instant;
  station: { isOnline: boolean; onlineAt: Instant | null; offlineAt: Instant | null; namesCharges: boolean };
  port: { state: ConnectorState; stateAt: Instant | null };
  isFlaggedLost: boolean;
  /** When the order was first flagged for its missing stop. */
  stopMissedAt: Instant | null;
  /** A later charge began on the same gun port. */
  isFollowed: boolean;
};

export type TimeDecision =
  | { kind: 'nothing' }
  | { kind: 'cancel' }
  | { kind: 'await-stop'; endedAt: Instant; flag: Flag }
  | { kind: 'flag'; flag: Flag }
  /** Closed at the last plausible reading. */
  | { kind: 'settle'; flag: Flag }
  | { kind: 'release-hold' };

const nothing: TimeDecision = { kind: 'nothing' };

/** Decides what follows from silence: every order ends, or waits for a person with a reason. */
export function decideTime(known: TimeKnown): TimeDecision {
  switch (known.charge.state) {
    case 'placed':
      return placedFor(known);
    case 'charging':
      return chargingFor(known);
    case 'settling':
      return settlingFor(known);
    case 'completed':
    case 'cancelled':
      return nothing;
  }
}

/**
 * A charge with a name may have begun without our knowledge, so its order waits longer for a lost station, and as long
 * as any other once the station is back.
 */
function placedFor({ charge, now, station }: TimeKnown): TimeDecision {
  const waitedMs = now - charge.placedAt;
  if (waitedMs <= timeLimits.placedMs) return nothing;
  const isBack = station.isOnline && isOlder(station.onlineAt, timeLimits.placedMs, now);
  const isGivenUp = charge.transactionKey === null || waitedMs > timeLimits.unheardStartMs || isBack;
  return isGivenUp ? { kind: 'cancel' } : nothing;
}

function chargingFor({ charge, now, station, port, isFlaggedLost }: TimeKnown): TimeDecision {
  const endedAt = charge.lastReadingAt ?? charge.startedAt ?? now;
  const evidence = { lastReadingAt: charge.lastReadingAt === null ? null : toIso(charge.lastReadingAt) };
  // A port that was free before the charge began proves nothing, nor does one whose meter still reports the charge.
  const begunAt = charge.begunAt ?? charge.placedAt;
  const becameFree = port.state === 'free' && port.stateAt !== null && port.stateAt > begunAt;
  const isRead = charge.lastReadingAt !== null && !isOlder(charge.lastReadingAt, timeLimits.freePortMs, now);
  if (
    becameFree &&
    !isRead &&
    isOlder(port.stateAt, timeLimits.freePortMs, now) &&
    station.isOnline &&
    isOlder(station.onlineAt, timeLimits.freePortMs, now)
  ) {
    const flag: Flag = { rule: 'no_stop_received', evidence: { ...evidence, portFreeAt: toIso(now) } };
    return { kind: 'await-stop', endedAt, flag };
  }
  const lastHeardAt = Math.max(charge.lastReadingAt ?? 0, begunAt);
  if (now - lastHeardAt > timeLimits.unheardMs) {
    return { kind: 'await-stop', endedAt, flag: { rule: 'no_stop_received', evidence } };
  }
  const isLost = !station.isOnline && isOlder(station.offlineAt, timeLimits.stationLostMs, now);
  return isLost && !isFlaggedLost ? { kind: 'flag', flag: { rule: 'station_lost', evidence } } : nothing;
}

function settlingFor({ charge, now, station, stopMissedAt, isFollowed }: TimeKnown): TimeDecision {
  const endedAt = charge.endedAt ?? charge.placedAt;
  if (charge.waitsFor === 'person') {
    return charge.heldFen > 0 && now - endedAt > timeLimits.waitingHoldMs ? { kind: 'release-hold' } : nothing;
  }
  // A lost station reports long afterwards, so its stop is awaited from then on.
  const waitedMs = now - Math.max(endedAt, charge.begunAt ?? endedAt, stopMissedAt ?? endedAt);
  const waitsMs = isFollowed && !station.namesCharges ? timeLimits.followedStopMs : timeLimits.lateStopMs;
  if (waitedMs <= waitsMs) return nothing;
  const evidence = waitsMs < hourMs ? { waitedMinutes: waitsMs / minuteMs } : { waitedHours: waitsMs / hourMs };
  return { kind: 'settle', flag: { rule: 'no_stop_received', evidence } };
}

function isOlder(at: Instant | null, ms: number, now: Instant): boolean {
  return at !== null && now - at > ms;
}
