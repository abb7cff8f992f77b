import * as contract from '@voltdeck/contract/customers';
import { isWaiting } from '@voltdeck/contract/is-waiting';
import type { CustomerId } from '@voltdeck/units/id';
import { dayMs } from '@voltdeck/units/instant';
import { ok } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { publishMoved } from '../orders/order-events.ts';
import { createCustomer, takenPhonesPerDayMax } from './create-customer.ts';
import { enableCustomer } from './enable-customer.ts';
import { mergeCustomer } from './merge-customer.ts';
import { findCustomer, findCustomerDetail } from './queries.ts';

export function bindCustomers({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  const takenPhones = new RateLimit({ max: takenPhonesPerDayMax, windowMs: dayMs });
  const answer = async (caller: Caller, id: CustomerId) => found(await findCustomer(db, caller, id));

  bind(contract.getCustomer, async ({ caller, params }) => found(await findCustomerDetail(db, caller, params.id)));
  bind(contract.createCustomer, ({ caller, body, at, transact }) =>
    transact((trx) => createCustomer(trx, takenPhones, caller, body, at)),
  );
  bind(contract.enableCustomer, async ({ caller, params, body, at, transact }) => {
    const enabled = await transact((trx) => enableCustomer(trx, sessions, caller, params.id, body, at), {
      answerOf: ({ customer }) => customer,
    });
    if (!enabled.ok) return enabled;
    for (const userId of enabled.value.signedOut) sessions.forgetCached(userId);
    return ok(enabled.value.customer);
  });
  bind(
    contract.mergeCustomer,
    async ({ caller, params, body, at, transact }) => {
      const merged = await transact((trx) => mergeCustomer(trx, sessions, caller, params.id, body, at), {
        recordOf: (value) => (isWaiting(value) ? null : value.intoId),
      });
      if (!merged.ok) return merged;
      if (isWaiting(merged.value)) return ok(merged.value);
      for (const userId of merged.value.signedOut) sessions.forgetCached(userId);
      for (const order of merged.value.repaidOrders) publishMoved(context, order);
      return answer(caller, merged.value.intoId);
    },
    { replay: (recordId, { caller }) => answer(caller, recordId as CustomerId) },
  );
}
