import { isAwaitingStop } from '@voltdeck/charging/charge/charge';
import type { StopReason } from '@voltdeck/charging/states';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { assignStop as route, StopTarget } from '@voltdeck/contract/abnormal-orders';
import { stopTargetsMax } from '@voltdeck/contract/abnormal-orders';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { isInScope, scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import { chargeOf, lockOrders, type OrderRow } from '../order-row.ts';
import { settleCharge } from '../settle-charge.ts';
import { changeOrder } from '../write-order.ts';
import { closeUncharged } from './dismiss-order.ts';
import { handleFlags } from './handle-flags.ts';

/** Orders that a stop without a start can end: of its station, still without their own stop, begun before it. */
const awaitsStop = sql<boolean>`(orders.state = 'charging' or (orders.state = 'settling' and orders.waits_for = 'stop'))`;

/** An order that consists of a stop alone: nobody placed it and it never began. */
const isParked = (order: OrderRow) =>
  order.state === 'settling' && order.waits_for === 'person' && !order.was_placed && order.started_at === null;

export async function findStopTargets(
  db: Kysely<Tables>,
  caller: Caller,
  orderId: OrderId,
): Promise<StopTarget[] | null> {
  const parked = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select(['orders.station_id', 'orders.ended_at'])
    .where('orders.id', '=', orderId)
    .executeTakeFirst();
  if (parked === undefined) return null;
  const rows = await scoped(db.selectFrom('orders'), caller, 'orders.agent_id')
    .select([
      'orders.id',
      'orders.number',
      'orders.connector_number as connectorNumber',
      'orders.placed_at as placedAt',
      'orders.started_at as startedAt',
      'orders.energy_wh as energyWh',
      'orders.card_number as cardNumber',
    ])
    .where('orders.station_id', '=', parked.station_id)
    .where(awaitsStop)
    .orderBy('orders.id', 'desc')
    .limit(stopTargetsMax)
    .execute();
  return rows.map((row) => ({ ...row, placedAt: toIso(row.placedAt), startedAt: isoOrNull(row.startedAt) }));
}

/**
 * Gives a parked stop to the order that it ends, which is then billed or waits as if the station had named it. The
 * parked order is closed and nothing is charged for it. A bill that it makes may have to wait for a second person like
 * one made by hand.
 * @throws ChangedSinceAsked where an approved stop would make another bill than was approved.
 */
export async function assignStop(
  trx: Trx,
  caller: Caller,
  parkedId: OrderId,
  { orderNumber, reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<{ parked: OrderRow; ended: OrderRow } | Waits, ApiError>> {
  const known = await trx
    .selectFrom('orders')
    .select(['agent_id', 'station_id', 'meter_stop_wh', 'station_bill', 'stop_code'])
    .where('id', '=', parkedId)
    .executeTakeFirst();
  if (known === undefined || !isInScope(caller, known.agent_id)) return failed({ code: 'record.not_found' });
  const target = await scoped(trx.selectFrom('orders'), caller, 'orders.agent_id')
    .select('orders.id')
    .where('orders.number', '=', orderNumber)
    .where('orders.station_id', '=', known.station_id)
    .executeTakeFirst();
  if (target === undefined || target.id === parkedId) return failed({ code: 'order.not_awaiting_stop' });
  const locked = await lockOrders(trx, [parkedId, target.id]);
  const parked = locked.find(({ id }) => id === parkedId);
  const order = locked.find(({ id }) => id === target.id);
  if (parked === undefined || !isParked(parked)) return failed({ code: 'order.not_parked' });
  if (order === undefined || !isAwaitingStop(chargeOf(order))) return failed({ code: 'order.not_awaiting_stop' });
  const told = { reason, userName: caller.userName };
  const end = async () => {
    const named = await changeOrder(trx, order, {
      facts: [{ event: 'stop_assigned', params: { ...told, otherOrder: parked.number } }],
      at,
    });
    return settleCharge(trx, named, {
      end: endOf(parked, known.meter_stop_wh, order, at),
      readings: [],
      bill: known.station_bill as StationBill | null,
      flags: [],
      record: known.stop_code === null ? {} : { stop_code: known.stop_code },
      now: at,
    });
  };
  // Only the settlement itself knows whether it makes a bill and of how much, so it is tried first.
  await sql`savepoint assigned_stop`.execute(trx);
  const tried = await end();
  await sql`rollback to savepoint assigned_stop`.execute(trx);
  const isBilled = tried.state === 'completed';
  if (isBilled || caller.approvalId !== undefined) {
    const approval = await askSecondPerson(
      trx,
      caller,
      {
        kind: 'order_settlement',
        amountFen: isBilled ? tried.amount_fen : zeroFen,
        agentId: order.agent_id,
        subject: { kind: 'order', id: order.id, text: order.number },
        detail: { orderId: order.id, parkedId, body: { orderNumber, reason }, how: 'assigned' },
        reason,
      },
      at,
    );
    if (approval !== null) return ok({ waitsFor: approval });
  }
  const ended = await end();
  const facts = [{ event: 'stop_assigned', params: { ...told, orderNumber: order.number } }] as const;
  const closed = await closeUncharged(trx, parked, { facts, at });
  await handleFlags(trx, caller, [parkedId], { how: 'assigned', reason, at });
  await audit(trx, caller, at, {
    action: 'order.assign_stop',
    recordKind: 'order',
    recordId: parkedId,
    before: { state: parked.state },
    after: { state: closed.state, orderNumber, reason },
  });
  return ok({ parked: { ...closed, unhandled: false }, ended });
}

function endOf(parked: OrderRow, meterStopWh: number | null, order: OrderRow, at: Instant) {
  const endedAt = parked.ended_at ?? at;
  return {
    endedAt: instant(Math.max(endedAt, order.started_at ?? endedAt)),
    meterStopWh,
    reason: parked.stop_reason ?? ('other' satisfies StopReason),
  };
}
