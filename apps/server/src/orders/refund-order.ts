import { canRefundOrder } from '@voltdeck/charging/abilities';
import type { ApiError } from '@voltdeck/contract/errors';
import type { refundOrder as route } from '@voltdeck/contract/orders';
import type { BodyOf } from '@voltdeck/contract/route';
import { refundOrderTransfer } from '@voltdeck/ledger/refund';
import type { OrderId } from '@voltdeck/units/id';
import { addFen, fen, formatYuan, splitFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isInScope } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import { transact } from '../database/transact.ts';
import { claimKey, type IdempotencyClaim } from '../http/idempotency.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { soundTransfer, walletOf } from './hold-money.ts';
import { publishMoved } from './order-events.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';
import { lockOrder } from './settle-charge.ts';

/** Gives money that was paid for an order back to the balance that paid it. At most what was paid and not yet refunded. */
export async function refundOrder(
  context: Context<'money'>,
  caller: Caller,
  orderId: OrderId,
  body: BodyOf<typeof route>,
  claim: IdempotencyClaim | null,
): Promise<Result<null, ApiError>> {
  const at = context.now();
  const refunded = await transact(context.database.db, async (trx) => {
    const known = await trx.selectFrom('orders').select('agent_id').where('id', '=', orderId).executeTakeFirst();
    if (known === undefined || !isInScope(caller, known.agent_id)) return failed({ code: 'record.not_found' });
    const order = await lockOrder(trx, orderId);
    const ability = canRefundOrder({ state: order.state, paymentState: order.payment_state });
    const wallet = walletOf(order);
    if (!ability.allowed || wallet === null) return failed({ code: 'order.nothing_to_refund' });
    const leftFen = subtractFen(order.paid_fen, order.refunded_fen);
    if (leftFen <= 0) return failed({ code: 'order.nothing_to_refund' });
    if (body.amountFen > leftFen) {
      return failed({ code: 'order.refund_too_high', params: { max: formatYuan(leftFen) } });
    }
    const earlier = await trx
      .selectFrom('order_refunds')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow();
    const transfer = refundOrderTransfer({
      orderId,
      number: earlier.count + 1,
      siteId: order.site_id,
      wallet,
      amountFen: body.amountFen,
      electricityFeeFen: order.electricity_fee_fen,
      serviceFeeFen: order.service_fee_fen,
      refundedFen: order.refunded_fen,
      // What is still owed stays owed: the refund gives back what was paid.
      owedFen: fen(0),
    });
    await postTransfer(trx, soundTransfer(transfer), at);
    const refundedFen = addFen(order.refunded_fen, body.amountFen);
    const [electricityFeeFen = fen(0), serviceFeeFen = fen(0)] = splitFen(body.amountFen, [
      order.electricity_fee_fen,
      order.service_fee_fen,
    ]);
    await trx
      .insertInto('order_refunds')
      .values({
        order_id: orderId,
        amount_fen: body.amountFen,
        electricity_fee_fen: electricityFeeFen,
        service_fee_fen: serviceFeeFen,
        reason: body.reason,
        user_id: caller.userId,
        created_at: at,
      })
      .execute();
    await trx
      .updateTable('orders')
      .set({
        refunded_fen: refundedFen,
        payment_state: refundedFen === order.paid_fen ? 'refunded' : 'partly_refunded',
        timeline: appendTimeline(
          timelineEntry(at, 'refunded', { amountFen: body.amountFen, reason: body.reason, userName: caller.userName }),
        ) as never,
      })
      .where('id', '=', orderId)
      .execute();
    await audit(trx, caller, at, { action: 'order.refund', recordKind: 'order', recordId: orderId, after: body });
    const claimed = await claimKey(trx, claim, at, orderId);
    return claimed.ok ? ok(order) : claimed;
  });
  if (!refunded.ok) return refunded;
  const order = refunded.value;
  publishMoved(context, {
    id: orderId,
    number: order.number,
    state: order.state,
    connectorId: order.connector_id,
    agentId: order.agent_id,
    energyWh: order.energy_wh,
    electricityFeeFen: order.electricity_fee_fen,
    serviceFeeFen: order.service_fee_fen,
  });
  return ok(null);
}
