import type { OrderId } from '@voltdeck/units/id';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** How far outside its order's own time a reading may lie. */
export const readingMarginMs = 10 * minuteMs;

export type StoredReading = {
  at: Instant;
  energyWh: number | null;
  powerW: number | null;
  socPercent: number | null;
};

/** An order's readings by time. `from` limits the partitions that are read. */
export async function readingsOf(db: Database['db'], orderId: OrderId, from: Instant): Promise<StoredReading[]> {
  const { rows } = await sql<{
    at: number;
    energy_wh: number | null;
    power_w: number | null;
    soc_percent: number | null;
  }>`
    select at, energy_wh, power_w, soc_percent from readings
     where order_id = ${orderId} and at >= to_timestamp(${from - readingMarginMs} / 1000.0)
     order by at`.execute(db);
  return rows.map((row) => ({
    at: row.at as Instant,
    energyWh: row.energy_wh,
    powerW: row.power_w,
    socPercent: row.soc_percent === null ? null : Math.round(row.soc_percent),
  }));
}

/**
 * The time of a charge's last stored reading, which its figures in the order's row lag behind. Null when there is none.
 */
export async function lastReadAt(
  db: Database['db'],
  order: { id: OrderId; started_at: Instant | null; placed_at: Instant },
): Promise<Instant | null> {
  const readings = await readingsOf(db, order.id, order.started_at ?? order.placed_at);
  return readings.findLast(({ energyWh }) => energyWh !== null)?.at ?? null;
}

/** Whether any reading of the charge shows delivered energy. */
export async function hasEnergy(
  db: Database['db'],
  order: { id: OrderId; started_at: Instant | null; meter_start_wh: number | null },
): Promise<boolean> {
  if (order.started_at === null) return false;
  const readings = await readingsOf(db, order.id, order.started_at);
  return readings.some(({ energyWh }) => energyWh !== null && energyWh > (order.meter_start_wh ?? 0));
}
