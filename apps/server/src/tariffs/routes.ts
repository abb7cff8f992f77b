import * as contract from '@voltdeck/contract/tariffs';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { createTariff } from './create-tariff.ts';
import { findTariff } from './queries.ts';

export function bindTariffs({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getTariff, async ({ caller, params }) => found(await findTariff(db, caller, params.id)));
  bind(contract.createTariff, ({ caller, body, at, transact }) =>
    transact((trx) => createTariff(trx, caller, body, at)),
  );
}
