import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import { handleFlags } from './abnormal/handle-flags.ts';
import { findOrderInScope } from './find-order.ts';
import { publishMoved } from './order-events.ts';
import type { TimelineFact } from './order-record.ts';
import { lockOrderWhere } from './order-row.ts';
import { cancelOrderRow, movedOrder } from './write-order.ts';

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

/** Ends an order that never began and releases its hold. False when it has begun or ended in the meantime. */
export async function cancelPlaced(
  context: Context,
  orderId: OrderId,
  reason: { event: 'start_refused' | 'cancelled'; params: Readonly<Record<string, unknown>>; caller?: Caller },
): Promise<boolean> {
  const at = context.now();
  const cancelled = await context.database.db.transaction().execute(async (trx) => {
    const order = await lockOrderWhere(trx, sql`o.id = ${orderId} and o.state = 'placed'`);
    if (order === null) return null;
    const why: TimelineFact = { event: reason.event, params: reason.params };
    const facts: TimelineFact[] = reason.event === 'cancelled' ? [why] : [why, { event: 'cancelled' }];
    const moved = await cancelOrderRow(trx, order, { at, facts });
    if (reason.caller !== undefined) {
      await handleFlags(trx, reason.caller, [orderId], { how: 'cancelled', reason: '', at });
      await audit(trx, reason.caller, at, { action: 'order.cancel', recordKind: 'order', recordId: orderId });
    }
    return moved;
  });
  if (cancelled === null) return false;
  publishMoved(context, movedOrder(cancelled));
  return true;
}
