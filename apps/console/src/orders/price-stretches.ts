import type { Period } from '@voltdeck/tariffs/tariff';
import { minuteOf } from '@voltdeck/tariffs/time-of-day';
import { dayMs, instant, minuteMs, shanghaiDayStart } from '@voltdeck/units/instant';

/** A period of constant price. Times are milliseconds since 1970. */
export type PriceStretch = {
  fromMs: number;
  toMs: number;
  period: Period;
  electricityPriceE5: number;
  servicePriceE5: number;
};

export type SlottedRule = {
  prices: Readonly<Record<Period, { electricity: number; service: number }>>;
  slots: readonly { start: string; end: string; period: Period }[];
};

/** More would mean a wrong clock, not a charge. */
const stretchesMax = 500;

/**
 * The billing rule's prices between two instants, cut at slot borders (Asia/Shanghai), for the strip under the charging
 * curve. Neighbours of the same period stay separate, as in the bill. Returns at most `stretchesMax`.
 */
export function priceStretches(rule: SlottedRule, fromMs: number, toMs: number): PriceStretch[] {
  const stretches: PriceStretch[] = [];
  if (!(toMs > fromMs)) return stretches;
  for (let day = shanghaiDayStart(instant(fromMs)) as number; day < toMs; day += dayMs) {
    for (const slot of rule.slots) {
      const start = Math.max(fromMs, day + minuteOf(slot.start) * minuteMs);
      const end = Math.min(toMs, day + minuteOf(slot.end) * minuteMs);
      if (end <= start) continue;
      if (stretches.length === stretchesMax) return stretches;
      const price = rule.prices[slot.period];
      stretches.push({
        fromMs: start,
        toMs: end,
        period: slot.period,
        electricityPriceE5: price.electricity,
        servicePriceE5: price.service,
      });
    }
  }
  return stretches;
}

export type StripPiece = PriceStretch & {
  /** Where the piece starts and how wide it is, as fractions (0 to 1) of the time axis. */
  left: number;
  width: number;
};

/** Places stretches on an axis from `fromMs` to `toMs`; parts outside are cut off. */
export function stripOf(stretches: readonly PriceStretch[], fromMs: number, toMs: number): StripPiece[] {
  const span = toMs - fromMs;
  if (!(span > 0)) return [];
  return stretches.flatMap((stretch) => {
    const start = Math.max(fromMs, stretch.fromMs);
    const end = Math.min(toMs, stretch.toMs);
    if (end <= start) return [];
    return [{ ...stretch, fromMs: start, toMs: end, left: (start - fromMs) / span, width: (end - start) / span }];
  });
}
