import { listDepthMax } from '@voltdeck/contract/fields';
import type { listOrderReadings, listOrders, Order, OrderDetail, sumOrders } from '@voltdeck/contract/orders';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { type InferResult, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { countedUpTo, countUpTo, type Span, sortOf, type Total, totalOf } from '../http/list-page.ts';
import { filterOrders, type OrderFilter, type OrdersQuery } from './filter-orders.ts';
import type { KnownTotals } from './known-totals.ts';
import { orderSteps } from './order-steps.ts';
import { thinReadings } from './thin-readings.ts';

/** Sums look at no more orders than this; some tenths of a second. */
export const summedMax = 50_000;
/** More readings of one order than this are not looked at: a week at one every ten seconds. */
const readingsReadMax = 60_480;

export const sortColumns = {
  placedAt: 'orders.placed_at',
  startedAt: 'orders.started_at',
  endedAt: 'orders.ended_at',
} as const;
export type OrderSort = keyof typeof sortColumns;

const columns = [
  'orders.id',
  'orders.number',
  'orders.state',
  'orders.waits_for as waitsFor',
  'orders.payment_state as paymentState',
  'orders.payment_type as paymentType',
  'orders.start_mode as startMode',
  'orders.billing_type as billingType',
  'orders.abnormal',
  'orders.site_id as siteId',
  'sites.name as siteName',
  'orders.station_id as stationId',
  'stations.number as stationNumber',
  'stations.name as stationName',
  'stations.type as stationType',
  'stations.equipment_type as equipmentType',
  'orders.connector_number as connectorNumber',
  'orders.agent_id as agentId',
  'agents.name as agentName',
  'orders.customer_id as customerId',
  'customers.nickname as userName',
  'customers.phone',
  'orders.card_number as cardNumber',
  'orders.energy_wh as energyWh',
  'orders.amount_fen as amountFen',
  'orders.electricity_fee_fen as electricityFeeFen',
  'orders.service_fee_fen as serviceFeeFen',
  'orders.paid_fen as paidFen',
  'orders.owed_fen as owedFen',
  'orders.refunded_fen as refundedFen',
  'orders.power_w as powerW',
  'orders.soc_percent as socPercent',
  'orders.placed_at as placedAt',
  'orders.started_at as startedAt',
  'orders.ended_at as endedAt',
  'orders.stop_reason as stopReason',
] as const;

/** Only few orders wait: for the others neither the journal of the order nor its flags are read. */
const waitsSince = `case when orders.waits_for is not null then coalesce(
  (select max((fact ->> 'at')::timestamptz) from jsonb_array_elements(orders.timeline) as fact
    where fact ->> 'event' = 'settlement_waits'),
  (select max(order_flags.at) from order_flags where order_flags.order_id = orders.id),
  orders.placed_at) end`;
const waitsBecause = `case when orders.waits_for is null then '{}' else array(
  select order_flags.rule from order_flags where order_flags.order_id = orders.id
   order by order_flags.at, order_flags.rule) end`;

/** Orders with the names that a list shows. Stations outlive their orders; a site may be gone. */
function withNames<O>(query: SelectQueryBuilder<Tables, 'orders', O>) {
  return query
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .leftJoin('sites', 'sites.id', 'orders.site_id')
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .leftJoin('customers', 'customers.id', 'orders.customer_id')
    .select(columns)
    .select([
      sql.raw<Instant | null>(waitsSince).as('waitsSince'),
      sql.raw<Order['waitsBecause']>(waitsBecause).as('waitsBecause'),
    ]);
}

type NamedRow = InferResult<ReturnType<typeof withNames<object>>>[number];

/** The same columns and names as text: a list is asked for too often to be put together part by part each time. */
const namedColumns = sql.raw<NamedRow>(
  columns
    .map((column) => {
      const [name, alias] = column.split(' as ');
      return alias === undefined ? name : `${name} as "${alias}"`;
    })
    .concat(`${waitsSince} as "waitsSince"`, `${waitsBecause} as "waitsBecause"`)
    .join(', '),
);
const named = sql.raw(`
  join orders on orders.id = listed.id
  join stations on stations.id = orders.station_id
  left join sites on sites.id = orders.site_id
  left join agents on agents.id = orders.agent_id
  left join customers on customers.id = orders.customer_id`);

type OrderRow = Omit<Order, 'waitsSince' | 'placedAt' | 'startedAt' | 'endedAt' | 'stopReason' | 'siteName'> & {
  waitsSince: Instant | null;
  siteName: string | null;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
  stopReason: string | null;
};

function toOrder<Row extends OrderRow>(row: Row) {
  return {
    ...row,
    siteName: row.siteName ?? '',
    waitsSince: isoOrNull(row.waitsSince),
    placedAt: toIso(row.placedAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    stopReason: row.stopReason as Order['stopReason'],
  };
}

const isoOrNull = (at: Instant | null) => (at === null ? null : toIso(at));

/** Newest first unless asked otherwise; orders without the time that is sorted by come behind the others (0002_order_lists.sql). */
export function ordered(query: OrdersQuery, sort: OrderSort | `-${OrderSort}` | undefined): OrdersQuery {
  return query.orderBy(inOrder(sort));
}

function inOrder(sort: OrderSort | `-${OrderSort}` | undefined): RawBuilder<unknown> {
  const { name, direction } = sortOf<OrderSort>(sort ?? '-placedAt');
  // Every order has been placed: its index knows no place for absent times.
  const absent = name === 'placedAt' ? '' : direction === 'desc' ? ' nulls last' : ' nulls first';
  return sql.raw(`${sortColumns[name]} ${direction}${absent}, orders.id ${direction}`);
}

/**
 * One page with its total, in one statement; without the total where it is not asked for, unless it is known anyway. The
 * page's ids are found in the orders table alone, by an index in the order of the list; only those rows are joined to
 * their names.
 */
export async function listOrderPage(
  db: Kysely<Tables>,
  caller: Caller,
  query: QueryOf<typeof listOrders>,
  span: Span,
  totals: KnownTotals,
  now: Instant,
) {
  const { page: _page, pageSize: _pageSize, sort, total: asked, ...filter } = query;
  const filtered = await filterOrders(db, caller, filter);
  if (filtered === null) return { items: [], total: 0 };
  const name = nameOfFilter(caller, filter);
  const isAtLimit = totals.isAtLimit(name, now);
  const isCounted = asked !== 'none' && !isAtLimit;
  const counted = isCounted ? sql<number>`(${countedUpTo(filtered)})` : sql<number>`${sql.lit(listDepthMax + 1)}`;
  const list = selectRows<{ total: number }>(spanned(filtered, span), sort, sql`, ${counted} as total`);
  const { rows } = await list.execute(db);
  const items = rows.map(({ total: _total, ...row }) => toOrder(row));
  // A page that is not full is the last one and says how many there are.
  if (items.length < span.limit && (items.length > 0 || span.offset === 0)) {
    return { items, total: span.offset + items.length };
  }
  if (asked === 'none' && !isAtLimit) return { items, total: null };
  const [first] = rows;
  const total = first === undefined ? await countUpTo(db, filtered) : totalOf(first.total);
  if (total.totalIsAtLeast === true && !isAtLimit) totals.rememberAtLimit(name, now);
  return { items, ...total };
}

/** How many orders a filter leaves, for a page that was answered without it. */
export async function countOrderPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: OrderFilter,
  totals: KnownTotals,
  now: Instant,
): Promise<Total> {
  const name = nameOfFilter(caller, filter);
  if (totals.isAtLimit(name, now)) return totalOf(listDepthMax + 1);
  const filtered = await filterOrders(db, caller, filter);
  if (filtered === null) return { total: 0 };
  const total = await countUpTo(db, filtered);
  if (total.totalIsAtLeast === true) totals.rememberAtLimit(name, now);
  return total;
}

/** The same for the same orders, whoever of the same scope asks. */
function nameOfFilter(caller: Caller, filter: OrderFilter): string {
  return JSON.stringify([caller.agents, caller.customerId, filter]);
}

/** As literals: for a plan that is kept, PostgreSQL needs to see how few rows are wanted. */
function spanned(query: OrdersQuery, { limit, offset }: Span): OrdersQuery {
  return query.limit(sql.lit(limit)).offset(sql.lit(offset));
}

/** The rows of `list` (an unordered query with its limit) in the order of `sort`, with their names. */
export async function readRows(
  db: Kysely<Tables>,
  list: OrdersQuery,
  sort: OrderSort | `-${OrderSort}` | undefined,
): Promise<NamedRow[]> {
  return (await selectRows(list, sort, sql``).execute(db)).rows;
}

function selectRows<More = object>(
  list: OrdersQuery,
  sort: OrderSort | `-${OrderSort}` | undefined,
  more: RawBuilder<unknown>,
): RawBuilder<NamedRow & More> {
  const ids = ordered(list, sort).select('orders.id');
  return sql`select ${namedColumns}${more} from (${ids}) as listed ${named} order by ${inOrder(sort)}`;
}

/** Sums over the newest `summedMax` of the filtered orders. */
export async function sumOrderPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: OrderFilter,
): Promise<AnswerOf<typeof sumOrders>> {
  const filtered = await filterOrders(db, caller, filter);
  const nothing = {
    orders: 0,
    energyWh: 0,
    amountFen: fen(0),
    electricityFeeFen: fen(0),
    serviceFeeFen: fen(0),
    paidFen: fen(0),
    refundedFen: fen(0),
    isPartial: false,
  };
  if (filtered === null) return nothing;
  const newest = ordered(filtered, undefined)
    .select([
      'orders.energy_wh',
      'orders.electricity_fee_fen',
      'orders.service_fee_fen',
      'orders.paid_fen',
      'orders.refunded_fen',
    ])
    .limit(sql.lit(summedMax));
  const { rows } = await sql<typeof nothing>`
    select count(*) as orders,
           coalesce(sum(energy_wh), 0)::bigint as "energyWh",
           coalesce(sum(electricity_fee_fen + service_fee_fen), 0)::bigint as "amountFen",
           coalesce(sum(electricity_fee_fen), 0)::bigint as "electricityFeeFen",
           coalesce(sum(service_fee_fen), 0)::bigint as "serviceFeeFen",
           coalesce(sum(paid_fen), 0)::bigint as "paidFen",
           coalesce(sum(refunded_fen), 0)::bigint as "refundedFen"
      from (${newest}) as newest`.execute(db);
  const [sums] = rows;
  if (sums === undefined) return nothing;
  return { ...sums, isPartial: sums.orders >= summedMax };
}

