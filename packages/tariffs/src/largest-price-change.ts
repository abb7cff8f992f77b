import { type EnergyTariff, type HourTariff, periods, type Tariff } from './tariff.ts';

/** A fen in 1e-5 yuan. */
const e5PerFen = 1_000;

/**
 * By how much prices differ at the most, in 1e-5 yuan: per kWh in any half hour of the day, electricity and service
 * together, or per step in any tier. No tariff costs nothing; one kind of price is not compared with the other.
 */
export function largestPriceChange(before: Tariff | null, after: Tariff | null): number {
  if (before?.kind === 'energy' && after?.kind === 'energy') return largest(energyPrices(before), energyPrices(after));
  if (before?.kind === 'hour' && after?.kind === 'hour') return largest(stepPrices(before), stepPrices(after));
  return Math.max(...[before, after].map((tariff) => (tariff === null ? 0 : largest([], pricesOf(tariff)))));
}

function pricesOf(tariff: Tariff): number[] {
  return tariff.kind === 'energy' ? energyPrices(tariff) : stepPrices(tariff);
}

const halfHours = 48;

/** The price of a kWh in each half hour of the day. */
function energyPrices({ prices, slots }: EnergyTariff): number[] {
  const total = new Map(periods.map((period) => [period, prices[period].electricity + prices[period].service]));
  return Array.from({ length: halfHours }, (_, index) => {
    const slot = slots.find(({ start, end }) => halfHourOf(start) <= index && index < halfHourOf(end));
    return slot === undefined ? 0 : (total.get(slot.period) ?? 0);
  });
}

function halfHourOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 2 + minutes / 30;
}

/** The fee of a step in each tier. */
function stepPrices({ tiers }: HourTariff): number[] {
  return tiers.map(({ feeFenPerStep }) => feeFenPerStep * e5PerFen);
}

function largest(before: readonly number[], after: readonly number[]): number {
  const length = Math.max(before.length, after.length);
  return Math.max(0, ...Array.from({ length }, (_, index) => Math.abs((after[index] ?? 0) - (before[index] ?? 0))));
}
