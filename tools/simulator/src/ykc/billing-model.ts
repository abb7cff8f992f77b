import { instant, minuteMs, shanghaiTimeOfDayMs } from '@voltdeck/units/instant';
import type { MessageOf } from '@voltdeck/ykc/messages/all';
import { slotPeriod } from '@voltdeck/ykc/messages/billing';

/** A station's prices: the content of 0x0A and 0x58. */
export type BillingModel = Omit<MessageOf<'billing-model-answer'>, 'kind' | 'pileNo'>;

export const periods = ['sharp', 'peak', 'flat', 'valley'] as const;
export type Period = (typeof periods)[number];

/** Energy of a charge by period, in watt-hours with fractions. */
export type PeriodEnergies = Record<Period, number>;

export type PeriodBill = {
  /** 1e-5 yuan per kWh, energy and service summed. */
  price: number;
  energyTenthsWh: number;
  lossTenthsWh: number;
  /** 1e-4 yuan. */
  amountHundredthsFen: number;
};

export type Bill = {
  lines: Readonly<Record<Period, PeriodBill>>;
  energyTenthsWh: number;
  lossTenthsWh: number;
  amountHundredthsFen: number;
};

const slotMs = 30 * minuteMs;

export const noEnergies = (): PeriodEnergies => ({ sharp: 0, peak: 0, flat: 0, valley: 0 });

/** `at` is the station's own clock. */
export function periodAt(model: BillingModel, at: number): Period {
  const slot = Math.floor(shanghaiTimeOfDayMs(instant(Math.round(at))) / slotMs);
  return slotPeriod.meanings[model.slots[slot] ?? -1] ?? 'flat';
}

/** Milliseconds to the next half hour; above zero. */
export function untilNextSlotMs(at: number): number {
  return slotMs - (shanghaiTimeOfDayMs(instant(Math.round(at))) % slotMs);
}

export function priceOf(model: BillingModel, period: Period): number {
  return model[`${period}ElecPrice`] + model[`${period}ServPrice`];
}

/** Prices a charge as the station does: periods rounded to the wire's units so that they add up to the total. */
export function billOf(model: BillingModel, energies: PeriodEnergies): Bill {
  let sumWh = 0;
  let told = 0;
  const lines = {} as Record<Period, PeriodBill>;
  for (const period of periods) {
    sumWh += energies[period];
    // The margin absorbs floating-point noise, as for whole watt-hours.
    const energyTenthsWh = Math.floor(sumWh * 10 + 1e-5) - told;
    told += energyTenthsWh;
    const lossTenthsWh = Math.round((energyTenthsWh * (100 + model.lossRatio)) / 100);
    const price = priceOf(model, period);
    lines[period] = {
      price,
      energyTenthsWh,
      lossTenthsWh,
      amountHundredthsFen: Math.round((lossTenthsWh * price) / 1e5),
    };
  }
  const sum = (of: (line: PeriodBill) => number) => periods.reduce((so, period) => so + of(lines[period]), 0);
  return {
    lines,
    energyTenthsWh: told,
    lossTenthsWh: sum((line) => line.lossTenthsWh),
    amountHundredthsFen: sum((line) => line.amountHundredthsFen),
  };
}