export async function findOrder(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<Order | null> {
  const row = await withNames(scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id'))
    .where('orders.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toOrder(row);
}

/** What is proposed for an order that waits; one that was written before bills were proposed has none. */
export function storedProposal(column: unknown): OrderDetail['proposal'] {
  if (column === null) return null;
  const { energyWh, endedAt, lines = null } = column as Partial<NonNullable<OrderDetail['proposal']>>;
  return energyWh === undefined || endedAt === undefined ? null : { energyWh, endedAt, lines };
}

/** One order with everything that explains it: bill, flags, books, refunds and what happened when. */
export async function findOrderDetail(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<OrderDetail | null> {
  const row = await withNames(scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id'))
    .leftJoin('tariffs', 'tariffs.id', 'orders.tariff_id')
    .select([
      'orders.meter_start_wh as meterStartWh',
      'orders.meter_stop_wh as meterStopWh',
      'orders.held_fen as heldFen',
      'orders.balance_before_fen as balanceBeforeFen',
      'orders.settled_at as settledAt',
      'orders.vin',
      'orders.transaction_key as transactionKey',
      'orders.stop_code as stopCode',
      'orders.station_bill',
      'orders.proposal',
      'orders.priced_by as pricedBy',
      'orders.timeline',
      'orders.tariff_id as tariffId',
      'orders.tariff',
      'tariffs.name as tariffName',
    ])
    .where('orders.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [lines, flags, postings, refunds] = await Promise.all([
    findLines(db, id),
    findFlags(db, id),
    findPostings(db, id),
    findRefunds(db, id),
  ]);
  const { settledAt, tariffId, tariffName, tariff, timeline, station_bill, ...order } = row;
  const events = timeline as OrderDetail['timeline'];
  return {
    ...toOrder(order),
    stationBill: station_bill as OrderDetail['stationBill'],
    proposal: storedProposal(order.proposal),
    pricedBy: order.pricedBy as OrderDetail['pricedBy'],
    lines,
    flags,
    postings,
    refunds,
    timeline: events,
    steps: orderSteps({ ...order, settledAt, timeline: events }),
    tariff:
      tariff === null || tariffId === null
        ? null
        : { id: tariffId, name: tariffName ?? '', kind: order.billingType, detail: tariff },
  };
}

async function findLines(db: Kysely<Tables>, id: OrderId): Promise<OrderDetail['lines']> {
  const rows = await db.selectFrom('order_lines').selectAll().where('order_id', '=', id).orderBy('line').execute();
  return rows.map((row): OrderDetail['lines'][number] => {
    const span = { from: toIso(row.from_at), to: toIso(row.to_at), energyWh: row.energy_wh };
    const fees = { electricityFeeFen: row.electricity_fee_fen, serviceFeeFen: row.service_fee_fen };
    if (row.kind === 'energy') {
      return {
        kind: 'energy',
        ...span,
        period: stored(row.period, row),
        electricityPriceE5: stored(row.electricity_price_e5, row),
        servicePriceE5: stored(row.service_price_e5, row),
        ...fees,
      };
    }
    return {
      kind: 'hour',
      ...span,
      tierFromW: stored(row.tier_from_w, row),
      tierToW: row.tier_to_w,
      steps: stored(row.steps, row),
      stepMinutes: stored(row.step_minutes, row),
      feeFenPerStep: stored(row.fee_fen_per_step, row),
      ...fees,
    };
  });
}

/** A column that lines of that kind always have. */
function stored<Value>(value: Value | null, row: { order_id: OrderId; line: number }): Value {
  if (value === null) throw new Error(`line ${row.line} of order ${row.order_id} lacks a column of its kind`);
  return value;
}

async function findFlags(db: Kysely<Tables>, id: OrderId): Promise<OrderDetail['flags']> {
  const rows = await db
    .selectFrom('order_flags')
    .select(['rule', 'at', 'evidence'])
    .where('order_id', '=', id)
    .orderBy('at')
    .orderBy('rule')
    .execute();
  return rows.map((row) => ({
    rule: row.rule as OrderDetail['flags'][number]['rule'],
    at: toIso(row.at),
    evidence: row.evidence as Record<string, unknown>,
  }));
}

async function findPostings(db: Kysely<Tables>, id: OrderId): Promise<OrderDetail['postings']> {
  const rows = await db
    .selectFrom('ledger_transfers')
    .innerJoin('ledger_postings', 'ledger_postings.transfer_id', 'ledger_transfers.id')
    .innerJoin('ledger_accounts as giver', 'giver.id', 'ledger_postings.from_account_id')
    .innerJoin('ledger_accounts as taker', 'taker.id', 'ledger_postings.to_account_id')
    .select([
      'ledger_transfers.created_at as at',
      'ledger_transfers.reason',
      'giver.key as from',
      'taker.key as to',
      'ledger_postings.amount_fen as amountFen',
    ])
    .where('ledger_transfers.order_id', '=', id)
    .orderBy('ledger_transfers.id')
    .orderBy('ledger_postings.line')
    .execute();
  return rows.map((row) => ({ ...row, at: toIso(row.at) }));
}

async function findRefunds(db: Kysely<Tables>, id: OrderId): Promise<OrderDetail['refunds']> {
  const rows = await db
    .selectFrom('order_refunds')
    .leftJoin('users', 'users.id', 'order_refunds.user_id')
    .select([
      'order_refunds.id',
      'order_refunds.amount_fen as amountFen',
      'order_refunds.forgiven_fen as forgivenFen',
      'order_refunds.reason',
      'order_refunds.created_at as createdAt',
      'users.real_name as userName',
    ])
    .where('order_id', '=', id)
    .orderBy('order_refunds.id')
    .execute();
  return rows.map((row) => ({ ...row, createdAt: toIso(row.createdAt), userName: row.userName ?? '' }));
}

/** The charging curve. Energy is counted from the start of the charge and never falls, as it was billed. */
export async function findOrderReadings(
  db: Kysely<Tables>,
  caller: Caller,
  id: OrderId,
  now: Instant,
): Promise<AnswerOf<typeof listOrderReadings> | null> {
  const order = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id')
    .select(['placed_at', 'started_at', 'ended_at', 'meter_start_wh'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return null;
  const rows = await db
    .selectFrom('readings')
    .select(['at', 'energy_wh', 'power_w', 'current_ma', 'voltage_mv', 'soc_percent', 'temperature_c'])
    .where('order_id', '=', id)
    // Only the partitions of the charge's own days are opened.
    .where('at', '>=', instant(Math.min(order.placed_at, order.started_at ?? order.placed_at) - dayMs))
    .where('at', '<=', instant((order.ended_at ?? now) + dayMs))
    .orderBy('at')
    .limit(sql.lit(readingsReadMax))
    .execute();
  let highestWh = order.meter_start_wh ?? rows.find((row) => row.energy_wh !== null)?.energy_wh ?? 0;
  const startWh = highestWh;
  const curve = rows.map((row) => {
    if (row.energy_wh !== null && row.energy_wh > highestWh) highestWh = row.energy_wh;
    return {
      at: toIso(row.at),
      energyWh: row.energy_wh === null ? null : highestWh - startWh,
      powerW: row.power_w,
      currentMa: row.current_ma,
      voltageMv: row.voltage_mv,
      socPercent: row.soc_percent,
      temperatureC: row.temperature_c,
    };
  });
  return thinReadings(curve);
}
