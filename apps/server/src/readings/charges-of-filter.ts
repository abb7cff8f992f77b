import { type listReadings, logChargesMax } from '@voltdeck/contract/readings';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, parseIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { FilterOf } from '../http/list-source.ts';
import { filterOrders } from '../orders/filter-orders.ts';
import { readingMarginMs } from '../orders/order-readings.ts';

type LogFilter = Omit<FilterOf<typeof listReadings>, 'doubted'>;

/** Charges of a period are looked for among the orders placed up to this long before it. */
const placedBeforeMs = 7 * dayMs;

export type FoundCharges = {
  ids: OrderId[];
  /** Where their readings lie, within the filter's period: it limits the partitions that are read. */
  from: Instant;
  to: Instant;
};

export const namesCharges = ({ orderNumber, orderId, stationNumber, stationId }: LogFilter): boolean =>
  orderNumber !== undefined || orderId !== undefined || stationNumber !== undefined || stationId !== undefined;

/** The filter's period, whose end is the first instant after it; open where it has none. */
export function periodOf(filter: Pick<LogFilter, 'from' | 'to'>, now: Instant): { from: Instant; to: Instant } {
  return {
    from: filter.from === undefined ? instant(0) : (parseIso(filter.from) ?? instant(0)),
    // A station's clock may be ahead of ours.
    to:
      filter.to === undefined ? instant(now + dayMs) : instant(Math.min((parseIso(filter.to) ?? now) + 1, now + dayMs)),
  };
}

/**
 * The newest charges that a filter of the charging log matches within the caller's scope. Readings are found by their
 * charges alone, so that no statement reads more of them than these have. Null when nothing can match.
 */
export async function chargesOf(
  db: Kysely<Tables>,
  caller: Caller,
  filter: LogFilter,
  now: Instant,
): Promise<FoundCharges | null> {
  const { orderNumber, orderId, stationNumber, stationId, connectorNumber } = filter;
  const period = periodOf(filter, now);
  const orders = await filterOrders(db, caller, {
    ...(orderNumber === undefined ? {} : { number: orderNumber }),
    ...(stationNumber === undefined ? {} : { stationNumber }),
    ...(stationId === undefined ? {} : { stationId }),
    ...(connectorNumber === undefined ? {} : { connectorNumber }),
  });
  if (orders === null) return null;
  let [query] = orders;
  query = query.where(sql<boolean>`orders.started_at is not null`);
  if (orderId !== undefined) query = query.where('orders.id', '=', orderId);
  if (filter.from !== undefined && orderId === undefined && orderNumber === undefined) {
    query = query.where('orders.placed_at', '>=', instant(period.from - placedBeforeMs));
  }
  if (filter.to !== undefined) query = query.where('orders.placed_at', '<', period.to);
  if (filter.from !== undefined) {
    query = query.where((eb) => eb.or([eb('orders.ended_at', 'is', null), eb('orders.ended_at', '>=', period.from)]));
  }
  const rows = await query
    .select(['orders.id', 'orders.placed_at', 'orders.started_at', 'orders.ended_at'])
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.id', 'desc')
    .limit(sql.lit(namesCharges(filter) ? logChargesMax.atStation : logChargesMax.anywhere))
    .execute();
  if (rows.length === 0) return null;
  const beginnings = rows.map((row) => Math.min(row.placed_at, row.started_at ?? row.placed_at) - readingMarginMs);
  const endings = rows.map((row) => (row.ended_at === null ? now + dayMs : row.ended_at + readingMarginMs));
  return {
    ids: rows.map(({ id }) => id),
    from: instant(Math.max(period.from, Math.min(...beginnings))),
    to: instant(Math.min(period.to, Math.max(...endings))),
  };
}
