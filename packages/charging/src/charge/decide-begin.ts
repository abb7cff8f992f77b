import type { WattHours } from '@voltdeck/units/energy';
import { dayMs, hourMs, type Instant, minuteMs, toIso } from '@voltdeck/units/instant';
import type { Authorization } from '../states.ts';
import type { ChargeStarted } from '../station-event.ts';
import { isNamed, type TransactionReference } from '../transaction.ts';
import { type Charge, type Flag, isAwaitingStop } from './charge.ts';
import { authorizationAt, authorizationToBegin } from './decide-authorization.ts';

/** A charge that had a name before it began. */
export type NamedStart = ChargeStarted & { transaction: string };

export function isNamedStart(event: ChargeStarted): event is NamedStart {
  return isNameOf(event.transaction);
}

/** A name that station and server use for a charge before it begins, other than a text of zeros. */
export function isNameOf(transaction: TransactionReference | undefined): transaction is string {
  return typeof transaction === 'string' && isNamed(transaction);
}

/** The facts for a start of energy flow. */
export type BeginKnown = {
  event: ChargeStarted;
  receivedAt: Instant;
  /** The order that this start has already begun or names, cancelled ones excluded. */
  same: Charge | null;
  /** The order that waits for this start. */
  placed: Charge | null;
  /** A cancelled order with this name or token. */
  cancelled: Charge | null;
  /** The charge running on the gun port. */
  onPort: Charge | null;
  /** `bootedAt` is when it last reported its start, by our clock. */
  station: { isEnabled: boolean; bootedAt: Instant | null };
  /** A tariff was in force at the station when the charge began. */
  isPriced: boolean;
  /** The charge costs nothing, by that tariff. */
  isFree: boolean;
  /** The gun port is registered for this station. */
  isPortRegistered: boolean;
  /** Whether the event's card may charge; `accepted` where it shows none and may show one at its end. */
  authorization: Authorization;
  /** The stop arrives with it: it is a record. */
  isRecord: boolean;
};

export type BeginDecision =
  /** It has already begun. `startedAt` is a better time from a record, null where there is none. */
  | { kind: 'known'; charge: Charge; startedAt: Instant | null }
  /** It must not run: its order was cancelled. Nothing is written. */
  | { kind: 'refuse'; authorization: Authorization }
  | { kind: 'begin'; beginning: Beginning };

export type Beginning = {
  /** The order that goes from placed to charging; null for a new one. */
  placed: Charge | null;
  /** A cancelled order whose payer and tariff a new order takes over. */
  heir: Charge | null;
  /** Takes the gun port over: the former charge there waits for its stop. */
  former: Charge | null;
  authorization: Authorization;
  startedAt: Instant;
  /** Null where the station reported an impossible register. */
  meterStartWh: WattHours | null;
  /**
   * The stop has already arrived, or a newer charge runs there: it waits for its stop and does not take the gun port.
   */
  isOver: boolean;
  /** A new order holds money of its payer. */
  holds: boolean;
  flags: readonly Flag[];
};

/** Stations keep records for weeks; an older time means a lost clock. */
export const recordAgeMaxMs = 90 * dayMs;
const shanghaiOffsetMs = 8 * hourMs;
/** Further deviation allowed to a clock that is a whole zone behind. */
const zoneMarginMs = 10 * minuteMs;

/**
 * Decides what a start is: a repetition, the beginning of a waiting order, or a charge of its own. A charge always
 * becomes an order once energy flows, even of a card that may not charge (OCPP 1.6, section 4.8).
 */
export function decideBegin(known: BeginKnown): BeginDecision {
  const { event, receivedAt, same, onPort } = known;
  if (same !== null && same.state !== 'placed') {
    return { kind: 'known', charge: same, startedAt: correctedStart(same, event, receivedAt) };
  }
  const cancelled = same === null && known.placed === null ? known.cancelled : null;
  const isNamedCharge = isNamedStart(event);
  // A start reported while the charge runs has neither card nor true time yet; its record has at least one of them.
  const isLive = !known.isRecord && isNamedCharge && event.at === undefined && event.cardNumber === undefined;
  if (cancelled !== null && isLive) return { kind: 'refuse', authorization: 'blocked' };

  const isOver = known.isRecord || (onPort !== null && isOlder(event, onPort, known.station.bootedAt));
  const placed = same ?? known.placed;
  const isPriced = placed?.isPriced ?? cancelled?.isPriced ?? known.isPriced;
  const authorization = authorizationOf(known, { placed, cancelled, isPriced, isNamedCharge });
  const meterStartWh = event.meterStartWh < 0 ? null : event.meterStartWh;
  return {
    kind: 'begin',
    beginning: {
      placed,
      heir: cancelled,
      former: isOver || onPort?.id === placed?.id ? null : onPort,
      authorization,
      // A stop alone does not give the beginning, but it was requested by then.
      startedAt: (known.isRecord ? (placed ?? cancelled)?.placedAt : null) ?? event.at ?? receivedAt,
      meterStartWh,
      isOver,
      holds: placed === null && !isOver && authorization === 'accepted' && !known.isFree,
      flags: beginningFlags(known, { authorization, isPriced, placed, cancelled, meterStartWh }),
    },
  };
}

