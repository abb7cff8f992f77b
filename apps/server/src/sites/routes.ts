import * as contract from '@voltdeck/contract/sites';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { changeSite } from './change-site.ts';
import { createSite } from './create-site.ts';
import { deleteSite } from './delete-site.ts';
import { readFacilities } from './facilities.ts';
import { openSite } from './open-site.ts';
import { findSiteDetail } from './queries.ts';

export function bindSites({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getSite, async ({ caller, params }) => found(await findSiteDetail(db, caller, params.id)));
  bind(contract.listFacilities, async ({ caller }) => ok([...(await readFacilities(db, caller.language))]));
  bind(contract.createSite, ({ caller, body, at, transact }) => transact((trx) => createSite(trx, caller, body, at)));
  bind(contract.changeSite, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeSite(trx, caller, params.id, body, at)),
  );
  bind(contract.openSite, ({ caller, params, body, at, transact }) =>
    transact((trx) => openSite(trx, caller, params.id, body.opened, at)),
  );
  bind(contract.deleteSite, ({ caller, params, at, transact }) =>
    transact((trx) => deleteSite(trx, caller, params.id, at)),
  );
}
