import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderRefundId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { askSecondPerson } from '../../second-person/ask-second-person.ts';
import type { OrderMoved } from '../order-events.ts';
import { lockScopedOrder, movedByRefund, payRefund, refusalOfRefund } from '../refund-order.ts';

/**
 * Makes a failed refund again, by the same rules as a new one. The order may have been refunded otherwise in the
 * meantime.
 */
export async function retryRefund(
  trx: Trx,
  caller: Caller,
  refundId: OrderRefundId,
  at: Instant,
): Promise<Result<OrderMoved | Waits, ApiError>> {
  const known = await scoped(trx.selectFrom('order_refunds'), caller, 'order_refunds.agent_id')
    .select('order_refunds.order_id')
    .where('order_refunds.id', '=', refundId)
    .executeTakeFirst();
  if (known === undefined) return failed({ code: 'record.not_found' });
  // Refunds of an order take turns by its lock.
  const order = await lockScopedOrder(trx, caller, known.order_id);
  const refund = await trx
    .selectFrom('order_refunds')
    .select(['number', 'state', 'amount_fen', 'reason'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  if (order === undefined) return failed({ code: 'record.not_found' });
  if (refund.state !== 'failed') return failed({ code: 'refund.not_failed' });
  const { amount_fen: amountFen, reason } = refund;
  const refusal = refusalOfRefund(order, amountFen);
  if (refusal !== null) return failed(refusal);
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'order_refund',
      amountFen,
      agentId: order.agent_id,
      subject: { kind: 'order', id: order.id, text: order.number },
      detail: { orderId: order.id, refundId, body: { amountFen, reason } },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const made = await payRefund(trx, caller, order, { refundId, amountFen, reason }, at);
  await trx.updateTable('order_refunds').set(made).where('id', '=', refundId).execute();
  await audit(trx, caller, at, {
    action: 'order.refund_retry',
    recordKind: 'order',
    recordId: order.id,
    before: { number: refund.number, state: refund.state },
    after: { state: made.state, amountFen },
  });
  return ok(movedByRefund(order));
}