/**
 * Whether it began before the charge running on its gun port and was reported late. A new charge whose clock was set
 * back has a higher register; if the station has restarted since, the former charge may have ended with it and the
 * clock is unreliable.
 */
function isOlder(
  event: ChargeStarted,
  { startedAt, begunAt, meterStartWh }: Charge,
  bootedAt: Instant | null,
): boolean {
  if (event.at === undefined || startedAt === null) return false;
  if (isNamedStart(event)) return event.at <= startedAt;
  if (bootedAt !== null && begunAt !== null && bootedAt > begunAt) return false;
  return event.at < startedAt && (meterStartWh === null || event.meterStartWh <= meterStartWh);
}

function authorizationOf(
  { station, isFree, authorization }: BeginKnown,
  of: { placed: Charge | null; cancelled: Charge | null; isPriced: boolean; isNamedCharge: boolean },
): Authorization {
  // A charge whose order was cancelled must not go on, but its placer pays for what it delivered.
  if (of.cancelled !== null) return of.isNamedCharge ? 'accepted' : 'blocked';
  const asked = of.placed === null ? authorizationAt({ isFree }, authorization) : 'accepted';
  return authorizationToBegin({ isEnabled: station.isEnabled, isPriced: of.isPriced }, asked);
}

function beginningFlags(
  { event, receivedAt, isPortRegistered, isRecord }: BeginKnown,
  of: {
    authorization: Authorization;
    isPriced: boolean;
    placed: Charge | null;
    cancelled: Charge | null;
    meterStartWh: WattHours | null;
  },
): Flag[] {
  const flags: Flag[] = [];
  if (of.cancelled !== null) {
    const evidence = {
      transaction: event.transaction ?? event.cardNumber ?? null,
      cancelledOrder: of.cancelled.number,
    };
    flags.push({ rule: 'start_missing', evidence });
  } else if (isRecord && of.placed === null) {
    const evidence = { transaction: event.transaction ?? null, cardNumber: event.cardNumber ?? null };
    flags.push({ rule: 'start_missing', evidence });
  }
  // A charge with a name is reported again with its true time at the end.
  if (event.at === undefined && typeof event.transaction !== 'string') {
    flags.push({ rule: 'clock_wrong', evidence: { stationTime: event.stationTime, receivedAt: toIso(receivedAt) } });
  }
  if (of.meterStartWh === null) {
    flags.push({ rule: 'register_missing', evidence: { register: 'start', told: event.meterStartWh } });
  }
  if (!isPortRegistered) {
    flags.push({ rule: 'port_unregistered', evidence: { connectorNumber: event.connectorNumber } });
  }
  if (!of.isPriced) flags.push({ rule: 'price_missing', evidence: {} });
  if (of.authorization !== 'accepted') {
    const evidence = { cardNumber: event.cardNumber, authorization: of.authorization };
    flags.push({ rule: 'card_not_accepted', evidence });
  }
  return flags;
}

/**
 * The better beginning that a record gives to a charge we only heard of while it ran. Start and end come from one
 * clock: an order has both by the station's, even where that is behind ours. But a clock that is a whole zone behind is
 * set to UTC and is not used.
 */
function correctedStart(charge: Charge, event: ChargeStarted, receivedAt: Instant): Instant | null {
  const { at } = event;
  if (!isNamedStart(event) || at === undefined || at > receivedAt || at < receivedAt - recordAgeMaxMs) return null;
  if (charge.startedAt === null || at === charge.startedAt || !isAwaitingStop(charge)) return null;
  if (Math.abs(charge.startedAt - at - shanghaiOffsetMs) <= zoneMarginMs) return null;
  return at;
}

/**
 * Whether a charge with a corrected beginning takes the rule and the place of that time. A placed one keeps what was
 * agreed with its payer; one begun offline was judged by the moment in which we heard of it.
 */
export function isJudgedAnew({ wasPlaced, startedAt }: Charge, correctedAt: Instant): boolean {
  return !wasPlaced && startedAt !== null && correctedAt < startedAt;
}
