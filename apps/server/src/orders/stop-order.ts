import { canStopOrder, isAgreed } from '@voltdeck/charging/abilities';
import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { refusalOfOutcome } from '../bus/refusal-of-outcome.ts';
import { audit, type Who } from '../caller/audit.ts';
import type { Reach } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import { findOrderInScope } from './find-order.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';

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
    await trx
      .updateTable('orders')
      .set({ timeline: appendTimeline(timelineEntry(at, 'stop_asked', { userName: name })) as never })
      .where('id', '=', orderId)
      .execute();
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
