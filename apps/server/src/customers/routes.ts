import * as contract from '@voltdeck/contract/customers';
import { dayMs } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { createCustomer, takenPhonesPerDayMax } from './create-customer.ts';
import { findCustomer } from './queries.ts';

export function bindCustomers({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  const takenPhones = new RateLimit({ max: takenPhonesPerDayMax, windowMs: dayMs });
  bind(contract.getCustomer, async ({ caller, params }) => found(await findCustomer(db, caller, params.id)));
  bind(contract.createCustomer, ({ caller, body, at, transact }) =>
    transact((trx) => createCustomer(trx, takenPhones, caller, body, at)),
  );
}
