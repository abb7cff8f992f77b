import { foundChargesMax, type findCharges as route } from '@voltdeck/contract/readings';
import type { AnswerOf } from '@voltdeck/contract/route';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { filterOrders } from '../orders/filter-orders.ts';

type Found = AnswerOf<typeof route>;

/** Charges by a part of their number, else by the number of their station; the newest ones where no text is given. */
export async function findCharges(db: Kysely<Tables>, caller: Caller, text: string | undefined): Promise<Found> {
  const wanted = text === undefined || text === '' ? undefined : text;
  const byNumber = await newest(db, caller, wanted === undefined ? {} : { number: wanted });
  if (byNumber.length > 0 || wanted === undefined) return { items: byNumber };
  return { items: await newest(db, caller, { stationNumber: wanted }) };
}

async function newest(
  db: Kysely<Tables>,
  caller: Caller,
  filter: { number?: string; stationNumber?: string },
): Promise<Found['items']> {
  const orders = await filterOrders(db, caller, filter);
  if (orders === null) return [];
  const rows = await orders[0]
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .select([
      'orders.id',
      'orders.number',
      'stations.number as stationNumber',
      'orders.connector_number as connectorNumber',
      'orders.energy_wh as energyWh',
      sql<Instant>`orders.started_at`.as('startedAt'),
    ])
    .where(sql<boolean>`orders.started_at is not null`)
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(sql.lit(foundChargesMax))
    .execute();
  return rows.map((row) => ({ ...row, startedAt: toIso(row.startedAt) }));
}
