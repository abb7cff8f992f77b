import * as contract from '@voltdeck/contract/content';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { spanOf } from '../../http/list-page.ts';
import { changeAdvert, enableAdvert } from './change-advert.ts';
import { createAdvert } from './create-advert.ts';
import { deleteAdvert } from './delete-advert.ts';
import { listAdvertPage } from './queries.ts';

export function bindAdverts({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.listAdverts, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listAdvertPage(db, caller, query, span.value)) : span;
  });
  bind(contract.createAdvert, ({ caller, body, at, transact }) =>
    transact((trx) => createAdvert(trx, caller, body, at)),
  );
  bind(contract.changeAdvert, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeAdvert(trx, caller, params.id, body, at)),
  );
  bind(contract.enableAdvert, ({ caller, params, body, at, transact }) =>
    transact((trx) => enableAdvert(trx, caller, params.id, body.enabled, at)),
  );
  bind(contract.deleteAdvert, ({ caller, params, at, transact }) =>
    transact((trx) => deleteAdvert(trx, caller, params.id, at)),
  );
}
