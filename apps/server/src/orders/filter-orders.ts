import type { listOrders } from '@voltdeck/contract/orders';
import type { QueryOf } from '@voltdeck/contract/route';
import type { CustomerId, StationId } from '@voltdeck/units/id';
import { parseIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';

export type OrderFilter = Omit<QueryOf<typeof listOrders>, 'page' | 'pageSize' | 'sort' | 'total'>;
export type OrdersQuery = SelectQueryBuilder<Tables, 'orders', object>;

/** A name that fits more customers or stations than this is too wide to be meant; the newest of them are taken. */
const resolvedMax = 1_000;

const timeColumn = { placed: 'orders.placed_at', started: 'orders.started_at', ended: 'orders.ended_at' } as const;

/**
 * The orders that a filter and the caller's scope leave, from the orders table alone: names and numbers of other tables
 * are turned into ids first, so that ten million orders are never joined to be filtered. Null when nothing can match.
 */
export async function filterOrders(
  db: Kysely<Tables>,
  caller: Caller,
  filter: OrderFilter,
): Promise<OrdersQuery | null> {
  let query: OrdersQuery = scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id');
  if (filter.userName !== undefined || filter.phone !== undefined) {
    const ids = await customersNamed(db, filter);
    if (ids.length === 0) return null;
    query = query.where('orders.customer_id', 'in', ids);
  }
  if (filter.stationNumber !== undefined) {
    const ids = await stationsNumbered(db, caller, filter.stationNumber);
    if (ids.length === 0) return null;
    query = query.where('orders.station_id', 'in', ids);
  }
  if (filter.cardNumber !== undefined) {
    query = query.where('orders.card_number', 'in', await numbersOfCard(db, filter.cardNumber.toUpperCase()));
  }
  if (filter.vin !== undefined || filter.plate !== undefined) {
    const vins = await vinsOf(db, filter);
    if (vins.length === 0) return null;
    query = query.where('orders.vin', 'in', vins);
  }
  if (filter.number !== undefined) query = query.where('orders.number', '=', filter.number);
  if (filter.siteId !== undefined) query = query.where('orders.site_id', '=', filter.siteId);
  if (filter.stationId !== undefined) query = query.where('orders.station_id', '=', filter.stationId);
  if (filter.agentId !== undefined) query = query.where('orders.agent_id', '=', filter.agentId);
  if (filter.customerId !== undefined) query = query.where('orders.customer_id', '=', filter.customerId);
  if (filter.connectorNumber !== undefined) {
    query = query.where('orders.connector_number', '=', filter.connectorNumber);
  }
  query = whereIn(query, 'orders.state', filter.state);
  query = whereIn(query, 'orders.waits_for', filter.waitsFor);
  query = whereIn(query, 'orders.payment_state', filter.paymentState);
  query = whereIn(query, 'orders.payment_type', filter.paymentType);
  query = whereIn(query, 'orders.start_mode', filter.startMode);
  query = whereIn(query, 'orders.billing_type', filter.billingType);
  if (filter.abnormal === true) query = query.where(sql<boolean>`orders.abnormal`);
  if (filter.abnormal === false) query = query.where(sql<boolean>`not orders.abnormal`);
  const time = timeColumn[filter.time ?? 'placed'];
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  if (from !== null) query = query.where(time, '>=', from);
  if (to !== null) query = query.where(time, '<=', to);
  return query;
}

/**
 * The choices stand in the statement itself: PostgreSQL uses an index of some states only where it can see the states.
 * They come from the contract's tuples, never from the outside.
 */
function whereIn(query: OrdersQuery, column: string, choices: readonly string[] | undefined): OrdersQuery {
  if (choices === undefined || choices.length === 0) return query;
  return query.where(sql<boolean>`${sql.ref(column)} in (${sql.join(choices.map((choice) => sql.lit(choice)))})`);
}

async function customersNamed(
  db: Kysely<Tables>,
  { userName, phone }: Pick<OrderFilter, 'userName' | 'phone'>,
): Promise<CustomerId[]> {
  let query = db.selectFrom('customers').select('id');
  if (phone !== undefined) {
    query = /^\d{11}$/.test(phone) ? query.where('phone', '=', phone) : query.where('phone', 'like', containing(phone));
  }
  if (userName !== undefined) query = query.where('nickname', 'ilike', containing(userName));
  return (await query.orderBy('created_at', 'desc').limit(resolvedMax).execute()).map(({ id }) => id);
}

async function stationsNumbered(db: Kysely<Tables>, caller: Caller, number: string): Promise<StationId[]> {
  // A registered person has no stations of their own: their orders are at anybody's.
  const stations = (
    caller.customerId === null
      ? scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
      : db.selectFrom('stations')
  ).select('id');
  const exact = await stations.where('number', '=', number).execute();
  if (exact.length > 0) return exact.map(({ id }) => id);
  const similar = await stations.where('number', 'ilike', containing(number)).limit(resolvedMax).execute();
  return similar.map(({ id }) => id);
}

/** An order keeps what the station was shown: the printed or the physical number of one card. */
async function numbersOfCard(db: Kysely<Tables>, number: string): Promise<string[]> {
  const cards = await db
    .selectFrom('cards')
    .select(['number', 'physical_number'])
    .where((eb) => eb.or([eb('number', '=', number), eb('physical_number', '=', number)]))
    .limit(2)
    .execute();
  return [...new Set([number, ...cards.flatMap((card) => [card.number, card.physical_number])])];
}

/** A vehicle is looked for by its whole number. */
async function vinsOf(db: Kysely<Tables>, { vin, plate }: Pick<OrderFilter, 'vin' | 'plate'>): Promise<string[]> {
  if (plate === undefined) return [(vin ?? '').toUpperCase()];
  let vehicles = db.selectFrom('vehicles').select('vin').where('plate', '=', plate.toUpperCase());
  if (vin !== undefined) vehicles = vehicles.where('vin', '=', vin.toUpperCase());
  return (await vehicles.limit(resolvedMax).execute()).map((vehicle) => vehicle.vin);
}
