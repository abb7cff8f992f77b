import { canStopOrder, isAgreed } from '@voltdeck/charging/abilities';
import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { refusalOfOutcome } from '../bus/refusal-of-outcome.ts';
import { audit, type Who } from '../caller/audit.ts';
import type { Reach } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import type { Trx } from '../database/transact.ts';
import { findOrderInScope } from './find-order.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';
import { lockOrderWhere } from './order-row.ts';

/** Asks the station to end a charge that the caller may act on; `name` is for the order's journal. The order ends when the station says so. */
export async function stopOrder(
  context: Context<'money'>,
  caller: Reach & NonNullable<Who>,
  name: string,
  orderId: OrderId,
): Promise<Result<{ agreed: boolean }, ApiError>> {
  const order = await findOrderInScope(context.database.db, caller, orderId);
  if (order === null) return failed({ code: 'record.not_found' });
  const ability = canStopOrder(order);
  if (!ability.allowed) return failed({ code: ability.because as ApiError['code'] });
  const at = context.now();
  await context.database.db.transaction().execute(async (trx) => {
    await noteStop(trx, { orderId, name, at });
    await audit(trx, caller, at, { action: 'order.stop', recordKind: 'order', recordId: orderId });
  });
  const outcome = await context.bus.commandStation(order.stationNumber, {
    kind: 'stop-charge',
    transaction: order.transaction_key ?? order.transaction_number ?? 0,
    connectorNumber: order.connector_number,
  });
  if (outcome.kind === 'rejected') return ok({ agreed: false });
  return isAgreed(outcome) ? ok({ agreed: true }) : failed(refusalOfOutcome(outcome));
}

type AskedStop = { orderId: OrderId; name: string; at: Instant };

/**
 * Keeps a stop that comes before the station has begun. Nothing is asked of the station, as only the charge that begins
 * can be stopped: `remember` writes where that is found, and is false where it was written before. False when the
 * station has begun, or the order ended, in the meantime: the order is locked, so it begins before this or finds the
 * stop.
 */
export async function stopPlaced(trx: Trx, asked: AskedStop, remember: () => Promise<boolean>): Promise<boolean> {
  const order = await lockOrderWhere(trx, sql`o.id = ${asked.orderId} and o.state = 'placed'`);
  if (order === null) return false;
  if (await remember()) await noteStop(trx, asked);
  return true;
}

async function noteStop(trx: Trx, { orderId, name, at }: AskedStop): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ timeline: appendTimeline(timelineEntry(at, 'stop_asked', { userName: name })) as never })
    .where('id', '=', orderId)
    .execute();
}
