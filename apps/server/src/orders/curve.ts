import type { ChargeLog } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { type KeptCurve, unpackCurve } from './kept-curve.ts';
import { thinReadings } from './thin-readings.ts';

export type CurvePoint = ChargeLog['points'][number];
export type Curve = Pick<ChargeLog, 'source' | 'points'>;

/** At most this many readings of one order are read: a week at one every ten seconds. */
const readingsReadMax = 60_480;

/**
 * The charging curve of an order: its readings, thinned, or what was kept of them. Energy is counted from the start of
 * the charge and never falls, as in the bill.
 */
export async function readCurve(db: Kysely<Tables>, id: OrderId, now: Instant): Promise<Curve> {
  const order = await db
    .selectFrom('orders')
    .select(['placed_at', 'started_at', 'ended_at', 'meter_start_wh'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('readings')
    .select(['at', 'energy_wh', 'power_w', 'current_ma', 'voltage_mv', 'soc_percent', 'doubt'])
    .select(['vehicle_temperature_c', 'cable_temperature_c', 'ambient_temperature_c'])
    .where('order_id', '=', id)
    // Reads only the partitions of the charge's own days.
    .where('at', '>=', instant(Math.min(order.placed_at, order.started_at ?? order.placed_at) - dayMs))
    .where('at', '<=', instant((order.ended_at ?? now) + dayMs))
    .orderBy('at')
    .limit(sql.lit(readingsReadMax))
    .execute();
  if (rows.length === 0) {
    const kept = await db.selectFrom('order_curves').select('points').where('order_id', '=', id).executeTakeFirst();
    if (kept !== undefined) return { source: 'curve', points: unpackCurve(kept.points as KeptCurve | null) };
  }
  return { source: 'readings', points: thinReadings(curveOf(rows, order.meter_start_wh)) };
}

type Row = {
  at: Instant;
  energy_wh: number | null;
  power_w: number | null;
  current_ma: number | null;
  voltage_mv: number | null;
  soc_percent: number | null;
  vehicle_temperature_c: number | null;
  cable_temperature_c: number | null;
  ambient_temperature_c: number | null;
  doubt: string | null;
};

/** Readings in order of time as the points of a curve. A doubted register moves the energy no more than the bill. */
export function curveOf(rows: readonly Row[], meterStartWh: number | null): CurvePoint[] {
  const startWh = meterStartWh ?? rows.find((row) => row.energy_wh !== null)?.energy_wh ?? 0;
  let highestWh = startWh;
  return rows.map((row) => {
    if (row.energy_wh !== null && row.energy_wh > highestWh && row.doubt === null) highestWh = row.energy_wh;
    return {
      at: toIso(row.at),
      energyWh: row.energy_wh === null ? null : highestWh - startWh,
      powerW: row.power_w,
      currentMa: row.current_ma,
      voltageMv: row.voltage_mv,
      socPercent: row.soc_percent,
      vehicleTemperatureC: row.vehicle_temperature_c,
      cableTemperatureC: row.cable_temperature_c,
      ambientTemperatureC: row.ambient_temperature_c,
      doubt: row.doubt as CurvePoint['doubt'],
    };
  });
}
