import * as contract from '@voltdeck/contract/tariffs';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { spanOf } from '../http/list-page.ts';
import { createTariff } from './create-tariff.ts';
import { findTariff, listTariffPage } from './queries.ts';

export function bindTariffs({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.listTariffs, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listTariffPage(db, caller, query, span.value)) : span;
  });
  bind(contract.getTariff, async ({ caller, params }) => found(await findTariff(db, caller, params.id)));
  bind(contract.createTariff, ({ caller, body, at, transact }) =>
    transact((trx) => createTariff(trx, caller, body, at)),
  );
}
