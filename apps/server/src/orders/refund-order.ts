import { canRefundOrder } from '@voltdeck/charging/abilities';
import type { Waits } from '@voltdeck/contract/approvals';
import type { ApiError } from '@voltdeck/contract/errors';
import type { refundOrder as route } from '@voltdeck/contract/orders';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Wallet } from '@voltdeck/ledger/account';
import { partsOf } from '@voltdeck/ledger/parts';
import { type Refund, refundOrderTransfer } from '@voltdeck/ledger/refund';
import type { OrderId, OrderRefundId } from '@voltdeck/units/id';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { addFen, type Fen, formatYuan, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { noteRefund } from '../invoices/note-refund.ts';
import { countPaid } from '../ledger/credit.ts';
import { paymentStateOf } from '../ledger/payment-state.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { lockPresentWallet } from '../ledger/present-wallet.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { readRefundableUntil } from '../ledger/refund-period.ts';
import { shareReceived } from '../ledger/write-shares.ts';
import { askSecondPerson } from '../second-person/ask-second-person.ts';
import { handleFlags } from './abnormal/handle-flags.ts';
import { closeWriteOffs } from './debts/close-write-offs.ts';
import { couponOf } from './order-coupons.ts';
import type { OrderMoved } from './order-events.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';
import { walletColumns, walletOf } from './order-row.ts';
import { returnPotOfOrderLater } from './return-pot-later.ts';

/**
 * Refunds a settled order: first the debt its payer still owes, then what was paid, to the balance that paid it. At
 * most the bill less earlier refunds.
 */
export async function refundOrder(
  trx: Trx,
  caller: Caller,
  orderId: OrderId,
  { amountFen, reason }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<OrderMoved | Waits, ApiError>> {
  const order = await lockScopedOrder(trx, caller, orderId);
  if (order === undefined) return failed({ code: 'record.not_found' });
  // What was asked for in time may be approved later.
  const isApproved = caller.approvalId !== undefined;
  const refusal = refusalOfRefund(order, amountFen) ?? (isApproved ? null : await refusalByTime(trx, order, at));
  if (refusal !== null) return failed(refusal);
  const approval = await askSecondPerson(
    trx,
    caller,
    {
      kind: 'order_refund',
      amountFen,
      agentId: order.agent_id,
      subject: { kind: 'order', id: orderId, text: order.number },
      detail: { orderId, body: { amountFen, reason } },
      reason,
    },
    at,
  );
  if (approval !== null) return ok({ waitsFor: approval });
  const made = await payRefund(trx, caller, order, { refundId: null, amountFen, reason }, at);
  await trx
    .insertInto('order_refunds')
    .values({
      ...made,
      number: receiptNumber('B', at),
      order_id: orderId,
      agent_id: order.agent_id,
      site_id: order.site_id,
      customer_id: order.customer_id,
      card_id: order.card_id,
      amount_fen: amountFen,
      reason,
      user_id: caller.userId,
      created_at: at,
    })
    .execute();
  await handleFlags(trx, caller, [orderId], { how: 'refunded', reason, at });
  const after = { amountFen, reason };
  await audit(trx, caller, at, { action: 'order.refund', recordKind: 'order', recordId: orderId, after });
  return ok(movedByRefund(order));
}

/** Why this amount cannot be refunded; null where it can. */
export function refusalOfRefund(order: RefundedOrder, amountFen: Fen): ApiError | null {
  const ability = canRefundOrder({ state: order.state, paymentState: order.payment_state });
  const leftFen = addFen(order.owed_fen, subtractFen(order.paid_fen, order.refunded_fen));
  if (!ability.allowed || walletOf(order) === null || leftFen <= 0) return { code: 'order.nothing_to_refund' };
  return amountFen > leftFen ? { code: 'order.refund_too_high', params: { max: formatYuan(leftFen) } } : null;
}

/** Orders are refunded within a period after their end; a refund that was asked for in time may be made later. */
async function refusalByTime(trx: Trx, order: RefundedOrder, at: Instant): Promise<ApiError | null> {
  if (order.ended_at === null) return null;
  const until = await readRefundableUntil(trx, order.ended_at);
  return at <= until ? null : { code: 'order.refund_too_late', params: { until: shanghaiDateTime(until) } };
}

/**
 * Takes the money of a refund from the order's income to the balance that paid it, and answers what its record then
 * says. `refundId` is that of a refund that is made again.
 */
export async function payRefund(
  trx: Trx,
  caller: Caller,
  order: RefundedOrder,
  asked: { refundId: OrderRefundId | null; amountFen: Fen; reason: string },
  at: Instant,
) {
  const { refundId, amountFen, reason } = asked;
  const wallet = await walletForRefund(trx, order);
  if (wallet === null) throw new Error(`order ${order.number} has no payer to refund`);
  let earlier = trx
    .selectFrom('order_refunds')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('order_id', '=', order.id);
  if (refundId !== null) earlier = earlier.where('id', '<', refundId);
  const { count } = await earlier.executeTakeFirstOrThrow();
  const made = refundOrderTransfer({
    orderId: order.id,
    number: count + 1,
    siteId: order.site_id,
    wallet,
    amountFen,
    electricityFeeFen: order.electricity_fee_fen,
    serviceFeeFen: order.service_fee_fen,
    coupon: order.discount_fen > 0 ? await couponOf(trx, order.id) : null,
    paid: partsOf(order.paid_fen, order.gift_paid_fen),
    refunded: partsOf(order.refunded_fen, order.refunded_gift_fen),
    forgivenFen: order.forgiven_fen,
    owedFen: order.owed_fen,
  });
  if (!made.ok) throw new Error(`order ${order.number} cannot be refunded: ${made.error.code}`);
  const refund = made.value;
  if (order.owed_fen > 0 && refund.forgivenFen === order.owed_fen) await closeWriteOffs(trx, caller, order.id, at);
  const { paidFen, giftFen } = refund.refunded;
  await postTransfer(trx, refund.transfer, at, [
    {
      wallet,
      type: 'order_refund',
      number: order.number,
      paidFen,
      giftFen,
      agentId: order.agent_id,
      userId: caller.userId,
      remark: reason,
    },
  ]);
  await returnPotOfOrderLater(trx, order);
  await countPaid(trx, order, -paidFen, at);
  await writeRefund(trx, caller, order, { amountFen, reason }, refund, at);
  await shareReceived(trx, order.id, at);
  if (paidFen > 0) await noteRefund(trx, caller, order, at);
  return {
    state: 'done' as const,
    channel: 'balance' as const,
    result: '',
    electricity_fee_fen: refund.electricityFeeFen,
    service_fee_fen: refund.serviceFeeFen,
    forgiven_fen: refund.forgivenFen,
    gift_fen: giftFen,
    done_at: at,
  };
}

/** The order as consoles hear of it after a refund, which leaves its state. */
export function movedByRefund(order: RefundedOrder): OrderMoved {
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    stationId: order.station_id,
    connectorId: order.connector_id,
    agentId: order.agent_id,
    customerId: order.customer_id,
    energyWh: order.energy_wh,
    electricityFeeFen: order.electricity_fee_fen,
    serviceFeeFen: order.service_fee_fen,
  };
}

/** Whose wallet a refund goes to: where the payer's money is now. A debt is reduced where it stands. */
async function walletForRefund(
  trx: Trx,
  order: Parameters<typeof walletOf>[0] & { owed_fen: Fen },
): Promise<Wallet | null> {
  const own = walletOf(order);
  if (own === null || order.owed_fen > 0) return own;
  if (own.kind !== 'card' && own.kind !== 'customer') return own;
  const { wallet } = await lockPresentWallet(
    trx,
    own.kind === 'card' ? { cardId: own.owner, customerId: null } : { cardId: null, customerId: own.owner },
  );
  return wallet;
}

export type RefundedOrder = NonNullable<Awaited<ReturnType<typeof lockScopedOrder>>>;

export function lockScopedOrder(trx: Trx, caller: Caller, orderId: OrderId) {
  return scoped(trx.selectFrom('orders'), caller, 'orders.agent_id')
    .select([
      'id',
      'number',
      'state',
      'payment_state',
      'site_id',
      'station_id',
      'connector_id',
      'agent_id',
      ...walletColumns,
      'ended_at',
      'energy_wh',
      'amount_fen',
      'discount_fen',
      'electricity_fee_fen',
      'service_fee_fen',
      'paid_fen',
      'gift_paid_fen',
      'refunded_fen',
      'refunded_gift_fen',
      'forgiven_fen',
      'written_off_fen',
      'owed_fen',
    ])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
}

async function writeRefund(
  trx: Trx,
  caller: Caller,
  order: RefundedOrder,
  body: BodyOf<typeof route>,
  { forgivenFen, refunded }: Refund,
  at: Instant,
): Promise<void> {
  const after = {
    amountFen: subtractFen(order.amount_fen, order.discount_fen),
    paidFen: order.paid_fen,
    refundedFen: addFen(order.refunded_fen, subtractFen(body.amountFen, forgivenFen)),
    forgivenFen: addFen(order.forgiven_fen, forgivenFen),
    writtenOffFen: order.written_off_fen,
  };
  const told = { amountFen: body.amountFen, reason: body.reason, userName: caller.userName };
  const entry = timelineEntry(at, 'refunded', forgivenFen > 0 ? { ...told, forgivenFen } : told);
  await trx
    .updateTable('orders')
    .set({
      refunded_fen: after.refundedFen,
      refunded_gift_fen: addFen(order.refunded_gift_fen, refunded.giftFen),
      forgiven_fen: after.forgivenFen,
      payment_state: paymentStateOf(after),
      timeline: appendTimeline(entry) as never,
    })
    .where('id', '=', order.id)
    .execute();
}
