import type { Flag } from '@voltdeck/charging/charge/charge';
import type { Billing } from '@voltdeck/charging/charge/decide-settlement';
import { plausibilityLimits } from '@voltdeck/charging/charge/plausibility';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { Bill } from '@voltdeck/tariffs/bill';
import { readTariff } from '@voltdeck/tariffs/check-tariff';
import { isFree } from '@voltdeck/tariffs/free-tariff';
import { uncappedBillOf } from '@voltdeck/tariffs/meter';
import { meterOf } from '@voltdeck/tariffs/price-charge';
import type { PriceFault } from '@voltdeck/tariffs/price-fault';
import { absentPeriod, amountDifference, periodToleranceTenthsWh, pricePeriods } from '@voltdeck/tariffs/price-periods';
import { atMostPrepaid, fixedChoice } from '@voltdeck/tariffs/rider-choice';
import type { EnergyTariff, Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours, watts } from '@voltdeck/units/energy';
import { type Fen, subtractFen } from '@voltdeck/units/money';
import { ok, type Result } from '@voltdeck/units/result';

/** How a bill's energy was divided into periods. */
export type PricedBy = 'station_periods' | 'readings' | 'hand';

/** `forgoneFen` is what the charge cost above what its rider prepaid, and nobody owes. */
export type PricedBilling = { bill: Bill; pricedBy: PricedBy; forgoneFen: Fen };

/** The bill as the order's rider chose to pay it. `running` is the tariff the station ran, null while unknown. */
export function priceBilling(
  tariff: Tariff,
  billing: Billing,
  running: Tariff | null,
): Result<PricedBilling, PriceFault> {
  const priced = priceUncapped(tariff, billing, running);
  if (!priced.ok) return priced;
  const { bill: uncapped, pricedBy } = priced.value;
  const bill = atMostPrepaid(tariff, uncapped);
  return ok({ bill, pricedBy, forgoneFen: subtractFen(uncapped.amountFen, bill.amountFen) });
}

/**
 * The bill by the periods of the station's own record, where that covers the whole charge and the station used the
 * slots of this tariff; otherwise by the readings between start and stop. The registers at both ends decide the energy.
 */
function priceUncapped(
  tariff: Tariff,
  billing: Billing,
  running: Tariff | null,
): Result<{ bill: Bill; pricedBy: PricedBy }, PriceFault> {
  const { startedAt, endedAt, meterStartWh, meterStopWh, bill } = billing;
  const energyTariff = energyTariffOf(tariff);
  const isMetered = fixedChoice(tariff) === null;
  if (
    isMetered &&
    bill !== null &&
    energyTariff !== null &&
    (running === null || haveSameSlots(energyTariff, running))
  ) {
    const energyWh = wattHours(meterStopWh - meterStartWh);
    const { periods, energyTenthsWh } = bill;
    const charge = { tariff: energyTariff, from: startedAt, to: endedAt, energyWh, periods, energyTenthsWh };
    const priced = pricePeriods(charge);
    if (priced.ok) return ok({ bill: priced.value, pricedBy: 'station_periods' });
  }
  const meter = meterOf({
    tariff,
    readings: [
      { at: startedAt, energyWh: meterStartWh },
      ...billing.readings.map(({ at, energyWh, powerW }) => ({
        at,
        energyWh: wattHours(energyWh),
        powerW: powerW === null ? undefined : watts(powerW),
      })),
      { at: endedAt, energyWh: meterStopWh },
    ],
    powers: billing.powers.map(({ at, powerW }) => ({ at, powerW: watts(powerW) })),
  });
  return meter.ok ? ok({ bill: uncappedBillOf(meter.value), pricedBy: 'readings' }) : meter;
}

function haveSameSlots(tariff: EnergyTariff, running: Tariff): boolean {
  const other = energyTariffOf(running);
  return other !== null && slotsText(tariff) === slotsText(other);
}

/** Merges neighbouring slots of one period. */
function slotsText({ slots }: EnergyTariff): string {
  return slots
    .filter(({ period }, index) => slots[index - 1]?.period !== period)
    .map(({ start, period }) => `${start} ${period}`)
    .join();
}

/**
 * Discrepancies between a station's own bill and ours: its registers do not match its energy, or its total is not what
 * the tariff it runs gives for its energies.
 */
export function flagsOfStationBill(
  ordered: Tariff,
  running: Tariff | null,
  { bill, startedAt: from, endedAt: to }: Billing & { bill: StationBill },
  { bill: ours, forgoneFen }: PricedBilling,
): Flag[] {
  const flags = registerFlags(bill);
  // What the station showed at a free charge or at a fixed price is of no account, and it may run any tariff.
  if (isFree(ordered) || fixedChoice(ordered) !== null) return flags;
  const tariff = (running === null ? null : energyTariffOf(running)) ?? energyTariffOf(ordered);
  if (tariff === null) return flags;
  const sumTenthsWh = bill.periods.reduce((sum, { energyTenthsWh }) => sum + energyTenthsWh, 0);
  const wrongPeriod = absentPeriod({ tariff, from, to, periods: bill.periods });
  const isWhole = Math.abs(sumTenthsWh - bill.energyTenthsWh) <= bill.periods.length * periodToleranceTenthsWh;
  if (isWhole && wrongPeriod === null) {
    const difference = amountDifference(tariff, bill);
    if (difference !== null) {
      const evidence = { stationAmountE4: bill.amountE4, ...difference, billedFen: ours.amountFen };
      flags.push({ rule: 'amount_differs', evidence });
    }
    return flags;
  }
  // Its periods do not cover the charge or are not those of its time, so only the total can be compared, to a fen for each fee that we rounded.
  const stationFen = Math.round(bill.amountE4 / 100);
  if (Math.abs(stationFen - ours.amountFen - forgoneFen) > 1 + ours.lines.length) {
    const evidence = {
      stationAmountE4: bill.amountE4,
      stationFen,
      oursFen: ours.amountFen,
      energyWh: Math.round(bill.energyTenthsWh / 10),
      periodsWh: Math.round(sumTenthsWh / 10),
      ...(wrongPeriod !== null && { wrongPeriod }),
    };
    flags.push({ rule: 'amount_differs', evidence });
  }
  return flags;
}

/** Registers that are both zero carry no information. */
function registerFlags({ meterStartTenthsWh, meterStopTenthsWh, energyTenthsWh }: StationBill): Flag[] {
  if (meterStartTenthsWh === 0 && meterStopTenthsWh === 0) return [];
  const risenTenthsWh = meterStopTenthsWh - meterStartTenthsWh;
  if (Math.abs(risenTenthsWh - energyTenthsWh) <= plausibilityLimits.registerToleranceTenthsWh) return [];
  const evidence = {
    meterStartWh: Math.round(meterStartTenthsWh / 10),
    meterStopWh: Math.round(meterStopTenthsWh / 10),
    energyWh: Math.round(energyTenthsWh / 10),
  };
  return [{ rule: risenTenthsWh < 0 ? 'meter_backwards' : 'meter_jump', evidence }];
}

function energyTariffOf(tariff: Tariff): EnergyTariff | null {
  if (tariff.kind !== 'energy') return null;
  const read = readTariff(tariff);
  return read.ok && read.value.kind === 'energy' ? read.value : null;
}
