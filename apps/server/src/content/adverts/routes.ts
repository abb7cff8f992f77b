import * as contract from '@voltdeck/contract/adverts';
import type { Binder } from '../../http/bind.ts';
import { changeAdvert, enableAdvert } from './change-advert.ts';
import { createAdvert } from './create-advert.ts';
import { deleteAdvert } from './delete-advert.ts';

export function bindAdverts({ bind }: Binder): void {
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
