import { endedOrderStates, liveOrderStates } from '@voltdeck/charging/states';
import type { listOwnOrders, OwnOrder, OwnOrderDetail } from '@voltdeck/contract/own';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { orderSteps } from '../orders/order-steps.ts';
import { findLines, newestFigures, withNames } from '../orders/queries.ts';
import { pageBy, toPage } from './page.ts';

function ownOrders(db: Kysely<Tables>, caller: CustomerCaller) {
  return withNames(ofCustomer(db.selectFrom('orders'), caller, 'orders.customer_id')).select(
    'orders.discount_fen as discountFen',
  );
}

export async function findOwnOrders(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  { group, ...page }: QueryOf<typeof listOwnOrders>,
): Promise<AnswerOf<typeof listOwnOrders>> {
  let orders = ownOrders(db, caller);
  if (group !== undefined)
    orders = orders.where('orders.state', 'in', group === 'running' ? liveOrderStates : endedOrderStates);
  const rows = await pageBy(orders, page, { at: 'orders.placed_at', id: 'orders.id' }).execute();
  return toPage(rows, page, ({ placedAt }) => placedAt, toOwnOrder);
}

/** One charge of the customer: with its newest figures while it runs, with its bill once it has ended. */
export async function findOwnOrder(
  db: Kysely<Tables>,
  caller: CustomerCaller,
  id: OrderId,
  now: Instant,
): Promise<OwnOrderDetail | null> {
  const row = await ownOrders(db, caller)
    .select([
      'orders.meter_start_wh as meterStartWh',
      'orders.held_fen as heldFen',
      'orders.settled_at as settledAt',
      'orders.timeline',
      'orders.tariff',
      'stations.max_power_w as ratedPowerW',
    ])
    .where('orders.id', '=', id)
    .executeTakeFirst();
  if (row === null || row === undefined) return null;
  const tariff = row.tariff as Tariff | null;
  const timeline = row.timeline as { at: string; event: string }[];
  const [lines, refunds, figures] = await Promise.all([
    findLines(db, id),
    db
      .selectFrom('order_refunds')
      .select(['amount_fen as amountFen', 'created_at as createdAt'])
      .where('order_id', '=', id)
      .where('state', '=', 'done')
      .orderBy('id')
      .execute(),
    row.state === 'charging' ? newestFigures(db, { ...row, tariff }) : {},
  ]);
  const { energyWh, electricityFeeFen, serviceFeeFen, amountFen, powerW, socPercent } = { ...row, ...figures };
  return {
    ...toOwnOrder({ ...row, energyWh, electricityFeeFen, serviceFeeFen, amountFen, powerW, socPercent }),
    now: toIso(now),
    steps: orderSteps({ ...row, timeline }),
    heldFen: row.heldFen,
    chosen: tariff?.chosen ?? null,
    lines,
    refunds: refunds.map(({ amountFen: refundedFen, createdAt }) => ({
      amountFen: refundedFen,
      createdAt: toIso(createdAt),
    })),
    stopAskedAt: timeline.findLast(({ event }) => event === 'stop_asked')?.at ?? null,
  };
}

type OrderRow = Omit<OwnOrder, 'siteName' | 'placedAt' | 'startedAt' | 'endedAt' | 'stopReason'> & {
  siteName: string | null;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
  stopReason: string | null;
  discountFen: Fen;
};

function toOwnOrder(row: OrderRow): OwnOrder {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    paymentState: row.paymentState,
    groupName: row.groupName,
    billingType: row.billingType,
    siteName: row.siteName ?? '',
    stationNumber: row.stationNumber,
    stationName: row.stationName,
    equipmentType: row.equipmentType,
    connectorNumber: row.connectorNumber,
    energyWh: row.energyWh,
    electricityFeeFen: row.electricityFeeFen,
    serviceFeeFen: row.serviceFeeFen,
    amountFen: row.amountFen,
    discountFen: row.discountFen,
    paidFen: row.paidFen,
    // What a group owes is not the customer's to pay.
    owedFen: row.groupName === null ? row.owedFen : zeroFen,
    refundedFen: row.refundedFen,
    powerW: row.powerW,
    socPercent: row.socPercent,
    placedAt: toIso(row.placedAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    stopReason: row.stopReason as OwnOrder['stopReason'],
  };
}
