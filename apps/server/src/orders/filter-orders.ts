import { tidyPlate } from '@voltdeck/charging/plate';
import { tidyVin } from '@voltdeck/charging/vin';
import type { listOrders } from '@voltdeck/contract/orders';
import { codesWithin } from '@voltdeck/regions/regions';
import type { CardId, CustomerId, StationId } from '@voltdeck/units/id';
import { parseIso } from '@voltdeck/units/instant';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import type { FilterOf } from '../http/list-source.ts';
import { beginsWith, endsWith } from '../http/part-of-text.ts';
import { endingDigits } from '../personal/mask-text.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { orderNumberLength } from './order-record.ts';

export type OrderFilter = FilterOf<typeof listOrders>;
type OrdersQuery = SelectQueryBuilder<Tables, 'orders', object>;

/** A name that matches more customers or stations than this is too wide; only the newest are searched. */
const resolvedMax = 1_000;
const wholePhone = /^\d{11}$/;
/** Any three digits occur in every tenth number. */
const orderPartMin = 4;

const timeColumn = { placed: 'orders.placed_at', started: 'orders.started_at', ended: 'orders.ended_at' } as const;

/**
 * The orders that match a filter within the caller's scope, from the orders table alone: names and numbers of other
 * tables become ids first, so that filtering never joins ten million orders. Null when nothing can match. The two numbers
 * of a card are separate queries, because a busy card has tens of thousands of orders under each.
 */
export async function filterOrders(
  db: Kysely<Tables>,
  caller: Caller,
  filter: OrderFilter,
): Promise<[OrdersQuery, ...OrdersQuery[]] | null> {
  let query: OrdersQuery = scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id');
  if (filter.userName === undefined && filter.phone !== undefined && wholePhone.test(filter.phone)) {
    const { phone } = filter;
    query = query.where('orders.customer_id', '=', sql<CustomerId>`(select id from customers where phone = ${phone})`);
  } else if (filter.userName !== undefined || filter.phone !== undefined) {
    const ids = await customersNamed(db, caller, filter);
    if (ids.length === 0) return null;
    query = query.where('orders.customer_id', 'in', ids);
  }
  if (filter.stationNumber !== undefined) {
    const ids = await stationsNumbered(db, caller, filter.stationNumber);
    if (ids.length === 0) return null;
    query = query.where('orders.station_id', 'in', ids);
  }
  if (filter.cardId !== undefined) {
    const card = await numbersOfCard(db, filter.cardId);
    if (card === undefined) return null;
    query = query.where('orders.card_number', 'in', [card.number, card.physical_number]);
  }
  if (filter.vin !== undefined) query = query.where(isOfVehicle(tidyVin(filter.vin)));
  // The plate that the vehicle had when it charged.
  if (filter.plate !== undefined) query = query.where('orders.plate', '=', tidyPlate(filter.plate));
  if (filter.number !== undefined) query = query.where(isNumbered(filter.number));
  if (filter.siteId !== undefined) query = query.where('orders.site_id', '=', filter.siteId);
  if (filter.stationId !== undefined) query = query.where('orders.station_id', '=', filter.stationId);
  if (filter.agentId !== undefined) query = query.where('orders.agent_id', '=', filter.agentId);
  if (filter.regionCode !== undefined) {
    const { from, to } = codesWithin(filter.regionCode);
    query = query.where('orders.site_id', 'in', (db) =>
      db.selectFrom('sites').select('sites.id').where('region_code', '>=', from).where('region_code', '<=', to),
    );
  }
  const { stationType, equipmentType } = filter;
  if (stationType !== undefined) {
    query = query.where('orders.station_id', 'in', (db) =>
      db.selectFrom('stations').select('stations.id').where('type', 'in', stationType),
    );
  }
  if (equipmentType !== undefined) {
    query = query.where('orders.station_id', 'in', (db) =>
      db.selectFrom('stations').select('stations.id').where('equipment_type', '=', equipmentType),
    );
  }
  if (filter.customerId !== undefined) query = query.where('orders.customer_id', '=', filter.customerId);
  if (filter.groupId !== undefined) query = query.where('orders.group_id', '=', filter.groupId);
  if (filter.groupOrder !== undefined) {
    query = query.where('orders.group_id', filter.groupOrder ? 'is not' : 'is', null);
  }
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
  if (filter.cardNumber === undefined) return [query];
  const number = filter.cardNumber.toUpperCase();
  return [
    query.where('orders.card_number', '=', number),
    query.where('orders.card_number', '=', otherNumberOfCard(number)),
  ];
}

/** The whole VIN, or as much of a registered vehicle's as callers without the right to full numbers see. */
function isOfVehicle(vin: string): RawBuilder<boolean> {
  if (vin.length !== endingDigits.shown) return sql`orders.vin = ${vin}`;
  return sql`orders.vin in (select v.vin from vehicles v where right(v.vin, ${sql.lit(endingDigits.shown)}) = ${vin})`;
}

/** People read out the end of a number; its beginning is a time. */
export function isNumbered(text: string): RawBuilder<boolean> {
  const exact = sql<boolean>`orders.number = ${text}`;
  if (text.length < orderPartMin || text.length >= orderNumberLength) return exact;
  return sql`(${exact} or ${beginsWith('orders.number', text)} or ${endsWith('orders.number', text)})`;
}

/**
 * The choices are literals in the statement, because PostgreSQL uses an index of some states only where it can see the
 * states. They come from the contract's tuples, never from outside.
 */
function whereIn(query: OrdersQuery, column: string, choices: readonly string[] | undefined): OrdersQuery {
  if (choices === undefined || choices.length === 0) return query;
  return query.where(sql<boolean>`${sql.ref(column)} in (${sql.join(choices.map((choice) => sql.lit(choice)))})`);
}

async function customersNamed(
  db: Kysely<Tables>,
  caller: Caller,
  { userName, phone }: Pick<OrderFilter, 'userName' | 'phone'>,
): Promise<CustomerId[]> {
  let query = db.selectFrom('customers').select('id');
  if (phone !== undefined) {
    query = wholePhone.test(phone)
      ? query.where('phone', '=', phone)
      : query.where(findsPersonal(caller, 'phone', phone));
  }
  if (userName !== undefined) query = query.where('nickname', 'ilike', containing(userName));
  return (await query.orderBy('created_at', 'desc').limit(resolvedMax).execute()).map(({ id }) => id);
}

async function stationsNumbered(db: Kysely<Tables>, caller: Caller, number: string): Promise<StationId[]> {
  // A registered user owns no stations: their orders may be at any station.
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

/**
 * An order stores the number the station was shown: either the printed or the physical one of a card. This is the other
 * one, looked up in the same statement; null where there is none.
 */
function otherNumberOfCard(number: string): RawBuilder<string | null> {
  return sql`nullif((select case when cards.number = ${number} then cards.physical_number else cards.number end from cards
    where cards.number = ${number} or cards.physical_number = ${number}
    order by cards.number = ${number} desc limit 1), ${number})`;
}

function numbersOfCard(db: Kysely<Tables>, id: CardId) {
  return db.selectFrom('cards').select(['number', 'physical_number']).where('id', '=', id).executeTakeFirst();
}
