import type { Watts } from '@voltdeck/units/energy';
import { dayMs, hourMs, type Instant, instant } from '@voltdeck/units/instant';
import { addFen, type Fen, feeFen } from '@voltdeck/units/money';
import { type EnergyMeter, slotAt } from './energy-meter.ts';
import { type HourMeter, stepMs, stepsMax, tierAt, tierNow } from './hour-meter.ts';
import { type Meter, uncappedBillOf } from './meter.ts';
import { fixedChoice, spendable } from './rider-choice.ts';
import type { PeriodPrice } from './tariff.ts';

/** How far ahead the end of the money is calculated. */
export const balanceHorizonMs = dayMs;

/**
 * The last instant at which the bill is still covered by `availableFen` (all the money for this charge, held and free,
 * before any of this bill is paid), if the charge continues at `powerW` from its last reading. Never before `at`; `at`
 * itself when the money is already used up. Null when it lasts for `balanceHorizonMs` after the last reading, or to the
 * end of the longest run. Exact to 1 Wh in each slot, so stop some seconds earlier.
 */
export function endOfBalance(meter: Meter, outlook: { availableFen: Fen; powerW: Watts; at: Instant }): Instant | null {
  const { powerW, at } = outlook;
  const availableFen = spendable(meter.tariff, outlook.availableFen);
  if (uncappedBillOf(meter).amountFen > availableFen) return at;
  // A fixed price does not rise with the use.
  if (fixedChoice(meter.tariff) !== null) return null;
  const end =
    meter.kind === 'energy' ? endOfEnergy(meter, availableFen, powerW) : endOfSteps(meter, availableFen, powerW);
  if (end === null) return null;
  return instant(Math.max(end, at));
}

/** Wh at an even power, rounded half up. */
function flowWh(powerW: number, durationMs: number): number {
  return Math.round((powerW * durationMs) / hourMs);
}

function feesOf(energyWh: number, { electricity, service }: PeriodPrice): Fen {
  return addFen(feeFen(energyWh, electricity), feeFen(energyWh, service));
}

function endOfEnergy(meter: EnergyMeter, availableFen: Fen, powerW: number): Instant | null {
  if (powerW <= 0) return null;
  const { prices } = meter.tariff;
  let leftFen = availableFen - meter.closed.reduce((sum, slot) => sum + feesOf(slot.energyWh, prices[slot.period]), 0);
  const horizon = meter.at + balanceHorizonMs;
  let slot = meter.current;
  let flowedWh = 0;
  for (;;) {
    const until = Math.min(slot.to, horizon);
    const flowsWh = flowWh(powerW, until - meter.at);
    const price = prices[slot.period];
    const fullWh = slot.energyWh + flowsWh - flowedWh;
    const feesFen = feesOf(fullWh, price);
    if (feesFen > leftFen) {
      const paidWh = energyFor(leftFen, price, slot.energyWh, fullWh) - slot.energyWh;
      return instant(meter.at + Math.floor(((flowedWh + paidWh) * hourMs) / powerW));
    }
    if (until >= horizon) return null;
    leftFen -= feesFen;
    flowedWh = flowsWh;
    slot = slotAt(meter.slotOfHalfHour, slot.to);
  }
}

/** The most energy whose fees `leftFen` covers, from `affordableWh` (covered) to `tooMuchWh` (not covered). */
function energyFor(leftFen: number, price: PeriodPrice, affordableWh: number, tooMuchWh: number): number {
  let low = affordableWh;
  let high = tooMuchWh;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (feesOf(middle, price) > leftFen) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * A step is paid when it begins, so the money ends with the last step it pays for. Steps without power are paid, too,
 * once any energy has flowed.
 */
function endOfSteps(meter: HourMeter, availableFen: Fen, powerW: number): Instant | null {
  const { tariff, step, runs } = meter;
  const isFree = powerW <= 0 && meter.energyWh === meter.startWh;
  if (isFree || step.index >= stepsMax(tariff)) return null;
  const nextFeeFen = tierAt(tariff, Math.max(0, powerW)).feeFenPerStep;
  // The running step ends in its present tier or in that of the present power: assume the dearer.
  const runningFeeFen = Math.max(tierNow(meter).feeFenPerStep, nextFeeFen);
  const endedFeeFen = runs.reduce((sum, run) => sum + (run.endStep - run.fromStep) * run.tier.feeFenPerStep, 0);
  const leftFen = availableFen - endedFeeFen - runningFeeFen;
  if (nextFeeFen === 0) return null;
  const paidSteps = step.index + 1 + Math.floor(leftFen / nextFeeFen);
  const end = meter.startAt + paidSteps * stepMs(tariff);
  return paidSteps >= stepsMax(tariff) || end > meter.at + balanceHorizonMs ? null : instant(end);
}
