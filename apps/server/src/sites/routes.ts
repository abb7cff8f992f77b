import * as contract from '@voltdeck/contract/sites';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { spanOf } from '../http/list-page.ts';
import { changeSite } from './change-site.ts';
import { createSite } from './create-site.ts';
import { deleteSite } from './delete-site.ts';
import { findSite, listSitePage } from './queries.ts';

export function bindSites({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.listSites, async ({ caller, query }) => {
    const span = spanOf(query);
    return span.ok ? ok(await listSitePage(db, caller, query, span.value)) : span;
  });
  bind(contract.getSite, async ({ caller, params }) => found(await findSite(db, caller, params.id)));
  bind(contract.createSite, ({ caller, body, at, transact }) => transact((trx) => createSite(trx, caller, body, at)));
  bind(contract.changeSite, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeSite(trx, caller, params.id, body, at)),
  );
  bind(contract.deleteSite, ({ caller, params, at, transact }) =>
    transact((trx) => deleteSite(trx, caller, params.id, at)),
  );
}
