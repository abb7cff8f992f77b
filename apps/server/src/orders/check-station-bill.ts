import type { StationBill } from '@voltdeck/charging/station-bill';
import type { Bill } from '@voltdeck/tariffs/bill';
import { readTariff } from '@voltdeck/tariffs/check-tariff';
import { amountDifference, periodToleranceTenthsWh, pricePeriods } from '@voltdeck/tariffs/price-periods';
import type { EnergyTariff, Tariff } from '@voltdeck/tariffs/tariff';
import type { WattHours } from '@voltdeck/units/energy';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Flag } from './order-record.ts';

/** Registers of many meters step by 10 Wh: at both ends they may miss the energy of the charge by so much. */
const registerToleranceTenthsWh = 200;

/** The bill by the station's own periods; null when they do not tell the whole charge or the tariff has no periods. */
export function priceByPeriods(
  tariff: Tariff,
  charge: { bill: StationBill; from: Instant; to: Instant; energyWh: WattHours },
): Bill | null {
  const energyTariff = energyTariffOf(tariff);
  if (energyTariff === null) return null;
  const { bill, from, to, energyWh } = charge;
  const { periods, energyTenthsWh } = bill;
  const priced = pricePeriods({ tariff: energyTariff, from, to, energyWh, periods, energyTenthsWh });
  return priced.ok ? priced.value : null;
}

/**
 * What is odd about a station's own bill beside ours: its registers do not fit its energy, or its sum is not what the
 * tariff that it runs makes of its energies.
 */
export async function flagsOfStationBill(
  trx: Transaction<Tables>,
  order: { station_id: StationId; tariff: unknown },
  bill: StationBill,
  ours: Bill,
): Promise<Flag[]> {
  const flags = registerFlags(bill);
  const tariff = (await runningTariff(trx, order.station_id)) ?? energyTariffOf(order.tariff as Tariff);
  if (tariff === null) return flags;
  const sumTenthsWh = bill.periods.reduce((sum, { energyTenthsWh }) => sum + energyTenthsWh, 0);
  if (Math.abs(sumTenthsWh - bill.energyTenthsWh) <= bill.periods.length * periodToleranceTenthsWh) {
    const difference = amountDifference(tariff, bill);
    if (difference !== null) {
      const evidence = { stationAmountE4: bill.amountE4, ...difference, billedFen: ours.amountFen };
      flags.push({ rule: 'amount_differs', evidence });
    }
    return flags;
  }
  // Its periods are not the charge: all that can be compared is the sum, to a fen for each fee that we rounded.
  const stationFen = Math.round(bill.amountE4 / 100);
  if (Math.abs(stationFen - ours.amountFen) > 1 + ours.lines.length) {
    const evidence = {
      stationAmountE4: bill.amountE4,
      stationFen,
      oursFen: ours.amountFen,
      energyWh: Math.round(bill.energyTenthsWh / 10),
      periodsWh: Math.round(sumTenthsWh / 10),
    };
    flags.push({ rule: 'amount_differs', evidence });
  }
  return flags;
}

/** Registers that both say zero are no registers. */
function registerFlags({ meterStartTenthsWh, meterStopTenthsWh, energyTenthsWh }: StationBill): Flag[] {
  if (meterStartTenthsWh === 0 && meterStopTenthsWh === 0) return [];
  const risenTenthsWh = meterStopTenthsWh - meterStartTenthsWh;
  if (Math.abs(risenTenthsWh - energyTenthsWh) <= registerToleranceTenthsWh) return [];
  const evidence = {
    meterStartWh: Math.round(meterStartTenthsWh / 10),
    meterStopWh: Math.round(meterStopTenthsWh / 10),
    energyWh: Math.round(energyTenthsWh / 10),
  };
  return [{ rule: risenTenthsWh < 0 ? 'meter_backwards' : 'meter_jump', evidence }];
}

async function runningTariff(trx: Transaction<Tables>, stationId: StationId): Promise<EnergyTariff | null> {
  const row = await trx
    .selectFrom('stations')
    .innerJoin('tariffs', 'tariffs.id', 'stations.running_tariff_id')
    .select('tariffs.detail')
    .where('stations.id', '=', stationId)
    .executeTakeFirst();
  return row === undefined ? null : energyTariffOf(row.detail as Tariff);
}

function energyTariffOf(tariff: Tariff | null): EnergyTariff | null {
  if (tariff === null || tariff.kind !== 'energy') return null;
  const read = readTariff(tariff);
  return read.ok && read.value.kind === 'energy' ? read.value : null;
}
