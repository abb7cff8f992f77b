import type { ApiError } from '@voltdeck/contract/errors';
import { voidHoldTransfer } from '@voltdeck/ledger/hold';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Selectable, Transaction } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { findOrderInScope } from './find-order.ts';
import { soundTransfer, walletOf } from './hold-money.ts';
import { type OrderMoved, publishMoved } from './order-events.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';

/** Cancels an order that the station has not begun. */
export async function cancelOrder(
  context: Context<'money'>,
  caller: Caller,
  orderId: OrderId,
): Promise<Result<null, ApiError>> {
  const order = await findOrderInScope(context.database.db, caller, orderId);
  if (order === null) return failed({ code: 'record.not_found' });
  const cancelled = await cancelPlaced(context, orderId, {
    event: 'cancelled',
    params: { userName: caller.userName },
    caller,
  });
  return cancelled ? ok(null) : failed({ code: 'order.already_ended' });
}

/** Ends an order that never began and gives its hold back. False when it has begun or ended in the meantime. */
export async function cancelPlaced(
  context: Context,
  orderId: OrderId,
  reason: { event: 'start_refused' | 'cancelled'; params: Readonly<Record<string, unknown>>; caller?: Caller },
): Promise<boolean> {
  const at = context.now();
  const cancelled = await context.database.db.transaction().execute(async (trx) => {
    const order = await trx.selectFrom('orders').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst();
    if (order === undefined || order.state !== 'placed') return null;
    const entries = [timelineEntry(at, reason.event, reason.params)];
    if (reason.event !== 'cancelled') entries.push(timelineEntry(at, 'cancelled'));
    const moved = await closeUnbegun(trx, order, { at, entries });
    if (reason.caller !== undefined) {
      await audit(trx, reason.caller, at, { action: 'order.cancel', recordKind: 'order', recordId: orderId });
    }
    return moved;
  });
  if (cancelled === null) return false;
  publishMoved(context, cancelled);
  return true;
}

/**
 * Cancels a locked order of which no energy flowed and gives its hold back. A charge that begins under its name after
 * all does not find it any more.
 */
export async function closeUnbegun(
  trx: Transaction<Tables>,
  order: UnbegunOrder,
  { at, entries }: { at: Instant; entries: readonly ReturnType<typeof timelineEntry>[] },
): Promise<OrderMoved> {
  const wallet = walletOf(order);
  if (wallet !== null && order.held_fen > 0) {
    const transfer = soundTransfer(voidHoldTransfer({ orderId: order.id, wallet, heldFen: order.held_fen }));
    await postTransfer(trx, transfer, at);
  }
  await trx
    .updateTable('orders')
    .set({
      state: 'cancelled',
      start_key: null,
      power_w: null,
      ended_at: at,
      settled_at: at,
      timeline: appendTimeline(...entries) as never,
    })
    .where('id', '=', order.id)
    .execute();
  return {
    id: order.id,
    number: order.number,
    state: 'cancelled',
    connectorId: order.connector_id,
    agentId: order.agent_id,
    energyWh: 0,
    electricityFeeFen: 0,
    serviceFeeFen: 0,
  };
}

type UnbegunOrder = Pick<
  Selectable<OrdersTable>,
  'id' | 'number' | 'connector_id' | 'agent_id' | 'held_fen' | 'payment_type' | 'card_id' | 'customer_id'
>;
