/** What a station could physically have delivered. Anything beyond is never paid without a person. */
import { hourMs, minuteMs, toIso } from '@voltdeck/units/instant';
import type { ReadingDoubt } from '../states.ts';
import type { StationBill } from '../station-bill.ts';
import type { Flag, Register } from './charge.ts';

export const plausibilityLimits = {
  /** Operators enter rated powers roughly, and stations deliver a little more than their plate says. */
  powerFactor: 1.5,
  /** Meters that count in steps of 1 kWh may step at both ends of any interval. */
  stepWh: 2_000,
  /** For two clocks set differently, and messages in transit. */
  clockSlackMs: 10 * minuteMs,
  /** Each period of a station's bill may be rounded on its own. */
  periodToleranceTenthsWh: 1,
  /** Registers of many meters step by 10 Wh, so both ends together may deviate from the charge's energy by this. */
  registerToleranceTenthsWh: 200,
  /** A bill that a station rounded period by period matches its energies within this share, or within the step. */
  amountShare: 0.05,
} as const;

/** The most energy in Wh that a station of this rated power (W, above zero) can have delivered in this time. */
export function deliverableWh(ratedPowerW: number, durationMs: number): number {
  const { powerFactor, stepWh } = plausibilityLimits;
  return Math.floor((ratedPowerW * powerFactor * Math.max(0, durationMs)) / hourMs) + stepWh;
}

/** The power of a reading, null above what a station of this rated power can deliver. */
export function plausiblePowerW(powerW: number | null, ratedPowerW: number): number | null {
  return powerW !== null && powerW <= ratedPowerW * plausibilityLimits.powerFactor ? powerW : null;
}

/** Whether a register can follow another one of the same meter: it does not fall, and no cable carries more. */
export function canFollow(before: Register, register: Register, ratedPowerW: number): boolean {
  return doubtAbout(before, register, ratedPowerW) === null;
}

/** Why a register cannot follow another one of the same meter; null where it can. */
export function doubtAbout(before: Register, register: Register, ratedPowerW: number): ReadingDoubt | null {
  const addedWh = register.energyWh - before.energyWh;
  if (addedWh < 0) return 'meter_backwards';
  return addedWh > deliverableWh(ratedPowerW, register.at - before.at) ? 'meter_jump' : null;
}

/** The registers that `plausibleRegisters` leaves out, each with the reason. */
export function doubtedRegisters(
  start: Register,
  registers: readonly Register[],
  ratedPowerW: number,
): { at: Register['at']; doubt: ReadingDoubt }[] {
  let last = start;
  return registers.flatMap((register) => {
    const doubt = doubtAbout(last, register, ratedPowerW);
    if (doubt !== null) return [{ at: register.at, doubt }];
    last = register;
    return [];
  });
}

/**
 * The plausible registers of one meter from `start` on: one that falls or leaps is left out, and the next is compared
 * with the last plausible one. `registers` are in order of time.
 */
export function plausibleRegisters<Kept extends Register>(
  start: Register,
  registers: readonly Kept[],
  ratedPowerW: number,
): { kept: Kept[]; fallen: Leap | null; leaps: Leap[] } {
  const kept: Kept[] = [];
  let last = start;
  let fallen: Leap | null = null;
  const leaps: Leap[] = [];
  for (const register of registers) {
    if (canFollow(last, register, ratedPowerW)) {
      kept.push(register);
      last = register;
    } else if (register.energyWh < last.energyWh) fallen ??= { from: last, to: register };
    else leaps.push({ from: last, to: register });
  }
  return { kept, fallen, leaps };
}

/** What a meter counted in possible steps, in Wh, without leaps and falls. `registers` are in order of time. */
export function countedWh(registers: readonly Register[], ratedPowerW: number): number {
  let sumWh = 0;
  let before: Register | undefined;
  for (const register of registers) {
    if (before !== undefined && canFollow(before, register, ratedPowerW)) sumWh += register.energyWh - before.energyWh;
    before = register;
  }
  return sumWh;
}

