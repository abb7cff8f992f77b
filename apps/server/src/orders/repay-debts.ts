import { giftAccount, receivableAccount, type Wallet } from '@voltdeck/ledger/account';
import { type Repayment, repayInOrder } from '@voltdeck/ledger/debt';
import { type Parts, subtractParts, takeFrom, totalOf } from '@voltdeck/ledger/parts';
import { repayTransfer } from '@voltdeck/ledger/recharge';
import type { RechargeId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, minFen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { noteRefund } from '../invoices/note-refund.ts';
import { countPaid } from '../ledger/credit.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { paymentStateOf } from '../ledger/payment-state.ts';
import { postTransfer } from '../ledger/post-transfer.ts';
import { reverseTransfer } from '../ledger/reverse-transfer.ts';
import { holdSharersOf, shareReceived } from '../ledger/write-shares.ts';
import { closeWriteOffs } from './debts/close-write-offs.ts';
import { soundTransfer } from './hold-money.ts';
import type { OrderMoved } from './order-events.ts';
import { appendTimeline, type TimelineEvent, timelineEntry } from './order-record.ts';
import { paymentOf, walletByPayment } from './order-row.ts';

/** Orders that one recharge repays; a job repays the rest. */
export const debtsRepaidMax = 200;

/** The source of the money that repays. */
export type RepaidBy = { rechargeId: RechargeId; rechargeNumber: string } | null;

export type Repaid = {
  repaidFen: Fen;
  /** What is free in the wallet afterwards. */
  freeFen: Fen;
  /** What is still owed afterwards. */
  owedFen: Fen;
  /** To be published after the commit. */
  orders: OrderMoved[];
};

/** Locks a debtor's orders. Orders are locked before accounts, so call this before money moves. */
export async function lockDebts(trx: Trx, wallet: Wallet): Promise<void> {
  await trx.selectFrom('orders').select('id').where(owedBy(wallet)).orderBy('id').forUpdate().execute();
}

/**
 * Pays the debts of a wallet's owner from its free money, the oldest order first, and never more than the wallet owes in
 * the books. An order locked by another
 * transaction is left to that transaction or to the job.
 */
export async function repayDebts(trx: Trx, wallet: Wallet, by: RepaidBy, at: Instant): Promise<Repaid> {
  const balanceOf = await lockAccounts(trx, [wallet, giftAccount(wallet), receivableAccount(wallet)]);
  let free: Parts = { paidFen: balanceOf(wallet), giftFen: balanceOf(giftAccount(wallet)) };
  const freeFen = totalOf(free);
  const debtFen = subtractFen(zeroFen, balanceOf(receivableAccount(wallet)));
  if (freeFen <= 0 || debtFen <= 0) return { repaidFen: zeroFen, freeFen, owedFen: debtFen, orders: [] };
  const owing = await trx
    .selectFrom('orders')
    .select(movedColumns)
    .where(owedBy(wallet))
    .orderBy('settled_at')
    .orderBy('id')
    .limit(debtsRepaidMax)
    .forUpdate()
    .skipLocked()
    .execute();
  const debts = owing.map(({ id, owed_fen }) => ({ orderId: id, owedFen: owed_fen }));
  const repayments = repayInOrder(debts, minFen(freeFen, debtFen));
  await holdSharersOf(
    trx,
    repayments.map(({ orderId }) => orderId),
  );
  const orders: OrderMoved[] = [];
  for (const repayment of repayments) {
    const order = owing.find(({ id }) => id === repayment.orderId);
    if (order === undefined) throw new Error('a repaid order is missing');
    const paid = takeFrom(free, repayment.amountFen);
    free = subtractParts(free, paid);
    await repay(trx, wallet, order, { ...repayment, paid }, by, at);
    orders.push(movedOf(order));
  }
  const repaidFen = addFen(...repayments.map(({ amountFen }) => amountFen));
  return {
    repaidFen,
    freeFen: totalOf(free),
    owedFen: subtractFen(debtFen, repaidFen),
    orders,
  };
}

/** A repayment that can be reversed: its order, locked, in its present state. */
export type StandingRepayment = Awaited<ReturnType<typeof lockRepaymentsOf>>[number];

/** What a recharge repaid and how much of it still stands, with the orders locked. */
export async function lockRepaymentsOf(trx: Trx, rechargeId: RechargeId) {
  return trx
    .selectFrom('debt_repayments as r')
    .innerJoin('orders', 'orders.id', 'r.order_id')
    .select(movedColumns)
    .select(['r.id as repaymentId', 'r.amount_fen as repaidFen', 'r.gift_fen as repaidGiftFen'])
    .where('r.recharge_id', '=', rechargeId)
    .where('r.reversed_at', 'is', null)
    .orderBy('orders.id')
    .forUpdate(['orders', 'r'])
    .execute();
}

/** Whether an order still has the repaid money: later refunds have given it back. */
export function canUndoRepayment(standing: StandingRepayment): boolean {
  return standing.paid_fen - standing.repaidFen >= standing.refunded_fen;
}

/** Reverses repayments: their amounts are owed again, and what was invoiced of them is no longer paid. */
export async function undoRepayments(
  trx: Trx,
  caller: Pick<Caller, 'userId'>,
  wallet: Wallet,
  standing: readonly StandingRepayment[],
  told: { rechargeNumber: string; reason: string },
  at: Instant,
): Promise<OrderMoved[]> {
  await holdSharersOf(
    trx,
    standing.map(({ id }) => id),
  );
  for (const order of standing) {
    const paidFen = order.repaidFen - order.repaidGiftFen;
    const { number, agent_id: agentId } = order;
    const returned = { wallet, type: 'refund_failed', number, paidFen, giftFen: order.repaidGiftFen, agentId } as const;
    await reverseTransfer(trx, `repayment:${order.repaymentId}`, at, [{ ...returned, remark: told.reason }]);
    await trx.updateTable('debt_repayments').set({ reversed_at: at }).where('id', '=', order.repaymentId).execute();
    const params = { ...told, amountFen: order.repaidFen, owedFen: addFen(order.owed_fen, order.repaidFen) };
    const undone = { amountFen: fen(0 - order.repaidFen), giftFen: fen(0 - order.repaidGiftFen) };
    await writePaid(trx, order, undone, { event: 'repayment_undone', params }, at);
    if (paidFen > 0) await noteRefund(trx, caller, order, at);
  }
  return standing.map(movedOf);
}

const movedColumns = [
  'orders.id',
  'orders.number',
  'orders.state',
  'orders.station_id',
  'orders.connector_id',
  'orders.agent_id',
  'orders.customer_id',
  'orders.payment_type',
  'orders.energy_wh',
  'orders.electricity_fee_fen',
  'orders.service_fee_fen',
  'orders.amount_fen',
  'orders.discount_fen',
  'orders.paid_fen',
  'orders.gift_paid_fen',
  'orders.refunded_fen',
  'orders.forgiven_fen',
  'orders.written_off_fen',
  'orders.owed_fen',
] as const;

type OwingOrder = Omit<StandingRepayment, 'repaymentId' | 'repaidFen' | 'repaidGiftFen'>;

/** The orders of the index `orders_owed_by_…` of the wallet's kind. */
function owedBy(wallet: Wallet) {
  const payment = paymentOf(wallet);
  return (eb: ExpressionBuilder<Tables, 'orders'>) =>
    eb.and([
      eb('orders.owed_fen', '>', zeroFen),
      eb(sql.ref(`orders.${walletByPayment[payment].column}`), '=', wallet.owner),
      // As a literal, so that the partial index is found.
      eb('orders.payment_type', '=', sql.lit(payment)),
    ]);
}

async function repay(
  trx: Trx,
  wallet: Wallet,
  order: OwingOrder,
  { orderId, amountFen, owedFen, paid }: Repayment & { paid: Parts },
  by: RepaidBy,
  at: Instant,
): Promise<void> {
  if (owedFen === 0) await closeWriteOffs(trx, null, orderId, at);
  const { id } = await trx
    .insertInto('debt_repayments')
    .values({
      order_id: orderId,
      recharge_id: by?.rechargeId ?? null,
      amount_fen: amountFen,
      gift_fen: paid.giftFen,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { number, agent_id: agentId } = order;
  const { paidFen, giftFen } = paid;
  const rechargeId = by?.rechargeId ?? null;
  await postTransfer(trx, soundTransfer(repayTransfer({ id, orderId, wallet, paid })), at, [
    { wallet, type: 'consume', number, paidFen: -paidFen, giftFen: -giftFen, agentId, rechargeId },
  ]);
  const params = { amountFen, owedFen, ...(by === null ? {} : { rechargeNumber: by.rechargeNumber }) };
  await writePaid(trx, order, { amountFen, giftFen }, { event: 'debt_repaid', params }, at);
}

async function writePaid(
  trx: Trx,
  order: OwingOrder,
  added: { amountFen: Fen; giftFen: Fen },
  { event, params }: { event: TimelineEvent; params: Readonly<Record<string, unknown>> },
  at: Instant,
): Promise<void> {
  const paidFen = addFen(order.paid_fen, added.amountFen);
  await countPaid(trx, order, subtractFen(added.amountFen, added.giftFen), at);
  await trx
    .updateTable('orders')
    .set({
      paid_fen: paidFen,
      gift_paid_fen: addFen(order.gift_paid_fen, added.giftFen),
      payment_state: paymentStateOf({
        amountFen: subtractFen(order.amount_fen, order.discount_fen),
        paidFen,
        refundedFen: order.refunded_fen,
        forgivenFen: order.forgiven_fen,
        writtenOffFen: order.written_off_fen,
      }),
      timeline: appendTimeline(timelineEntry(at, event, params)) as never,
    })
    .where('id', '=', order.id)
    .execute();
  await shareReceived(trx, order.id, at);
}

function movedOf(order: OwingOrder): OrderMoved {
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
