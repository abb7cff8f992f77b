import type { Waits } from '@voltdeck/contract/approvals';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as contract from '@voltdeck/contract/orders';
import { stopOrder as stopOrderRoute } from '@voltdeck/contract/stop-order';
import type { OrderId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Work } from '../database/transact.ts';
import type { Binder, Transact } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { bindAbnormalOrders } from './abnormal/routes.ts';
import { cancelOrder } from './cancel-order.ts';
import { bindDebts } from './debts/routes.ts';
import { findPayerAtDesk } from './find-charge-payer.ts';
import { findStartChoices } from './find-start-choices.ts';
import { type OrderMoved, publishMoved } from './order-events.ts';
import { placeOrder } from './place-order.ts';
import { findOrder, findOrderDetail, findOrderReadings } from './queries.ts';
import { refundOrder } from './refund-order.ts';
import { bindOrderRefunds } from './refunds/routes.ts';
import { settleOrder } from './settle-order.ts';
import { stopOrder } from './stop-order.ts';
import { bindTestRuns } from './test-runs/routes.ts';
import { movedOrder } from './write-order.ts';

export function bindOrders(binder: Binder, context: Context<'console'>): void {
  const { bind } = binder;
  bindTestRuns(binder, context);
  bindAbnormalOrders(binder, context);
  bindOrderRefunds(binder, context);
  bindDebts(binder, context);
  const { db } = context.database;
  const answer = async (caller: Caller, id: OrderId) => found(await findOrder(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as OrderId);
  /** Publishes after the commit, with the order read as it is then. */
  const moveOrder = async (caller: Caller, transact: Transact, work: Work<OrderMoved | Waits>) => {
    const moved = await transact(work, { recordOf: (value) => (isWaiting(value) ? null : value.id) });
    if (!moved.ok) return moved;
    if (isWaiting(moved.value)) return ok(moved.value);
    publishMoved(context, moved.value);
    return answer(caller, moved.value.id);
  };

  bind(contract.getOrder, async ({ caller, params }) => found(await findOrderDetail(db, caller, params.id)));
  bind(contract.listOrderReadings, async ({ caller, params, at }) =>
    found(await findOrderReadings(db, caller, params.id, at)),
  );

  bind(contract.findChargePayer, ({ caller, params, query, at }) =>
    findPayerAtDesk(db, caller, { connectorId: params.id, customerPhone: query.customerPhone }, at),
  );
  bind(contract.getStartChoices, async ({ caller, params }) => found(await findStartChoices(db, caller, params.id)));
  bind(
    contract.placeOrder,
    async ({ caller, body, transact }) => {
      const placed = await placeOrder(context.on('money'), caller, body, transact);
      return placed.ok ? answer(caller, placed.value.orderId) : placed;
    },
    { replay },
  );
  bind(stopOrderRoute, ({ caller, params }) => stopOrder(context.on('money'), caller, caller.userName, params.id));
  bind(contract.cancelOrder, async ({ caller, params }) => {
    const cancelled = await cancelOrder(context.on('money'), caller, params.id);
    return cancelled.ok ? answer(caller, params.id) : cancelled;
  });
  bind(
    contract.settleOrder,
    ({ caller, params, body, at, transact }) =>
      moveOrder(caller, transact, async (trx) => {
        const settled = await settleOrder(trx, caller, params.id, body, at);
        if (!settled.ok) return settled;
        return ok(isWaiting(settled.value) ? settled.value : movedOrder(settled.value));
      }),
    { replay },
  );
  bind(
    contract.refundOrder,
    ({ caller, params, body, at, transact }) =>
      moveOrder(caller, transact, (trx) => refundOrder(trx, caller, params.id, body, at)),
    { replay },
  );
}
