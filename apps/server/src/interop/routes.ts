import { testConnection } from '@voltdeck/contract/connection-tests';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import * as deliveries from '@voltdeck/contract/partner-deliveries';
import { depositForPartner, payPartner as payRoute } from '@voltdeck/contract/partner-deposits';
import { listPullChanges, pullPartner } from '@voltdeck/contract/partner-pulls';
import * as contract from '@voltdeck/contract/partners';
import type { PartnerPaymentId, RechargeId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { publishMoved } from '../orders/order-events.ts';
import { changePartner, deletePartner, enablePartner } from './change-partner.ts';
import { createPartner } from './create-partner.ts';
import { checkConnection } from './deliver/check-connection.ts';
import { depositFor, findDeposit } from './deposit-for-partner.ts';
import { openSitesTo } from './open-sites.ts';
import { findPayment, payPartner } from './pay-partner.ts';
import { pullByHand } from './pull/pull-by-hand.ts';
import { findPullChanges } from './pull/queries.ts';
import { findPartnerDetail } from './queries.ts';
import { giveUpDeliveries, replayDeliveries } from './replay-deliveries.ts';
import { bindRoaming } from './roaming/routes.ts';
import { rotateKeys } from './rotate-keys.ts';

export function bindPartners(binder: Binder, context: Context<'console'>): void {
  const { bind } = binder;
  const { secrets } = context;
  const { db } = context.database;
  bind(contract.getPartner, async ({ caller, params }) =>
    found(await findPartnerDetail({ db, secrets }, caller, params.id)),
  );
  bind(contract.createPartner, ({ caller, body, at, transact }) =>
    transact((trx) => createPartner(trx, secrets, caller, body, at)),
  );
  bind(contract.changePartner, ({ caller, params, body, at, transact }) =>
    transact((trx) => changePartner(trx, secrets, caller, params.id, body, at)),
  );
  bind(contract.enablePartner, ({ caller, params, body, at, transact }) =>
    transact((trx) => enablePartner(trx, secrets, caller, params.id, body.enabled, at)),
  );
  bind(contract.deletePartner, ({ caller, params, at, transact }) =>
    transact((trx) => deletePartner(trx, secrets, caller, params.id, at)),
  );
  bind(contract.openSitesToPartner, ({ caller, params, body, at, transact }) =>
    transact((trx) => openSitesTo(trx, secrets, caller, params.id, body, at)),
  );
  bind(contract.rotatePartnerKeys, ({ caller, params, body, at, transact }) =>
    transact((trx) => rotateKeys(trx, secrets, caller, params.id, body, at)),
  );
  bind(
    depositForPartner,
    async ({ caller, params, body, at, transact }) => {
      const made = await transact((trx) => depositFor(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.deposit.id),
      });
      if (!made.ok) return made;
      if (isWaiting(made.value)) return ok(made.value);
      for (const order of made.value.repaidOrders) publishMoved(context, order);
      return ok(made.value.deposit);
    },
    { replay: async (recordId) => found(await findDeposit(db, recordId as RechargeId)) },
  );
  bind(
    payRoute,
    async ({ caller, params, body, at, transact }) => {
      const paid = await transact((trx) => payPartner(trx, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value),
      });
      if (!paid.ok) return paid;
      if (isWaiting(paid.value)) return ok(paid.value);
      return found(await findPayment(db, caller, paid.value));
    },
    { replay: async (recordId, { caller }) => found(await findPayment(db, caller, recordId as PartnerPaymentId)) },
  );
  bindRoaming(binder, context);
  bind(pullPartner, ({ caller, params, body, at, transact }) =>
    transact((trx) => pullByHand(trx, caller, params.id, body, at)),
  );
  bind(listPullChanges, async ({ caller, params }) => found(await findPullChanges(db, caller, params.id)));
  bind(testConnection, async ({ caller, params }) => found(await checkConnection(context, caller, params.id)));
  bind(deliveries.replayDeliveries, ({ caller, body, at, transact }) =>
    transact((trx) => replayDeliveries(trx, caller, body.ids, at)),
  );
  bind(deliveries.giveUpDeliveries, ({ caller, body, at, transact }) =>
    transact((trx) => giveUpDeliveries(trx, caller, body.ids, at)),
  );
}
