import type { SiteDetail } from '@voltdeck/contract/sites';
import type { Period } from '@voltdeck/tariffs/tariff';
import { minuteOf } from '@voltdeck/tariffs/time-of-day';

type Detail = SiteDetail['tariffs'][number]['detail'];

export type PricedSlot = {
  start: string;
  end: string;
  period: Period;
  minutes: number;
  electricityE5: number;
  serviceE5: number;
};

/** The slots of a day with their prices; neighbours of one period are one. Empty where the price does not follow the clock. */
export function pricedSlots(detail: Detail): readonly PricedSlot[] {
  if (detail.kind === 'hour') return [];
  const joined: PricedSlot[] = [];
  for (const { start, end, period } of detail.slots) {
    const minutes = minuteOf(end) - minuteOf(start);
    const last = joined.at(-1);
    if (last?.period === period) {
      last.end = end;
      last.minutes += minutes;
    } else {
      const { electricity: electricityE5, service: serviceE5 } = detail.prices[period];
      joined.push({ start, end, period, minutes, electricityE5, serviceE5 });
    }
  }
  return joined;
}
