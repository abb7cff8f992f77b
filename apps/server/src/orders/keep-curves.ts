import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { readCurve } from './curve.ts';
import { packCurve } from './kept-curve.ts';
import { thinReadings } from './thin-readings.ts';

/** What is kept of a charge beyond its readings: enough for its shape on any screen. */
export const keptPointsMax = 120;
const ordersAtOnce = 100;

/**
 * Writes the thinned curve of every order with readings in a partition that is about to be dropped. It stops at
 * `isOver`, and a later call continues; true when every order has its curve.
 */
export async function keepCurves(
  db: Kysely<Tables>,
  partition: string,
  { now, isOver }: { now: Instant; isOver: () => boolean },
): Promise<boolean> {
  let after = 0;
  while (!isOver()) {
    const ids = await ordersIn(db, partition, after);
    const last = ids.at(-1);
    if (last === undefined) return true;
    const kept = [];
    for (const id of await withoutCurve(db, ids)) {
      const { points } = await readCurve(db, id, now);
      kept.push({ order_id: id, points: JSON.stringify(packCurve(thinReadings(points, keptPointsMax))) });
    }
    if (kept.length > 0) {
      await db
        .insertInto('order_curves')
        .values(kept)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    after = last;
  }
  return false;
}

/** The next orders by id, each found by one look-up in the partition's key, however many readings they have. */
async function ordersIn(db: Kysely<Tables>, partition: string, after: number): Promise<OrderId[]> {
  const next = (than: ReturnType<typeof sql>) =>
    sql`(select min(r.order_id) from ${sql.table(partition)} r where r.order_id > ${than})`;
  const { rows } = await sql<{ order_id: OrderId }>`
    with recursive found (order_id, place) as (
      select ${next(sql`${after}::bigint`)}, 1
      union all
      select ${next(sql`found.order_id`)}, place + 1 from found
       where found.order_id is not null and place < ${ordersAtOnce})
    select order_id from found where order_id is not null`.execute(db);
  return rows.map(({ order_id }) => order_id);
}

async function withoutCurve(db: Kysely<Tables>, ids: readonly OrderId[]): Promise<OrderId[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('order_curves').select('order_id').whereRef('order_id', '=', 'orders.id'))),
    )
    .execute();
  return rows.map(({ id }) => id);
}
