import { type WattHours, type Watts, wattHours } from '@voltdeck/units/energy';
import { hourMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { fen, zeroFen } from '@voltdeck/units/money';
import { type Bill, type HourLine, sumLines } from './bill.ts';
import { riseUntil } from './spread-energy.ts';
import type { HourTariff, PowerTier, Tariff } from './tariff.ts';

/** Consecutive ended steps of one tier, up to but not including step `endStep`. Energy in mWh. */
type TierRun = { tier: PowerTier; fromStep: number; endStep: number; energyMilliWh: number };

/**
 * Step `index` lasts from `startAt + index × step` (exclusive, except for the first) to the end of that step. Energy is
 * stored in mWh: in whole Wh, a minute at 200 W could read as anything from 180 to 240 W.
 */
type OpenStep = { index: number; energyMilliWh: number; peakW: number };

export type HourMeter = {
  kind: 'hour';
  tariff: HourTariff;
  startAt: Instant;
  startWh: WattHours;
  /** The last reading: when, and the highest register so far. */
  at: Instant;
  energyWh: WattHours;
  runs: readonly TierRun[];
  /** The highest powers reported in steps after the running one. */
  peaks: readonly { index: number; peakW: number }[];
  /** The step that contains `at`. At the index where the longest run ends it holds everything that runs on. */
  step: OpenStep;
};

export function openHourMeter(tariff: HourTariff, startAt: Instant, startWh: WattHours): HourMeter {
  const step = { index: 0, energyMilliWh: 0, peakW: 0 };
  return { kind: 'hour', tariff, startAt, startWh, at: startAt, energyWh: startWh, runs: [], peaks: [], step };
}

/** Milliseconds of one step. */
export function stepMs(tariff: HourTariff): number {
  return tariff.stepMinutes * minuteMs;
}

/** The maximum number of charged steps. */
export function stepsMax(tariff: HourTariff): number {
  return (tariff.longestRunHours * hourMs) / stepMs(tariff);
}

/** Whether the tier of a step follows the powers that were reported in it. */
export function isPricedByPeak(tariff: Tariff | null): boolean {
  return tariff?.kind === 'hour' && tariff.measuredBy === 'peak';
}

/** The tier of a power; above the end of an ended last tier, the last. */
export function tierAt(tariff: HourTariff, powerW: number): PowerTier {
  const tier = tariff.tiers.findLast(({ fromW }) => powerW >= fromW);
  if (tier === undefined) throw new Error('the tiers of the tariff do not begin at 0 W');
  return tier;
}

/** Spreads what flowed since the last reading. `at` is not before it, `energyWh` not below it. */
export function advanceHourMeter(meter: HourMeter, at: Instant, energyWh: WattHours, powerW: Watts | null): HourMeter {
  const { tariff } = meter;
  const riseMilliWh = (energyWh - meter.energyWh) * 1_000;
  const spanMs = at - meter.at;
  let step = meter.step;
  let runs: TierRun[] | null = null;
  let spread = 0;
  let stepEnd = meter.startAt + (step.index + 1) * stepMs(tariff);
  while (at > stepEnd && step.index < stepsMax(tariff)) {
    const cut = riseUntil(riseMilliWh, stepEnd - meter.at, spanMs);
    const full = { ...step, energyMilliWh: step.energyMilliWh + cut - spread };
    runs ??= [...meter.runs];
    appendStep(runs, full, tierOfStep(tariff, full, stepMs(tariff)));
    spread = cut;
    const index = step.index + 1;
    step = { index, energyMilliWh: 0, peakW: meter.peaks.find((peak) => peak.index === index)?.peakW ?? 0 };
    stepEnd += stepMs(tariff);
  }
  const energyMilliWh = step.energyMilliWh + riseMilliWh - spread;
  const peakW = Math.max(step.peakW, powerW ?? 0);
  const peaks = runs === null ? meter.peaks : meter.peaks.filter(({ index }) => index > step.index);
  return { ...meter, at, energyWh, runs: runs ?? meter.runs, peaks, step: { ...step, energyMilliWh, peakW } };
}

/** Notes a power that came without a register. Steps that have ended keep their tier. */
export function notePowerOfHourMeter(meter: HourMeter, at: Instant, powerW: Watts): HourMeter {
  const { tariff, startAt, step, peaks } = meter;
  if (tariff.measuredBy !== 'peak' || at < startAt) return meter;
  // A step excludes the instant at which it begins, except for the first.
  const index = Math.min(Math.max(Math.ceil((at - startAt) / stepMs(tariff)) - 1, 0), stepsMax(tariff));
  if (index < step.index) return meter;
  if (index === step.index) return { ...meter, step: { ...step, peakW: Math.max(step.peakW, powerW) } };
  const peakW = Math.max(peaks.find((peak) => peak.index === index)?.peakW ?? 0, powerW);
  return { ...meter, peaks: [...peaks.filter((peak) => peak.index !== index), { index, peakW }] };
}

/** Appends a step to the runs, which the caller owns. */
function appendStep(runs: TierRun[], step: OpenStep, tier: PowerTier): void {
  const last = runs.at(-1);
  const endStep = step.index + 1;
  if (last !== undefined && last.tier.fromW === tier.fromW) {
    runs[runs.length - 1] = { ...last, endStep, energyMilliWh: last.energyMilliWh + step.energyMilliWh };
  } else {
    runs.push({ tier, fromStep: step.index, endStep, energyMilliWh: step.energyMilliWh });
  }
}

/**
 * Average power is the step's energy over the time the charge ran in it, to the whole watt. That time counts as one
 * minute at least, the resolution of a register in whole Wh: 1 Wh in the two seconds before the plug is pulled is not
 * 1,800 W. Peak power is the highest that the station reported in the step, and never less than the average.
 */
function tierOfStep(tariff: HourTariff, step: OpenStep, elapsedMs: number): PowerTier {
  const averageW = Math.round((step.energyMilliWh * 3_600) / Math.max(elapsedMs, minuteMs));
  return tierAt(tariff, tariff.measuredBy === 'peak' ? Math.max(averageW, step.peakW) : averageW);
}

/** The tier of the running step if it ended now. */
export function tierNow(meter: HourMeter): PowerTier {
  const stepStart = meter.startAt + meter.step.index * stepMs(meter.tariff);
  return tierOfStep(meter.tariff, meter.step, meter.at - stepStart);
}

export function billOfHourMeter(meter: HourMeter): Bill {
  const energyWh = wattHours(meter.energyWh - meter.startWh);
  // A charge without energy costs nothing, however long the vehicle was plugged in.
  return sumLines(energyWh === 0 ? [] : linesOf(meter), energyWh);
}

function linesOf(meter: HourMeter): HourLine[] {
  const { tariff, step } = meter;
  const runs = [...meter.runs];
  const isOverrun = step.index >= stepsMax(tariff);
  if (!isOverrun) appendStep(runs, step, tierNow(meter));
  let spreadMilliWh = 0;
  const lines = runs.map((run): HourLine => {
    const beforeWh = Math.round(spreadMilliWh / 1_000);
    spreadMilliWh += run.energyMilliWh;
    const steps = run.endStep - run.fromStep;
    return {
      kind: 'hour',
      from: stepBorder(meter, run.fromStep),
      to: stepBorder(meter, run.endStep),
      tierFromW: run.tier.fromW,
      tierToW: run.tier.toW,
      steps,
      stepMinutes: tariff.stepMinutes,
      feeFenPerStep: run.tier.feeFenPerStep,
      energyWh: wattHours(Math.round(spreadMilliWh / 1_000) - beforeWh),
      electricityFeeFen: zeroFen,
      serviceFeeFen: fen(steps * run.tier.feeFenPerStep),
    };
  });
  const overrun = isOverrun ? overrunOf(meter, spreadMilliWh) : null;
  return overrun === null ? lines : [...lines, overrun];
}

/** What ran on after the longest run, so that its energy appears on the bill; null when there is none. */
function overrunOf(meter: HourMeter, spreadMilliWh: number): HourLine | null {
  const energyWh = meter.energyWh - meter.startWh - Math.round(spreadMilliWh / 1_000);
  if (energyWh === 0) return null;
  return {
    kind: 'hour',
    from: stepBorder(meter, meter.step.index),
    to: meter.at,
    tierFromW: 0,
    tierToW: null,
    steps: 0,
    stepMinutes: meter.tariff.stepMinutes,
    feeFenPerStep: zeroFen,
    energyWh: wattHours(energyWh),
    electricityFeeFen: zeroFen,
    serviceFeeFen: zeroFen,
  };
}

function stepBorder(meter: HourMeter, step: number): Instant {
  return instant(Math.min(meter.startAt + step * stepMs(meter.tariff), meter.at));
}
