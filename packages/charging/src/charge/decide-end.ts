import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import type { Authorization } from '../states.ts';
import type { ChargeStopped } from '../station-event.ts';
import { type Charge, type ChargeEnd, type Flag, isAwaitingStop, lacksPayer } from './charge.ts';
import { isNameOf } from './decide-begin.ts';
import { plausibilityLimits } from './plausibility.ts';

/** The facts for the end of a charge. */
export type EndKnown = {
  event: ChargeStopped;
  receivedAt: Instant;
  /**
   * The order that the stop names, under which it was parked, or the only one it can mean. Cancelled ones are excluded,
   * unless a person dismissed the charge.
   */
  charge: Charge | null;
  /** The station reported energy of it while it ran. */
  hasEnergy: boolean;
  /** Whether the event's card may charge; null where it shows none. */
  authorization: Authorization | null;
  /** The event's card has been replaced, and was so or reported lost when the charge began. */
  isReplaced: boolean;
};

export type EndDecision =
  /** The charge is unknown, and nothing was charged. */
  | { kind: 'nothing' }
  /** It has already ended: nothing is billed again. `flags` show where this stop differs from what was billed. */
  | { kind: 'repeated'; charge: Charge; keepsRecord: boolean; flags: readonly Flag[] }
  /** It never really began: its hold is released. */
  | { kind: 'cancel'; charge: Charge }
  /** The charge is unknown: it becomes an order that waits for a person. */
  | { kind: 'park'; flags: readonly Flag[] }
  /** A record of a charge that has not begun for us yet begins and ends it. */
  | { kind: 'begin-first' }
  /** Only the stop's card identifies the payer. */
  | {
      kind: 'settle';
      charge: Charge;
      /** When it began by the clock of its end; null to keep what is known. */
      startedAt: Instant | null;
      end: ChargeEnd;
      claimsPayer: boolean;
      flags: readonly Flag[];
      /** Why a person has to look at it, whatever its figures. */
      doubt: Flag | null;
    };

/**
 * Decides what a stop ends. A repeated one ends nothing; a record of a failed start releases the hold; a stop without a
 * matching charge is kept for a person.
 */
export function decideEnd(known: EndKnown): EndDecision {
  const { event, receivedAt, charge } = known;
  if (event.unreadable !== undefined) return decideUnreadable(known, event.unreadable);
  const isNamedCharge = isNameOf(event.transaction);
  const isEmpty = event.meterStopWh !== undefined && event.meterStopWh <= 0;
  if (charge === null) {
    if (isNamedCharge) return isEmpty ? { kind: 'nothing' } : { kind: 'begin-first' };
    return { kind: 'park', flags: parkedFlags(event, receivedAt) };
  }
  if (charge.state !== 'placed' && !isAwaitingStop(charge)) return repeated(charge, event);
  const neverBegan = charge.state === 'placed' || event.failedToStart === true;
  if (isNamedCharge && isEmpty && neverBegan && !known.hasEnergy) return { kind: 'cancel', charge };
  if (charge.state === 'placed') return { kind: 'begin-first' };
  const isUnclaimed = isNamedCharge && lacksPayer(charge);
  const ownTimes = ownTimesOf(event, charge, receivedAt);
  return {
    kind: 'settle',
    charge,
    startedAt: ownTimes?.startedAt ?? null,
    end: endOf(event, charge, receivedAt, ownTimes),
    claimsPayer:
      isUnclaimed &&
      (known.isReplaced || (known.authorization !== null && payingAuthorizations.has(known.authorization))),
    flags: [...(isUnclaimed ? payerFlags(known) : []), ...clockFlags(event, charge, receivedAt, ownTimes)],
    // Its successor is known to be the payer, but who showed the old card is not.
    doubt: isUnclaimed && known.isReplaced ? unaskedFlag(event) : null,
  };
}

function unaskedFlag({ cardNumber }: ChargeStopped): Flag {
  return { rule: 'record_unasked', evidence: { cardNumber: cardNumber ?? null, because: 'card_not_accepted' } };
}

/** Nothing better may arrive, so a person settles it by its readings. */
function decideUnreadable(
  { event, receivedAt, charge }: EndKnown,
  told: NonNullable<ChargeStopped['unreadable']>,
): EndDecision {
  const doubt: Flag = { rule: 'message_failed', evidence: { ...told, receivedAt: toIso(receivedAt) } };
  if (charge === null) return { kind: 'park', flags: [doubt] };
  if (charge.state === 'placed') return { kind: 'begin-first' };
  if (!isAwaitingStop(charge)) return { kind: 'repeated', charge, keepsRecord: false, flags: [] };
  const end = endOf(event, charge, receivedAt, null);
  return { kind: 'settle', charge, startedAt: null, end, claimsPayer: false, flags: [], doubt };
}

/** A card reported lost pays for nothing; one that is charging again, or has spent its money, still pays. */
const payingAuthorizations: ReadonlySet<Authorization> = new Set(['accepted', 'already_charging', 'no_balance']);

