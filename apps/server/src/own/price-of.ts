import type { ShownPrice } from '@voltdeck/contract/own';
import type { EnergyTariff, Tariff } from '@voltdeck/tariffs/tariff';
import { minuteOf } from '@voltdeck/tariffs/time-of-day';
import { type Instant, minuteMs, shanghaiTimeOfDayMs } from '@voltdeck/units/instant';

/** A billing rule as a customer reads it, with the price that holds at an instant. */
export function priceOf(tariff: Tariff, at: Instant): ShownPrice {
  if (tariff.kind === 'hour') {
    const { stepMinutes, measuredBy, longestRunHours, tiers } = tariff;
    return { kind: 'hour', stepMinutes, measuredBy, longestRunHours, tiers: tiers.map((tier) => ({ ...tier })) };
  }
  const slots = tariff.slots.map(({ start, end, period }) => ({ start, end, ...pricesOf(tariff, period) }));
  return { kind: 'energy', now: pricesOf(tariff, periodAt(tariff, at)), slots };
}

function pricesOf({ prices }: EnergyTariff, period: EnergyTariff['slots'][number]['period']) {
  const { electricity, service } = prices[period];
  return { period, electricityPriceE5: electricity, servicePriceE5: service };
}

function periodAt({ slots }: EnergyTariff, at: Instant): EnergyTariff['slots'][number]['period'] {
  const minute = shanghaiTimeOfDayMs(at) / minuteMs;
  const slot = slots.find(({ start, end }) => minuteOf(start) <= minute && minute < minuteOf(end));
  if (slot === undefined) throw new Error('the slots of a rule leave a part of the day out');
  return slot.period;
}