/** What is known of the meter of a running charge. */
export type RunningRegister = {
  /** The last plausible register since the start, ignoring leaps and falls. */
  last: Register;
  /** After a fall below it: the register on the meter since, and what it has counted since in possible steps. */
  fallen: { last: Register; countedWh: number } | null;
};

/**
 * A running charge after one more register. A meter that fell and rises again from there has restarted: what it counts
 * from then on is added to what it counted before. One that only fell is doubted, because the next register may go on
 * from the old one; so it does where what was counted since the fall is too little to have passed the old register.
 */
export function followRegister(
  before: RunningRegister,
  register: Register,
  ratedPowerW: number,
): { after: RunningRegister; doubt: ReadingDoubt | null } {
  const { last, fallen } = before;
  const doubt = doubtAbout(last, register, ratedPowerW);
  const goesOnFromFall = fallen !== null && canFollow(fallen.last, register, ratedPowerW);
  if (doubt === null && !(goesOnFromFall && leadsUpTo(last, fallen, register, ratedPowerW))) {
    return { after: { last: register, fallen: null }, doubt };
  }
  if (goesOnFromFall) {
    const countedWh = fallen.countedWh + register.energyWh - fallen.last.energyWh;
    return { after: { last, fallen: { last: register, countedWh } }, doubt };
  }
  const isFall = register.energyWh < (fallen?.last ?? last).energyWh;
  return { after: isFall ? { last, fallen: { last: register, countedWh: fallen?.countedWh ?? 0 } } : before, doubt };
}

/**
 * Whether a meter that fell below `last` and now shows `register` above it has counted its way up there: what was
 * missing is no more than the station delivers in the time, or, for meters of coarse steps, than what it had counted.
 * Several wild registers in a row only look like a restart.
 */
function leadsUpTo(
  last: Register,
  fallen: NonNullable<RunningRegister['fallen']>,
  register: Register,
  ratedPowerW: number,
): boolean {
  if (fallen.countedWh <= 0) return false;
  const missingWh = last.energyWh - fallen.last.energyWh;
  const inTimeWh = deliverableWh(ratedPowerW, register.at - fallen.last.at) - plausibilityLimits.stepWh;
  return missingWh <= Math.max(inTimeWh, fallen.countedWh);
}

/** Whether the meter counts on from a lower register. */
export function hasRestarted({ fallen }: RunningRegister): boolean {
  return fallen !== null && fallen.countedWh > 0;
}

/** The register as if the meter had not restarted, in Wh. */
export function continuedWh({ last, fallen }: RunningRegister): number {
  return last.energyWh + (fallen?.countedWh ?? 0);
}

/** Two registers that cannot follow each other. */
export type Leap = { from: Register; to: Register };

export function leapFlag(rule: 'meter_backwards' | 'meter_jump', { from, to }: Leap, ratedPowerW: number): Flag {
  const evidence = { from: toIso(from.at), fromWh: from.energyWh, to: toIso(to.at), toWh: to.energyWh };
  return { rule, evidence: rule === 'meter_jump' ? { ...evidence, ratedPowerW } : evidence };
}

/** More than the rated power can deliver in the time that the charge can have lasted. */
export function powerFlag(charge: { energyWh: number; durationMs: number; ratedPowerW: number }): Flag | null {
  const { energyWh, durationMs, ratedPowerW } = charge;
  const atMostWh = deliverableWh(ratedPowerW, durationMs);
  if (energyWh <= atMostWh) return null;
  const durationSeconds = Math.max(0, Math.round(durationMs / 1_000));
  if (durationMs <= 0) return { rule: 'energy_without_time', evidence: { energyWh, ratedPowerW } };
  return { rule: 'energy_implausible', evidence: { energyWh, deliverableWh: atMostWh, durationSeconds, ratedPowerW } };
}