/** A late stop of a charge that was closed without it: it is stored, and flagged when it differs. */
function repeated(charge: Charge, event: ChargeStopped): EndDecision {
  const { bill, meterStopWh } = event;
  const { meterStartWh } = charge;
  const keepsRecord = bill !== undefined && !charge.hasStationBill;
  // Without a register at the start, the energy of this one is unknown.
  if (charge.state !== 'completed' || meterStopWh === undefined || meterStartWh === null) {
    return { kind: 'repeated', charge, keepsRecord, flags: [] };
  }
  const energyWh = Math.max(0, meterStopWh - meterStartWh);
  if (energyWh === charge.energyWh) return { kind: 'repeated', charge, keepsRecord, flags: [] };
  const flags: Flag[] = [];
  // A repeated record raises the same flag, which an order has only once.
  if (bill !== undefined) {
    const evidence = {
      stationAmountE4: bill.amountE4,
      stationFen: Math.round(bill.amountE4 / 100),
      oursFen: charge.amountFen,
      energyWh,
      billedWh: charge.energyWh,
    };
    flags.push({ rule: 'amount_differs', evidence });
  } else {
    const evidence = {
      energyWh,
      billedWh: charge.energyWh,
      meterStopWh,
      at: event.at === undefined ? null : toIso(event.at),
    };
    flags.push({ rule: 'stop_differs', evidence });
  }
  return { kind: 'repeated', charge, keepsRecord, flags };
}

/**
 * The card in the record of an offline charge identifies its payer. Energy without a payer is for a person to look
 * into.
 */
function payerFlags({ event, authorization }: EndKnown): Flag[] {
  if (event.cardNumber !== undefined && authorization === 'accepted') return [];
  const evidence = { cardNumber: event.cardNumber ?? null, authorization: authorization ?? 'unknown' };
  return [{ rule: 'card_not_accepted', evidence }];
}

/**
 * Both ends by the station's own clock, where its record lies before everything we know of the charge, since the record
 * gives its duration. A clock that forgot its zone (UTC for Asia/Shanghai) is corrected, where both ends then fit.
 */
function ownTimesOf({ at, startedAt }: ChargeStopped, charge: Charge, receivedAt: Instant): OwnTimes | null {
  if (at === undefined || startedAt === undefined || charge.startedAt === null || at < startedAt) return null;
  // The end of a charge longer than the zone's offset lies after its start all the same.
  const isStartZoneBehind = Math.abs(charge.startedAt - startedAt - shanghaiOffsetMs) <= clockSlackMs;
  if (at >= charge.startedAt && !isStartZoneBehind) return null;
  const isZoneBehind =
    startedAt + shanghaiOffsetMs >= charge.placedAt - clockSlackMs &&
    at + shanghaiOffsetMs <= receivedAt + clockSlackMs;
  const shiftMs = isZoneBehind ? shanghaiOffsetMs : 0;
  return { startedAt: instant(startedAt + shiftMs), endedAt: instant(at + shiftMs) };
}

type OwnTimes = { startedAt: Instant; endedAt: Instant };
const shanghaiOffsetMs = 8 * hourMs;
const { clockSlackMs } = plausibilityLimits;

/** Without a usable clock the end is when we received it, but never before the last reading. */
function endOf(event: ChargeStopped, charge: Charge, receivedAt: Instant, ownTimes: OwnTimes | null): ChargeEnd {
  const heardAt = instant(Math.max(receivedAt, charge.lastReadingAt ?? receivedAt));
  const { at = heardAt, reason } = event;
  const isBefore = charge.startedAt !== null && at < charge.startedAt;
  return {
    endedAt: ownTimes?.endedAt ?? (isBefore ? (charge.lastReadingAt ?? receivedAt) : at),
    meterStopWh: event.meterStopWh ?? null,
    reason,
  };
}

function clockFlags(event: ChargeStopped, charge: Charge, receivedAt: Instant, ownTimes: OwnTimes | null): Flag[] {
  const isBefore = event.at !== undefined && charge.startedAt !== null && event.at < charge.startedAt;
  if (event.at !== undefined && !isBefore && ownTimes === null) return [];
  const evidence = {
    stationTime: event.stationTime,
    receivedAt: toIso(receivedAt),
    ...(isBefore && { startedAt: toIso(charge.startedAt ?? receivedAt) }),
  };
  return [{ rule: 'clock_wrong', evidence }];
}

function parkedFlags(event: ChargeStopped, receivedAt: Instant): Flag[] {
  const evidence = {
    transaction: event.transaction,
    cardNumber: event.cardNumber ?? null,
    meterStopWh: event.meterStopWh ?? null,
    stationTime: event.stationTime,
  };
  const flags: Flag[] = [{ rule: 'start_missing', evidence }];
  if (event.at !== undefined) return flags;
  const clock = { stationTime: event.stationTime, receivedAt: toIso(receivedAt) };
  return [...flags, { rule: 'clock_wrong', evidence: clock }];
}
