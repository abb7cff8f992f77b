import type { SaleFigures, SiteRanking, StatisticsMeasure } from '@voltdeck/contract/statistics';
import { phrase } from '../phrases.ts';
import { countText, durationText, energyText, moneyText, rateText } from '../ui/figures.ts';

type Measured = Pick<SaleFigures, 'receivableFen' | 'energyWh' | 'orders'>;

export const energyWithUnit = (energyWh: number): string => `${energyText(energyWh)} kWh`;
export const durationOfSeconds = (durationS: number): string => durationText(durationS * 1_000);

export function measuredValue(figures: Measured, measure: StatisticsMeasure): number {
  return { receivable: figures.receivableFen, energy: figures.energyWh, orders: figures.orders }[measure];
}

/** A value with its unit. */
export function measureText(value: number, by: SiteRanking): string {
  return { receivable: moneyText, energy: energyWithUnit, orders: countText, utilisation: rateText }[by](value);
}

export const measureName = (by: SiteRanking): string => phrase(`statistics.by.${by}`);
