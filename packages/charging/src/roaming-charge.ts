/** A charge that a customer of ours has at the station of another operator, and what is decided about it. */
import { dayMs, hourMs, type Instant, minuteMs } from '@voltdeck/units/instant';
import { type Fen, fen, subtractFen } from '@voltdeck/units/money';
import type { PartnerChargeStage, PartnerOrder, PartnerOrderDoubt } from './partner-charge.ts';
import type { PartnerPriceSlot } from './partner-site.ts';

/**
 * `starting`: the partner was asked, and it has not begun; `settling`: it ended and its bill is awaited; `disputed`: the
 * bill cannot be believed, or contradicts one that was paid, and a person decides.
 */
export const roamingStates = ['starting', 'charging', 'settling', 'disputed', 'completed', 'cancelled'] as const;
export type RoamingState = (typeof roamingStates)[number];

/** Money is held for it, and the partner may still act. */
export const openRoamingStates = ['starting', 'charging', 'settling', 'disputed'] as const;
export const runningRoamingStates = ['starting', 'charging'] as const;

/**
 * Why a bill is not paid unseen: it contradicts itself, names another port, costs more than any price that was told, is
 * of more energy than the port can give or of less than was told before, was not at that time, or is of a charge that was
 * given up.
 */
export const roamingDoubts = [
  'ends_before_start',
  'fees_differ',
  'lines_energy',
  'lines_fees',
  'port_differs',
  'above_price',
  'energy_above_power',
  'energy_below_heard',
  'times_differ',
  'was_cancelled',
] as const satisfies readonly (PartnerOrderDoubt | string)[];
export type RoamingDoubt = (typeof roamingDoubts)[number];

export const roamingLimits = {
  /** The least balance to begin with: less would be used up between two messages of the partner. */
  startBalanceMinFen: fen(1_000),
  /** With less of the hold left, more is held. */
  extendBelowFen: fen(2_000),
  /** With less of the hold left and nothing more to hold, the partner is asked to stop. */
  stopBelowFen: fen(500),
  /** A person may settle a running charge of which nothing was heard for this long. */
  silentMs: hourMs,
  /** A charge that its operator says is starting for longer than this is given up. */
  startsWithinMs: 15 * minuteMs,
  /** A charge that was given up after a silence may turn out to run for this long after it was placed. */
  revivedWithinMs: dayMs,
  /** One that runs for longer is stopped, and a person may settle it. */
  lastsMaxMs: 7 * dayMs,
} as const;

/** Where a charge goes when the partner says how far it is; null where it stays. A charge only goes on. */
export function stateAfterStage(state: RoamingState, stage: PartnerChargeStage): RoamingState | null {
  switch (stage) {
    case 'charging':
    case 'stopping':
      return state === 'starting' ? 'charging' : null;
    case 'ended':
      // One that ended before it began is cancelled by whoever knows that it never began.
      return state === 'charging' ? 'settling' : null;
    case 'starting':
    case 'unknown':
      return null;
  }
}

/** What to do about the hold of a running charge that has cost `feeFen` so far. */
export function decideRoamingHold(charge: {
  heldFen: Fen;
  feeFen: Fen;
  availableFen: Fen;
  isStopAsked: boolean;
}): 'keep' | 'extend' | 'stop' {
  const { heldFen, feeFen, availableFen, isStopAsked } = charge;
  const leftFen = subtractFen(heldFen, feeFen);
  if (leftFen >= roamingLimits.extendBelowFen) return 'keep';
  if (availableFen > 0) return 'extend';
  return leftFen < roamingLimits.stopBelowFen && !isStopAsked ? 'stop' : 'keep';
}

/** What partners round: a fen for each fee of each line, and the energy to 0.01 kWh. */
const roundingFen = 2;
const roundingWh = 10;
/** Above the rated power of a port, and for clocks that differ: no more energy than this is believed. */
const powerTolerance = 1.1;
/** Assumed of a port whose rated power was not told: a bound of ours, above the ports that we know of. */
const unknownPowerW = 1_000_000;
const energyToleranceWh = 1_000;
const clocksMs = 5 * minuteMs;
/** A live register and the one of the bill differ by as much. */
const heardTolerance = 0.01;
const heardToleranceWh = 100;
/** How far the times of a bill may lie outside of what we know of the charge. */
const timesMs = hourMs;

/** What is known of a charge, by which a partner's figures are judged. */
export type RoamingKnown = {
  state: RoamingState;
  portCode: string;
  prices: readonly PartnerPriceSlot[];
  /** Rated power of the port, in W; 0 or less where it is unknown. */
  powerW: number;
  /** The energy that was told last while it ran, in Wh; not that of a bill. */
  heardWh: number;
  placedAt: Instant;
  /** When it ended, as was told before its bill; null while it runs. */
  endedAt: Instant | null;
};

