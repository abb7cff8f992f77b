import * as contract from '@voltdeck/contract/partners';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { changePartner, deletePartner, enablePartner } from './change-partner.ts';
import { createPartner } from './create-partner.ts';
import { openSitesTo } from './open-sites.ts';
import { findPartnerDetail } from './queries.ts';
import { rotateKeys } from './rotate-keys.ts';

export function bindPartners({ bind }: Binder, context: Context<'console'>): void {
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
}
