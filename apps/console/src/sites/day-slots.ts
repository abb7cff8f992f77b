import type { SiteDetail } from '@voltdeck/contract/sites';
import type { Period } from '@voltdeck/tariffs/tariff';
import { instant, shanghaiDateTime } from '@voltdeck/units/instant';

type Detail = SiteDetail['tariffs'][number]['detail'];

export type DaySlot = {
  start: string;
  end: string;
  period: Period;
  minutes: number;
  electricityE5: number;
  serviceE5: number;
};

/** "24:00" is the end of the day. */
function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The slots of a day with their prices; neighbours of one period are one. Empty where the price does not follow the clock. */
export function daySlots(detail: Detail): readonly DaySlot[] {
  if (detail.kind === 'hour') return [];
  const joined: DaySlot[] = [];
  for (const { start, end, period } of detail.slots) {
    const minutes = minutesOf(end) - minutesOf(start);
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

/** Minutes since midnight in Asia/Shanghai. */
export function minuteOfDay(nowMs: number): number {
  return minutesOf(shanghaiDateTime(instant(nowMs)).slice(11, 16));
}