/** The most that some energy costs by the prices that were told, in fen; null without prices. */
function mostFen({ prices }: Pick<RoamingKnown, 'prices'>, energyWh: number, lines: number): number | null {
  const dearestE5 = dearestPriceE5(prices);
  if (dearestE5 === null) return null;
  // Prices are in 1e-5 yuan per kWh: 1e-3 fen per kWh, so 1e-6 fen per Wh.
  return Math.floor(((energyWh + roundingWh) * dearestE5) / 1_000_000) + roundingFen * (1 + lines);
}

/** The dearest price per kWh of a day, electricity and service together; null without prices. */
export function dearestPriceE5(prices: readonly PartnerPriceSlot[]): number | null {
  if (prices.length === 0) return null;
  return Math.max(...prices.map(({ electricityPriceE5, servicePriceE5 }) => electricityPriceE5 + servicePriceE5));
}

/** The most energy that a port gives in a time, in Wh. */
function mostWh({ powerW }: Pick<RoamingKnown, 'powerW'>, ms: number): number {
  const ratedW = powerW > 0 ? powerW : unknownPowerW;
  return ((ratedW * (Math.max(0, ms) + clocksMs)) / hourMs) * powerTolerance + energyToleranceWh;
}

/**
 * What a partner's state of a charge says, as far as it can be: fees are no more than its energy costs by the prices that
 * were told, and what is left out costs that. Null for energy that the port cannot have given.
 */
export function believedSoFar(
  charge: RoamingKnown,
  told: { energyWh: number; electricityFeeFen: Fen | null; serviceFeeFen: Fen | null },
  now: Instant,
): { electricityFeeFen: Fen; serviceFeeFen: Fen } | null {
  const { energyWh } = told;
  if (energyWh > mostWh(charge, now - charge.placedAt)) return null;
  const feeMaxFen = mostFen(charge, energyWh, 0);
  const electricity = told.electricityFeeFen ?? (told.serviceFeeFen === null ? feeMaxFen : null) ?? 0;
  const service = told.serviceFeeFen ?? 0;
  if (feeMaxFen === null || electricity + service <= feeMaxFen) {
    return { electricityFeeFen: fen(electricity), serviceFeeFen: fen(service) };
  }
  const serviceFeeFen = fen(Math.min(service, feeMaxFen));
  return { electricityFeeFen: fen(feeMaxFen - serviceFeeFen), serviceFeeFen };
}

/** What is wrong with a partner's bill beside what it contradicts itself in (`doubtsOf` of packages/tcec102). */
export function roamingDoubtsOf(charge: RoamingKnown, order: PartnerOrder, now: Instant): readonly RoamingDoubt[] {
  const doubts: RoamingDoubt[] = [];
  const { energyWh, amountFen, from, to, lines } = order;
  if (order.portId !== charge.portCode) doubts.push('port_differs');
  if (charge.state === 'cancelled') doubts.push('was_cancelled');
  const feeMaxFen = mostFen(charge, energyWh, lines.length);
  if (feeMaxFen !== null && amountFen > feeMaxFen) doubts.push('above_price');
  // No longer than the bill says, nor than we know of: either clock may be wrong.
  const lastedMs = Math.min(to - from, (charge.endedAt ?? now) - charge.placedAt);
  if (energyWh > mostWh(charge, lastedMs)) doubts.push('energy_above_power');
  if (energyWh < charge.heardWh - Math.max(heardToleranceWh, charge.heardWh * heardTolerance)) {
    doubts.push('energy_below_heard');
  }
  const isOutside = from < charge.placedAt - timesMs || to > now + timesMs;
  const hasStrayLine = lines.some(
    (line) => line.to < line.from || line.from < from - clocksMs || line.to > to + clocksMs,
  );
  if (isOutside || hasStrayLine) doubts.push('times_differ');
  return doubts;
}

/** Whether a person may settle a charge with figures that both operators agreed on. */
export function canSettleRoaming(
  { state, heardAt, placedAt }: { state: RoamingState; heardAt: Instant | null; placedAt: Instant },
  now: Instant,
): boolean {
  switch (state) {
    case 'settling':
    case 'disputed':
      return true;
    case 'starting':
    case 'charging':
      return now - (heardAt ?? placedAt) >= roamingLimits.silentMs || now - placedAt >= roamingLimits.lastsMaxMs;
    case 'completed':
    case 'cancelled':
      return false;
  }
}

/** Whether a bill that comes again says the same in everything that it was judged by. */
export function isSameBill(told: PartnerOrder, again: PartnerOrder): boolean {
  return JSON.stringify(judgedOf(told)) === JSON.stringify(judgedOf(again));
}

function judgedOf({ portId, from, to, energyWh, electricityFeeFen, serviceFeeFen, amountFen, lines }: PartnerOrder) {
  const judged = lines.map((line) => [line.from, line.to, line.energyWh, line.electricityFeeFen, line.serviceFeeFen]);
  return [portId, from, to, energyWh, electricityFeeFen, serviceFeeFen, amountFen, judged];
}
