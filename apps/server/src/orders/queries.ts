import {
  type listOrderReadings,
  listOrders,
  type Order,
  type OrderDetail,
  type OrderFlag,
} from '@voltdeck/contract/orders';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { addFen } from '@voltdeck/units/money';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { refundableUntil } from '../ledger/refund-period.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';
import { readCurve } from './curve.ts';
import { filterOrders } from './filter-orders.ts';
import { readingsOf } from './order-readings.ts';
import { orderSteps } from './order-steps.ts';
import { runningFigures } from './running-figures.ts';
import { salesOfList } from './sales-of-list.ts';

const columns = [
  'orders.id',
  'orders.number',
  'orders.state',
  'orders.waits_for as waitsFor',
  'orders.payment_state as paymentState',
  'orders.payment_type as paymentType',
  'orders.start_mode as startMode',
  'orders.was_placed as wasPlaced',
  'orders.billing_type as billingType',
  'orders.abnormal',
  'orders.unhandled',
  'orders.site_id as siteId',
  'sites.name as siteName',
  'orders.station_id as stationId',
  'stations.number as stationNumber',
  'stations.name as stationName',
  'stations.online as stationOnline',
  'stations.type as stationType',
  'stations.equipment_type as equipmentType',
  'orders.connector_number as connectorNumber',
  'orders.agent_id as agentId',
  'agents.name as agentName',
  'orders.customer_id as customerId',
  'customers.nickname as userName',
  'customers.phone',
  'orders.plate',
  'orders.vin',
  'orders.card_id as cardId',
  'orders.card_number as cardNumber',
  'orders.group_id as groupId',
  'groups.name as groupName',
  'groups.card_number as groupCardNumber',
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

/** Few orders wait or are flagged: for the others neither the order's journal nor its flags are read. */
const waitsSince = `case when orders.waits_for is not null then coalesce(
  (select max((fact ->> 'at')::timestamptz) from jsonb_array_elements(orders.timeline) as fact
    where fact ->> 'event' = 'settlement_waits'),
  (select max(order_flags.at) from order_flags where order_flags.order_id = orders.id),
  orders.placed_at) end`;
const rules = `array(
  select order_flags.rule from order_flags where order_flags.order_id = orders.id
   order by order_flags.at, order_flags.rule)`;
const waitsBecause = `case when orders.waits_for is null then '{}' else ${rules} end`;
const flaggedBecause = `case when orders.abnormal then ${rules} else '{}' end`;

/** Orders with the names that a list shows. Stations are kept as long as their orders; a site may be deleted. */
export function withNames<O>(query: SelectQueryBuilder<Tables, 'orders', O>) {
  return query
    .innerJoin('stations', 'stations.id', 'orders.station_id')
    .leftJoin('sites', 'sites.id', 'orders.site_id')
    .leftJoin('agents', 'agents.id', 'orders.agent_id')
    .leftJoin('customers', 'customers.id', 'orders.customer_id')
    .leftJoin('groups', 'groups.id', 'orders.group_id')
    .select(columns)
    .select([
      sql<boolean>`orders.group_id is not null`.as('isGroupOrder'),
      sql<number | null>`case when orders.billing_type = 'hour'
        then ((orders.tariff #>> '{chosen,hours}')::numeric * 3600000)::bigint end`.as('expectedDurationMs'),
      sql.raw<Instant | null>(waitsSince).as('waitsSince'),
      sql.raw<Order['waitsBecause']>(waitsBecause).as('waitsBecause'),
      sql.raw<Order['flaggedBecause']>(flaggedBecause).as('flaggedBecause'),
      refundableUntil.as('refundableUntil'),
    ]);
}

export type ListedOrder = Omit<
  Order,
  'waitsSince' | 'refundableUntil' | 'placedAt' | 'startedAt' | 'endedAt' | 'stopReason' | 'siteName'
> & {
  waitsSince: Instant | null;
  refundableUntil: Instant | null;
  siteName: string | null;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
  stopReason: string | null;
};

export function toOrder<Row extends ListedOrder>(row: Row) {
  return {
    ...row,
    siteName: row.siteName ?? '',
    waitsSince: isoOrNull(row.waitsSince),
    refundableUntil: isoOrNull(row.refundableUntil),
    placedAt: toIso(row.placedAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    stopReason: row.stopReason as Order['stopReason'],
  };
}

export const orderList = listSource({
  route: listOrders,
  filtered: filterOrders,
  id: sql`orders.id`,
  sorts: { placedAt: sql`orders.placed_at`, startedAt: sql`orders.started_at`, endedAt: sql`orders.ended_at` },
  // Matches the indexes of 0002_order_lists.sql.
  sometimesAbsent: ['startedAt', 'endedAt'],
  sums: {
    energyWh: sql`orders.energy_wh`,
    amountFen: sql`orders.electricity_fee_fen + orders.service_fee_fen`,
    electricityFeeFen: sql`orders.electricity_fee_fen`,
    serviceFeeFen: sql`orders.service_fee_fen`,
    paidFen: sql`orders.paid_fen`,
    refundedFen: sql`orders.refunded_fen`,
  },
  rows: (db) => withNames(db.selectFrom('orders')),
  toItem: toOrder,
  neverShrinks: true,
  kept: salesOfList,
});

export async function findOrder(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<Order | null> {
  const row = await withNames(scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id'))
    .where('orders.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toOrder(row);
}

/** The proposal for a waiting order; null for orders written before bills were proposed. */
export function storedProposal(column: unknown): OrderDetail['proposal'] {
  if (column === null) return null;
  const { energyWh, endedAt, lines = null } = column as Partial<NonNullable<OrderDetail['proposal']>>;
  return energyWh === undefined || endedAt === undefined ? null : { energyWh, endedAt, lines };
}

/** One order with everything that explains it: bill, flags, books, refunds and timeline. */
export async function findOrderDetail(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<OrderDetail | null> {
  const row = await withNames(scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id'))
    .leftJoin('tariffs', 'tariffs.id', 'orders.tariff_id')
    .select([
      'orders.meter_start_wh as meterStartWh',
      'orders.meter_stop_wh as meterStopWh',
      'orders.held_fen as heldFen',
      'orders.holds',
      'orders.written_off_fen as writtenOffFen',
      'orders.discount_fen as discountFen',
      'orders.balance_before_fen as balanceBeforeFen',
      'orders.settled_at as settledAt',
      'orders.transaction_key as transactionKey',
      'orders.stop_code as stopCode',
      'orders.station_bill',
      'orders.proposal',
      'orders.priced_by as pricedBy',
      'orders.timeline',
      'orders.tariff_id as tariffId',
      'orders.tariff',
      'tariffs.name as tariffName',
      'stations.max_power_w as ratedPowerW',
    ])
    .select(waitingActs('order', 'orders.id').as('waits'))
    .where('orders.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [lines, flags, postings, refunds] = await Promise.all([
    findLines(db, id),
    findFlags(db, caller, id),
    findPostings(db, caller, id),
    findRefunds(db, caller, id),
  ]);
  const { settledAt, tariffId, tariffName, tariff, timeline, station_bill, ratedPowerW, waits, ...order } = row;
  const events = timeline as OrderDetail['timeline'];
  const charge = { ...order, tariff: tariff as Tariff | null, ratedPowerW };
  return {
    ...toOrder(order),
    waits,
    ...(order.state === 'charging' ? await newestFigures(db, charge) : {}),
    stationBill: station_bill as OrderDetail['stationBill'],
    proposal: storedProposal(order.proposal),
    pricedBy: order.pricedBy as OrderDetail['pricedBy'],
    lines,
    flags,
    postings,
    refunds,
    timeline: events,
    steps: orderSteps({ ...order, settledAt, timeline: events }),
    tariff: tariff === null ? null : { id: tariffId, name: tariffName, kind: order.billingType, detail: tariff },
  };
}

/** A running order's figures from its readings: its row lags some seconds behind. */
export async function newestFigures(
  db: Kysely<Tables>,
  order: { id: OrderId; placedAt: Instant; startedAt: Instant | null; meterStartWh: number | null } & {
    tariff: Tariff | null;
    ratedPowerW: number;
  },
): Promise<Partial<OrderDetail>> {
  const startedAt = order.startedAt ?? order.placedAt;
  const readings = await readingsOf(db, order.id, startedAt);
  if (readings.length === 0) return {};
  const figures = runningFigures({ ...order, startedAt }, readings);
  const { energyWh, electricityFeeFen, serviceFeeFen, powerW, socPercent } = figures;
  return {
    energyWh: wattHours(energyWh),
    electricityFeeFen,
    serviceFeeFen,
    amountFen: addFen(electricityFeeFen, serviceFeeFen),
    powerW,
    socPercent,
  };
}

export async function findLines(db: Kysely<Tables>, id: OrderId): Promise<OrderDetail['lines']> {
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

/** A column that lines of this kind always have. */
function stored<Value>(value: Value | null, row: { order_id: OrderId; line: number }): Value {
  if (value === null) throw new Error(`line ${row.line} of order ${row.order_id} lacks a column of its kind`);
  return value;
}

/** The flags of an order, oldest first, with what became of each. */
async function findFlags(db: Kysely<Tables>, { language }: Caller, id: OrderId): Promise<OrderDetail['flags']> {
  const rows = await db
    .selectFrom('order_flags')
    .leftJoin('users', 'users.id', 'order_flags.handled_by')
    .select([
      'order_flags.rule',
      'order_flags.at',
      'order_flags.evidence',
      'order_flags.handled_at',
      'order_flags.handled_how',
      'order_flags.handled_reason',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
    ])
    .where('order_flags.order_id', '=', id)
    .orderBy('order_flags.at')
    .orderBy('order_flags.rule')
    .execute();
  return rows.map((row) => ({
    rule: row.rule as OrderFlag['rule'],
    at: toIso(row.at),
    evidence: row.evidence as Record<string, unknown>,
    handled:
      row.handled_at === null
        ? null
        : {
            at: toIso(row.handled_at),
            how: row.handled_how as NonNullable<OrderFlag['handled']>['how'],
            userName: row.userName,
            reason: row.handled_reason,
          },
  }));
}

/** The agent's or divider's whose share the account holds. */
const sharerName = (account: 'giver' | 'taker') => {
  const key = sql.ref(`${account}.key`);
  return sql<string | null>`case split_part(${key}, ':', 1)
    when 'agent-share' then (select name from agents where id = split_part(${key}, ':', 2)::bigint)
    when 'divider-share' then (select name from dividers where id = split_part(${key}, ':', 2)::bigint)
  end`;
};

/** Who else shares in an order is not for an agent to see. */
async function findPostings(db: Kysely<Tables>, caller: Caller, id: OrderId): Promise<OrderDetail['postings']> {
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
      sharerName('giver').as('fromName'),
      sharerName('taker').as('toName'),
      'ledger_postings.amount_fen as amountFen',
    ])
    .where('ledger_transfers.order_id', '=', id)
    .$if(caller.agents !== 'all', (query) => query.where('ledger_transfers.reason', '<>', 'order_shared'))
    .orderBy('ledger_transfers.id')
    .orderBy('ledger_postings.line')
    .execute();
  return rows.map((row) => ({ ...row, at: toIso(row.at) }));
}

async function findRefunds(db: Kysely<Tables>, { language }: Caller, id: OrderId): Promise<OrderDetail['refunds']> {
  const rows = await db
    .selectFrom('order_refunds')
    .leftJoin('users', 'users.id', 'order_refunds.user_id')
    .select([
      'order_refunds.id',
      'order_refunds.number',
      'order_refunds.state',
      'order_refunds.amount_fen as amountFen',
      'order_refunds.forgiven_fen as forgivenFen',
      'order_refunds.reason',
      'order_refunds.created_at as createdAt',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('userName'),
    ])
    .where('order_id', '=', id)
    .orderBy('order_refunds.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    state: row.state as OrderDetail['refunds'][number]['state'],
    createdAt: toIso(row.createdAt),
    userName: row.userName ?? '',
  }));
}

/** The charging curve; null for an order out of scope. */
export async function findOrderReadings(
  db: Kysely<Tables>,
  caller: Caller,
  id: OrderId,
  now: Instant,
): Promise<AnswerOf<typeof listOrderReadings> | null> {
  const order = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id', 'orders.customer_id')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return null;
  const { points } = await readCurve(db, id, now);
  return points;
}
