import type { SiteDetail } from '@voltdeck/contract/sites';
import type { Period } from '@voltdeck/tariffs/tariff';
import { instant, shanghaiDateTime } from '@voltdeck/units/instant';

type Detail = SiteDetail['tariffs'][number]['detail'];

/** The current price per kWh, electricity plus service, and until when; or the price per time step. */
export type PriceNow =
  | { kind: 'energy'; period: Period; priceE5: number; until: string; lowestE5: number; highestE5: number }
  | { kind: 'hour'; lowestFen: number; highestFen: number; stepMinutes: number };

/** Null if the rule has no price at this time of day. */
export function priceNow(detail: Detail, nowMs: number): PriceNow | null {
  if (detail.kind === 'hour') {
    const fees = detail.tiers.map((tier) => tier.feeFenPerStep);
    return {
      kind: 'hour',
      lowestFen: Math.min(...fees),
      highestFen: Math.max(...fees),
      stepMinutes: detail.stepMinutes,
    };
  }
  const { prices, slots } = detail;
  // "24:00" also sorts after every time of day as text.
  const clock = shanghaiDateTime(instant(nowMs)).slice(11, 16);
  const index = slots.findIndex(({ start, end }) => start <= clock && clock < end);
  const slot = slots[index];
  if (slot === undefined) return null;
  const sumOf = (period: Period) => prices[period].electricity + prices[period].service;
  const sums = slots.map(({ period }) => sumOf(period));
  // Neighbouring slots of one period have the same price.
  const next = slots.slice(index).find(({ period }) => period !== slot.period);
  return {
    kind: 'energy',
    period: slot.period,
    priceE5: sumOf(slot.period),
    until: next?.start ?? '24:00',
    lowestE5: Math.min(...sums),
    highestE5: Math.max(...sums),
  };
}
