import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { type Instant, instant, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import type { StationBill } from '../station-bill.ts';
import { type Charge, type ChargeEnd, type Flag, hasPayer, type Register } from './charge.ts';
import {
  canFollow,
  contradiction,
  countedWh,
  deliverableWh,
  followRegister,
  hasRestarted,
  leapFlag,
  plausibilityLimits,
  plausiblePowerW,
  plausibleRegisters,
  powerFlag,
  type RunningRegister,
  withoutTotal,
} from './plausibility.ts';

/** The facts of a finished charge. */
export type SettlementKnown = {
  charge: Pick<Charge, 'placedAt' | 'begunAt' | 'startedAt' | 'wasPlaced' | 'meterStartWh'>;
  end: ChargeEnd;
  /** The readings in between, in order of time, those of the stop included. */
  readings: readonly ReadRegister[];
  /** The station's own bill, where it has one. */
  bill: StationBill | null;
  /** Of the station, in W, above zero. */
  ratedPowerW: number;
  /** Its tariff follows the peak power of each step. */
  isPricedByPeak: boolean;
  /** A doubt found earlier that keeps it from being paid without a person; see `UnaskedRecord` and `decideEnd`. */
  suspicion: Flag | null;
  now: Instant;
};

export type ReadRegister = { at: Instant; energyWh: number | null; powerW: number | null };

/** What to price. Registers rise from `meterStartWh` to `meterStopWh`. */
export type Billing = {
  startedAt: Instant;
  endedAt: Instant;
  meterStartWh: WattHours;
  meterStopWh: WattHours;
  /** Between start and stop, in order of time, without impossible ones. */
  readings: readonly { at: Instant; energyWh: number; powerW: number | null }[];
  /** Powers in between that were reported without a register. */
  powers: readonly { at: Instant; powerW: number }[];
  bill: StationBill | null;
};

/** The figures proposed to the person who settles it. */
export type Proposal = { energyWh: number; endedAt: Instant };

export type SettlementDecision =
  | { kind: 'bill'; billing: Billing; flags: readonly Flag[] }
  /** It waits for a person; nothing is paid. `meterStopWh` is the reported register, where there was one. */
  | { kind: 'wait'; endedAt: Instant; meterStopWh: number | null; proposal: Proposal; flags: readonly Flag[] };

/**
 * Decides whether a finished charge is billed automatically, and by which figures. What could not have been delivered,
 * what contradicts itself and what nobody requested waits for a person, with a proposal.
 */
export function decideSettlement(known: SettlementKnown): SettlementDecision {
  const { charge, end, bill, ratedPowerW, now } = known;
  const registers = known.readings.flatMap(({ at, energyWh, powerW }) =>
    energyWh === null ? [] : [{ at, energyWh, powerW: plausiblePowerW(powerW, ratedPowerW) }],
  );
  const flags: Flag[] = [];
  const startedAt = charge.startedAt ?? end.endedAt;
  const endedAt = instant(Math.max(end.endedAt, startedAt));
  const earliestAt = earliestStart(charge, startedAt);
  // A record has both ends by the station's clock, while the readings have ours.
  const slackMs = bill === null ? 0 : plausibilityLimits.clockSlackMs;
  const between = registers.filter(({ at }) => at >= earliestAt - slackMs && at <= endedAt + slackMs);

  // The register at the start, which some makes report as -1.
  const meterStartWh = charge.meterStartWh ?? between[0]?.energyWh ?? (bill === null ? null : 0);
  if (charge.meterStartWh === null) flags.push({ rule: 'register_missing', evidence: { register: 'start' } });
  if (meterStartWh === null) {
    const proposal = { energyWh: 0, endedAt };
    const doubts = known.suspicion === null ? [] : [known.suspicion];
    return { kind: 'wait', endedAt, meterStopWh: end.meterStopWh, proposal, flags: [...flags, ...doubts] };
  }
  const start: Register = { at: instant(earliestAt - slackMs), energyWh: meterStartWh };
  const { kept, fallen, leaps } = plausibleRegisters(start, between, ratedPowerW);
  const plausible = new Set(kept);
  const last = kept.at(-1) ?? start;

  // The register at the end, or the last reading.
  const readUntil = registers.findLast(({ at }) => at <= endedAt);
  const doubts: Flag[] = [];
  if (end.meterStopWh === null && end.reason !== 'no_stop_received') {
    // Without a bill and without a reading since the start, nothing tells what flowed.
    const isUnmetered = bill === null && !kept.some(({ at }) => at > startedAt);
    (isUnmetered ? doubts : flags).push({ rule: 'register_missing', evidence: { register: 'stop' } });
  }
  const toldWh = end.meterStopWh ?? last.energyWh;
  const isReadingLast = end.meterStopWh === null && bill === null && readUntil !== undefined;
  const closedAt = isReadingLast ? instant(Math.max(last.at, startedAt)) : endedAt;
  const stop: Register = { at: instant(Math.max(closedAt + slackMs, last.at)), energyWh: toldWh };

  const countedAllWh = countedWh([start, ...between, stop], ratedPowerW);
  const backwards = fallen ?? (toldWh < last.energyWh ? { from: last, to: stop } : null);
  if (backwards !== null) {
    // A first reading that the meter fell from is not a start, and a meter that fell below its start has no end. One that
    // restarted ends with a part of the energy only; a station's own bill has all of it.
    const isSpoilt =
      charge.meterStartWh === null ||
      isBelowStart(start, stop, countedAllWh) ||
      (bill === null && hasRestarted(followAll(start, [...between, stop], ratedPowerW)));
    (isSpoilt ? doubts : flags).push(leapFlag('meter_backwards', backwards, ratedPowerW));
  }
  const isPastReach = last !== start && toldWh > last.energyWh && !canFollow(last, stop, ratedPowerW);
  // A meter that leapt and stayed there is doubted; a single wild reading is left out of the bill.
  const stayed = leaps.find(({ to }) => toldWh >= to.energyWh);
  const wild = leaps.find(({ to }) => toldWh < to.energyWh);
  // A record is counted by its station's own clock, so the pace of our live data does not contradict it.
  if (bill === null && stayed !== undefined) doubts.push(leapFlag('meter_jump', stayed, ratedPowerW));
  else if (bill === null && isPastReach) {
    doubts.push(leapFlag('meter_jump', { from: last, to: stop }, ratedPowerW));
  } else if (wild !== undefined) flags.push(leapFlag('meter_jump', wild, ratedPowerW));

  const energyWh = Math.max(0, toldWh - meterStartWh);
  // A station may know of a charge long before we do, but not of one that ends in the future.
  const durationMs = Math.min(closedAt, now + plausibilityLimits.clockSlackMs) - earliestAt;
  const tooMuch = powerFlag({ energyWh, durationMs, ratedPowerW });
  if (tooMuch !== null) doubts.push(tooMuch);

  const readWh = kept.length === 0 ? null : last.energyWh - meterStartWh;
  const contradicted =
    bill === null
      ? null
      : end.meterStopWh === null
        ? withoutTotal(bill, { readWh })
        : contradiction(energyWh, bill, { readWh });
  if (contradicted !== null) doubts.push({ rule: 'record_contradicts', evidence: contradicted.evidence });

  const wildPower = known.readings.find(
    ({ at, powerW }) =>
      powerW !== null && plausiblePowerW(powerW, ratedPowerW) === null && at > startedAt && at < closedAt,
  );
  if (known.isPricedByPeak && wildPower !== undefined) {
    const evidence = { at: toIso(wildPower.at), powerW: wildPower.powerW, ratedPowerW };
    flags.push({ rule: 'power_implausible', evidence });
  }

  // Less than was read is no theft, but a person may look; it is billed by the last report.
  if (doubts.length > 0 || known.suspicion !== null) {
    // The most likely energy where the figure itself is doubted: other evidence for it, else what the meter counted.
    const likelyWh = [
      ...(contradicted === null ? [] : [contradicted.proposedWh]),
      countedAllWh,
      countedWh([start, ...between], ratedPowerW),
    ].find((wh) => wh <= deliverableWh(ratedPowerW, durationMs));
    const proposal = { energyWh: doubts.length === 0 ? energyWh : (likelyWh ?? 0), endedAt: closedAt };
    if (known.suspicion !== null) doubts.unshift(known.suspicion);
    return { kind: 'wait', endedAt: closedAt, meterStopWh: end.meterStopWh, proposal, flags: [...flags, ...doubts] };
  }
  const meterStopWh = Math.max(meterStartWh, toldWh);
  const billing: Billing = {
    startedAt,
    endedAt: closedAt,
    meterStartWh: wattHours(meterStartWh),
    meterStopWh: wattHours(meterStopWh),
    readings: between
      .filter((register) => plausible.has(register) && register.at > startedAt && register.at < closedAt)
      .map((register) => ({ ...register, energyWh: Math.min(register.energyWh, meterStopWh) })),
    powers: known.readings.flatMap(({ at, energyWh, powerW }) => {
      const plausibleW = plausiblePowerW(powerW, ratedPowerW);
      const isAlone = energyWh === null && at > startedAt && at < closedAt;
      return isAlone && plausibleW !== null ? [{ at, powerW: plausibleW }] : [];
    }),
    bill,
  };
  return { kind: 'bill', billing, flags };
}

function followAll(start: Register, registers: readonly Register[], ratedPowerW: number): RunningRegister {
  return registers.reduce<RunningRegister>(
    (running, register) => followRegister(running, register, ratedPowerW).after,
    { last: start, fallen: null },
  );
}

/** Beyond the step of a meter, which may waver by it when nothing flows. */
function isBelowStart(start: Register, stop: Register, countedAllWh: number): boolean {
  const stepWh = plausibilityLimits.registerToleranceTenthsWh / 10;
  const fellWh = start.energyWh - stop.energyWh;
  return fellWh > stepWh || (fellWh > 0 && countedAllWh > stepWh);
}

/** A charge whose start was only inferred may have run since we agreed to it. */
function earliestStart(charge: SettlementKnown['charge'], startedAt: Instant): Instant {
  const isStartInferred = charge.wasPlaced && startedAt === charge.begunAt;
  return isStartInferred ? instant(Math.min(charge.placedAt, startedAt)) : startedAt;
}

/** A person's figures are not doubted, only kept consistent. */
export function billingByHand(charge: Pick<Charge, 'startedAt' | 'meterStartWh'>, byHand: Proposal): Billing {
  const startedAt = charge.startedAt ?? byHand.endedAt;
  const meterStartWh = charge.meterStartWh ?? 0;
  return {
    startedAt,
    endedAt: instant(Math.max(byHand.endedAt, startedAt)),
    meterStartWh: wattHours(meterStartWh),
    meterStopWh: wattHours(meterStartWh + byHand.energyWh),
    readings: [],
    powers: [],
    bill: null,
  };
}

/** The facts of a record for a charge that nobody placed. */
export type UnaskedRecord = {
  charge: Pick<Charge, 'wasPlaced' | 'startAuthorization' | 'cardNumber' | 'paymentType' | 'cardId' | 'customerId'>;
  /** The station has this card as an offline card. */
  isOfflineCard: boolean;
  /** Card and station belong to one operator. */
  isOwnCard: boolean;
  /** Another charge of the same gun port ran at the same time. */
  overlaps: { number: string; startedAt: Instant | null; endedAt: Instant | null } | null;
};

/**
 * Why a record without an order or a card request is not paid automatically; null where it is. An offline charge is
 * trusted with cards that the station has for that purpose, and with its own operator's; a gun port carries one charge
 * at a time.
 */
export function suspicionOf({ charge, isOfflineCard, isOwnCard, overlaps }: UnaskedRecord): Flag | null {
  if (charge.wasPlaced || !hasPayer(charge)) return null;
  const { cardNumber, startAuthorization } = charge;
  if (overlaps !== null) {
    const evidence = {
      cardNumber,
      because: 'overlaps',
      otherOrder: overlaps.number,
      otherFrom: overlaps.startedAt === null ? null : toIso(overlaps.startedAt),
      otherTo: overlaps.endedAt === null ? null : toIso(overlaps.endedAt),
    };
    return { rule: 'record_unasked', evidence };
  }
  if (startAuthorization === 'blocked' || startAuthorization === 'expired') {
    return { rule: 'record_unasked', evidence: { cardNumber, because: 'card_not_accepted' } };
  }
  if (isOfflineCard || isOwnCard) return null;
  return { rule: 'record_unasked', evidence: { cardNumber, because: 'not_an_offline_card' } };
}

/**
 * Whether a bill may be taken from its payer automatically: a record without an order only as far as the payer's money
 * goes.
 */
export function mayBePaid(
  charge: Pick<Charge, 'wasPlaced' | 'heldFen' | 'paymentType' | 'cardId' | 'customerId'>,
  bill: { amountFen: Fen; availableFen: Fen },
): boolean {
  return charge.wasPlaced || !hasPayer(charge) || bill.amountFen <= bill.availableFen + charge.heldFen;
}
