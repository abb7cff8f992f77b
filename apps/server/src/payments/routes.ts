import { isWaiting } from '@voltdeck/contract/is-waiting';
import { getMovementSums } from '@voltdeck/contract/movements';
import * as contract from '@voltdeck/contract/payments';
import type { RechargeId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { type OrderMoved, publishMoved } from '../orders/order-events.ts';
import { tellWalletLater } from '../orders/tell-balance.ts';
import { bindCoupons } from './coupons/routes.ts';
import { createRecharge } from './create-recharge.ts';
import { findRechargeTargets } from './find-recharge-targets.ts';
import { bindGifts } from './gifts/routes.ts';
import { readMovementSums } from './movements/queries.ts';
import { bindPromotions } from './promotions/routes.ts';
import { findRecharge } from './queries.ts';
import { readRefunds } from './refunds/queries.ts';
import { refundRecharge } from './refunds/refund-recharge.ts';
import { reverseRecharge } from './reverse-recharge.ts';
import { bindTransfers } from './transfers/routes.ts';

export function bindPayments(binder: Binder, context: Context<'console'>): void {
  const { bind } = binder;
  const { db } = context.database;
  const answer = async (caller: Caller, id: RechargeId) => found(await findRecharge(db, caller, id));
  const replay = (recordId: number, { caller }: { caller: Caller }) => answer(caller, recordId as RechargeId);
  const tell = (orders: readonly OrderMoved[]) => {
    for (const order of orders) publishMoved(context, order);
  };

  bindTransfers(binder, context);
  bindGifts(binder, context);
  bindPromotions(binder, context);
  bindCoupons(binder);
  bind(getMovementSums, async ({ caller, query }) => ok(await readMovementSums(db, caller, query)));
  bind(contract.findRechargeTargets, async ({ caller, query }) => ok(await findRechargeTargets(db, caller, query)));
  bind(
    contract.createRecharge,
    async ({ caller, body, at, transact }) => {
      const made = await transact(
        async (trx) => {
          const recharged = await createRecharge(trx, caller, body, at);
          if (recharged.ok && !isWaiting(recharged.value)) await tellWalletLater(trx, recharged.value.wallet);
          return recharged;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.recharge.id) },
      );
      if (!made.ok) return made;
      if (isWaiting(made.value)) return ok(made.value);
      tell(made.value.repaidOrders);
      return ok(made.value.recharge);
    },
    { replay },
  );
  bind(
    contract.reverseRecharge,
    async ({ caller, params, body, at, transact }) => {
      const reversed = await transact(
        async (trx) => {
          const undone = await reverseRecharge(trx, caller, params.id, body, at);
          if (undone.ok && !isWaiting(undone.value)) await tellWalletLater(trx, undone.value.wallet);
          return undone;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.id) },
      );
      if (!reversed.ok) return reversed;
      if (isWaiting(reversed.value)) return ok(reversed.value);
      tell(reversed.value.owedOrders);
      return answer(caller, params.id);
    },
    { replay },
  );
  bind(
    contract.refundRecharge,
    async ({ caller, params, body, at, transact }) => {
      const refunded = await transact(
        async (trx) => {
          const sent = await refundRecharge(trx, context.channels, caller, params.id, body, at);
          if (sent.ok && !isWaiting(sent.value)) await tellWalletLater(trx, sent.value.wallet);
          return sent;
        },
        { recordOf: (value) => (isWaiting(value) ? null : value.id) },
      );
      if (!refunded.ok) return refunded;
      return isWaiting(refunded.value) ? ok(refunded.value) : answer(caller, params.id);
    },
    { replay },
  );
  bind(contract.listRechargeRefunds, async ({ caller, params }) => found(await readRefunds(db, caller, params.id)));
}
