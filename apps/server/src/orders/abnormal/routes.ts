import * as contract from '@voltdeck/contract/abnormal-orders';
import type { ApiError } from '@voltdeck/contract/errors';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { Order } from '@voltdeck/contract/orders';
import type { OrderId } from '@voltdeck/units/id';
import { ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { publishMoved } from '../order-events.ts';
import type { OrderRow } from '../order-row.ts';
import { findOrder } from '../queries.ts';
import { movedOrder } from '../write-order.ts';
import { acceptOrder, acceptOrders } from './accept-order.ts';
import { assignStop, findStopTargets } from './assign-stop.ts';
import { dismissOrder } from './dismiss-order.ts';

/** What people do about orders that a rule flagged. */
export function bindAbnormalOrders({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: OrderId) => found(await findOrder(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as OrderId);
  /** Publishes the orders that moved after the commit, and answers the first. */
  const told = async (caller: Caller, moved: Result<readonly [OrderRow, ...OrderRow[]], ApiError>) => {
    if (!moved.ok) return moved as Result<Order, ApiError>;
    for (const order of moved.value) publishMoved(context, movedOrder(order));
    return answer(caller, moved.value[0].id);
  };
  const one = (done: Result<OrderRow, ApiError>): Result<[OrderRow], ApiError> => (done.ok ? ok([done.value]) : done);

  bind(
    contract.acceptOrder,
    async ({ caller, params, body, at, transact }) => {
      const accepted = await transact((trx) => acceptOrder(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.id),
      });
      if (!accepted.ok) return accepted;
      return isWaiting(accepted.value) ? ok(accepted.value) : told(caller, ok([accepted.value]));
    },
    { replay },
  );
  bind(contract.acceptOrders, ({ caller, body, at, transact }) =>
    transact((trx) => acceptOrders(trx, caller, body, at)),
  );
  bind(
    contract.dismissOrder,
    async ({ caller, params, body, at, transact }) =>
      told(
        caller,
        await transact(async (trx) => one(await dismissOrder(trx, caller, params.id, body, at)), {
          recordOf: ([{ id }]) => id,
        }),
      ),
    { replay },
  );
  bind(contract.listStopTargets, async ({ caller, params }) => found(await findStopTargets(db, caller, params.id)));
  bind(
    contract.assignStop,
    async ({ caller, params, body, at, transact }) => {
      const assigned = await transact((trx) => assignStop(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.parked.id),
      });
      if (!assigned.ok) return assigned;
      const { value } = assigned;
      return isWaiting(value) ? ok(value) : told(caller, ok([value.parked, value.ended]));
    },
    { replay },
  );
}