/** The energy of a station's record in several ways, in Wh; absent where it has no such figure. */
export type EnergyWitnesses = { periodsWh?: number; registersWh?: number; amountWh?: number };

/** The energies that a record's parts give, each calculated separately. */
export function witnessesOf(bill: StationBill): EnergyWitnesses {
  const sumTenthsWh = bill.periods.reduce((sum, { energyTenthsWh }) => sum + energyTenthsWh, 0);
  const sumE4 = bill.periods.reduce((sum, { amountE4 }) => sum + amountE4, 0);
  const risenTenthsWh = bill.meterStopTenthsWh - bill.meterStartTenthsWh;
  return {
    ...(bill.periods.length > 0 && { periodsWh: sumTenthsWh / 10 }),
    ...(risenTenthsWh > 0 && { registersWh: risenTenthsWh / 10 }),
    // The whole total at the mean price of the periods, where they are consistent.
    ...(sumTenthsWh > 0 &&
      sumE4 > 0 &&
      bill.amountE4 > 0 && { amountWh: (bill.amountE4 / sumE4) * (sumTenthsWh / 10) }),
  };
}

/**
 * Whether a record contradicts its own total: its periods differ and nothing else supports the total. `readWh` is the
 * energy of the last plausible reading, null where there is none. The proposal is what the record's periods, registers
 * and readings agree on best.
 */
export function contradiction(
  energyWh: number,
  bill: StationBill,
  { readWh }: { readWh: number | null },
): { evidence: Readonly<Record<string, unknown>>; proposedWh: number } | null {
  const { periodsWh, registersWh } = witnessesOf(bill);
  const { periodToleranceTenthsWh, registerToleranceTenthsWh } = plausibilityLimits;
  const toleranceWh = (registerToleranceTenthsWh + bill.periods.length * periodToleranceTenthsWh) / 10;
  if (periodsWh === undefined || Math.abs(periodsWh - energyWh) <= toleranceWh) return null;
  // Small charges are within a meter's step of each other, so evidence for the periods is none for the total.
  const bearsOut = (wh: number | null | undefined) =>
    typeof wh === 'number' && isNear(wh, energyWh) && Math.abs(wh - energyWh) < Math.abs(wh - periodsWh);
  if (bearsOut(registersWh) || bearsOut(readWh)) return null;
  return { evidence: evidenceOf(energyWh, bill, readWh), proposedWh: Math.round(likeliestWh(bill, readWh)) };
}

/** The doubt about a record whose total is missing or impossible, with what its other parts agree on best. */
export function withoutTotal(
  bill: StationBill,
  { readWh }: { readWh: number | null },
): NonNullable<ReturnType<typeof contradiction>> {
  return { evidence: evidenceOf(null, bill, readWh), proposedWh: Math.round(likeliestWh(bill, readWh)) };
}

function evidenceOf(energyWh: number | null, bill: StationBill, readWh: number | null) {
  const { periodsWh = null, registersWh = null, amountWh = null } = witnessesOf(bill);
  const rounded = (wh: number | null) => (wh === null ? null : Math.round(wh));
  return {
    energyWh,
    periodsWh: rounded(periodsWh),
    registersWh: rounded(registersWh),
    amountWh: rounded(amountWh),
    readWh,
  };
}

/** Periods without energy are no figure. */
function likeliestWh(bill: StationBill, readWh: number | null): number {
  const { periodsWh = 0, registersWh, amountWh } = witnessesOf(bill);
  const others = [registersWh, amountWh, readWh].filter((wh) => typeof wh === 'number');
  const isPeriodsBorneOut = periodsWh > 0 && others.some((wh) => isNear(wh, periodsWh));
  return isPeriodsBorneOut ? periodsWh : (registersWh ?? readWh ?? periodsWh);
}

function isNear(wh: number, otherWh: number): boolean {
  const { amountShare, stepWh } = plausibilityLimits;
  return Math.abs(wh - otherWh) <= Math.max(stepWh, otherWh * amountShare);
}
