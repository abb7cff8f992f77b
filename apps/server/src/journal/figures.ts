import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { int2, int4, int8 } from '../database/column-values.ts';
import { latestOf } from './latest-of.ts';

/** The latest figures of a running order, for lists; the readings are the truth. */
export type OrderFigures = {
  orderId: OrderId;
  energyWh: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
  powerW: number | null;
  socPercent: number | null;
  lastReadingAt: Instant;
};

export async function changeFigures(client: pg.PoolClient, changes: readonly OrderFigures[]): Promise<void> {
  const latest = latestOf(changes, (figures) => figures.orderId);
  if (latest.length === 0) return;
  await client.query(
    `update orders o
        set energy_wh = n.energy_wh, electricity_fee_fen = n.electricity_fee_fen, service_fee_fen = n.service_fee_fen,
            amount_fen = n.electricity_fee_fen + n.service_fee_fen, power_w = n.power_w, soc_percent = n.soc_percent,
            last_reading_at = n.at
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::timestamptz[])
         as n (id, energy_wh, electricity_fee_fen, service_fee_fen, power_w, soc_percent, at)
      where o.id = n.id and o.state = 'charging' and n.at >= coalesce(o.last_reading_at, '-infinity')`,
    [
      latest.map((figures) => figures.orderId),
      latest.map((figures) => int8(figures.energyWh)),
      latest.map((figures) => int8(figures.electricityFeeFen)),
      latest.map((figures) => int8(figures.serviceFeeFen)),
      latest.map((figures) => int4(figures.powerW)),
      latest.map((figures) => int2(figures.socPercent)),
      latest.map((figures) => new Date(figures.lastReadingAt)),
    ],
  );
}
