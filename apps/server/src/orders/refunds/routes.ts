import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as contract from '@voltdeck/contract/order-refunds';
import type { OrderRefundId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { publishMoved } from '../order-events.ts';
import { findOrderRefund } from './queries.ts';
import { retryRefund } from './retry-refund.ts';

export function bindOrderRefunds({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const answer = async (caller: Caller, id: OrderRefundId) => found(await findOrderRefund(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as OrderRefundId);

  bind(contract.getOrderRefund, ({ caller, params }) => answer(caller, params.id));
  bind(
    contract.retryRefund,
    async ({ caller, params, at, transact }) => {
      const retried = await transact((trx) => retryRefund(trx, caller, params.id, at), {
        recordOf: (value) => (isWaiting(value) ? null : params.id),
      });
      if (!retried.ok) return retried;
      if (isWaiting(retried.value)) return ok(retried.value);
      publishMoved(context, retried.value);
      return answer(caller, params.id);
    },
    { replay },
  );
}
