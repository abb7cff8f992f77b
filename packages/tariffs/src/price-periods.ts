import { type WattHours, wattHours } from '@voltdeck/units/energy';
import { dayMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { type Fen, feeFenOfTenths, fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Bill, type EnergyLine, sumLines } from './bill.ts';
import { openEnergyMeter, slotAt } from './energy-meter.ts';
import type { EnergyTariff, Period } from './tariff.ts';

/** The energy of one price period as a station counted it. */
export type PeriodEnergy = { period: Period; energyTenthsWh: number };

/** The periods of a charge as its station reports them, with their total. */
export type PeriodEnergies = { periods: readonly PeriodEnergy[]; energyTenthsWh: number };

/** Each period may be rounded on its own, so it may miss its share of the total by this. */
export const periodToleranceTenthsWh = 1;

/** A station's clock may differ from ours by this, so a charge may reach into the slots next to its own. */
const clockSlackMs = 10 * minuteMs;

/** Why a charge cannot be priced by its periods. */
export type PeriodsFault =
  /** They omit or add energy, or do not match the order's energy. */
  | { code: 'periods_differ'; energyWh: number; energyTenthsWh: number; sumTenthsWh: number }
  /** The tariff does not have this one at the time of the charge. */
  | { code: 'period_absent'; period: Period };

/**
 * The bill of a charge whose station reports only how much energy fell into which period: one line for each period with
 * energy, with the charge's own `from` and `to`. Fees are priced in tenths of a Wh, electricity and service each
 * rounded half up to the fen once; the lines' energies are cut by cumulative rounding, so that they add up to
 * `energyWh`.
 *
 * @param charge.energyWh the order's energy, within half a Wh of `energyTenthsWh`
 */
export function pricePeriods(
  charge: PeriodEnergies & { tariff: EnergyTariff; from: Instant; to: Instant; energyWh: WattHours },
): Result<Bill, PeriodsFault> {
  const { tariff, from, to, energyWh, energyTenthsWh, periods } = charge;
  const sumTenthsWh = periods.reduce((sum, period) => sum + period.energyTenthsWh, 0);
  const isWhole = Math.abs(sumTenthsWh - energyTenthsWh) <= periods.length * periodToleranceTenthsWh;
  const isOfOrder = Math.abs(energyWh * 10 - energyTenthsWh) <= 5;
  if (!isWhole || !isOfOrder || periods.some((period) => period.energyTenthsWh < 0)) {
    return failed({ code: 'periods_differ', energyWh, energyTenthsWh, sumTenthsWh });
  }
  const filled = periods.filter((period) => period.energyTenthsWh > 0);
  if (filled.length === 0 && energyWh > 0) {
    return failed({ code: 'periods_differ', energyWh, energyTenthsWh, sumTenthsWh });
  }
  const period = absentPeriod(charge);
  if (period !== null) return failed({ code: 'period_absent', period });
  let tenthsSoFar = 0;
  let cutWh = 0;
  const lines = filled.map((period, index): EnergyLine => {
    const { electricity, service } = tariff.prices[period.period];
    tenthsSoFar += period.energyTenthsWh;
    // The last line ends with the order's energy, whatever rounding of the periods left over.
    const untilWh = index === filled.length - 1 ? energyWh : Math.min(Math.round(tenthsSoFar / 10), energyWh);
    const lineWh = untilWh - cutWh;
    cutWh = untilWh;
    return {
      kind: 'energy',
      from,
      to,
      period: period.period,
      energyWh: wattHours(lineWh),
      electricityPriceE5: electricity,
      servicePriceE5: service,
      electricityFeeFen: feeFenOfTenths(period.energyTenthsWh, electricity),
      serviceFeeFen: feeFenOfTenths(period.energyTenthsWh, service),
    };
  });
  return ok(sumLines(lines, energyWh));
}

/**
 * A period with energy that the tariff does not have at the time of the charge, as a station that numbers its periods
 * wrongly reports it; null if there is none. A charge whose times are one and the same instant cannot be judged.
 */
export function absentPeriod({
  tariff,
  from,
  to,
  periods,
}: Pick<PeriodEnergies, 'periods'> & { tariff: EnergyTariff; from: Instant; to: Instant }): Period | null {
  if (from === to) return null;
  const firstAt = instant(from - clockSlackMs);
  const lastAt = Math.min(to + clockSlackMs, firstAt + dayMs);
  const { slotOfHalfHour } = openEnergyMeter(tariff, firstAt, wattHours(0));
  const present = new Set<Period>();
  for (let slot = slotAt(slotOfHalfHour, firstAt); ; slot = slotAt(slotOfHalfHour, slot.to)) {
    present.add(slot.period);
    if (slot.to > lastAt) break;
  }
  const absent = periods.find(
    ({ period, energyTenthsWh }) => energyTenthsWh > periodToleranceTenthsWh && !present.has(period),
  );
  return absent?.period ?? null;
}

/** A tenth of a Wh × 1e-5 yuan per kWh. */
const perYuanE4 = 100_000n;
const perFen = 10_000_000n;

/** The station's total and the price of the same energies by a tariff, unrounded except for the last digit shown. */
export type AmountDifference = {
  stationFen: Fen;
  oursFen: Fen;
  periods: readonly (PeriodEnergy & {
    stationPriceE5: number;
    oursPriceE5: number;
    stationAmountE4: number;
    oursAmountE4: number;
  })[];
};

/**
 * The difference between a station's own total and its energies × the prices of `tariff`, with the prices of both; null
 * when they are at most one fen apart. Nothing is rounded before the comparison.
 */
export function amountDifference(
  tariff: EnergyTariff,
  told: { amountE4: number; periods: readonly (PeriodEnergy & { priceE5: number; amountE4: number })[] },
): AmountDifference | null {
  const priced = told.periods.map((period) => {
    const { electricity, service } = tariff.prices[period.period];
    const oursPriceE5 = electricity + service;
    return { period, oursPriceE5, exact: BigInt(period.energyTenthsWh) * BigInt(oursPriceE5) };
  });
  const ours = priced.reduce((sum, { exact }) => sum + exact, 0n);
  const station = BigInt(told.amountE4) * perYuanE4;
  const apart = station > ours ? station - ours : ours - station;
  if (apart <= perFen) return null;
  return {
    stationFen: fen(divided(station, perFen)),
    oursFen: fen(divided(ours, perFen)),
    periods: priced.map(({ period, oursPriceE5, exact }) => ({
      period: period.period,
      energyTenthsWh: period.energyTenthsWh,
      stationPriceE5: period.priceE5,
      oursPriceE5,
      stationAmountE4: period.amountE4,
      oursAmountE4: divided(exact, perYuanE4),
    })),
  };
}

/** Rounded half up. */
function divided(exact: bigint, by: bigint): number {
  return Number((exact + by / 2n) / by);
}
