import * as contract from '@voltdeck/contract/tariffs';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { cancelVersion } from './cancel-version.ts';
import { changeTariff } from './change-tariff.ts';
import { createTariff } from './create-tariff.ts';
import { deleteTariff } from './delete-tariff.ts';
import { findDefault, findTariff, findVersions } from './queries.ts';
import { setDefault } from './set-default.ts';

export function bindTariffs({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getTariff, async ({ caller, params }) => found(await findTariff(db, caller, params.id)));
  bind(contract.getTariffVersions, async ({ caller, params }) => found(await findVersions(db, caller, params.id)));
  bind(contract.getDefaultTariff, async ({ caller, query }) => found(await findDefault(db, caller, query)));
  bind(contract.createTariff, ({ caller, body, at, transact }) =>
    transact((trx) => createTariff(trx, caller, body, at)),
  );
  bind(contract.changeTariff, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeTariff(trx, caller, params.id, body, at)),
  );
  bind(contract.cancelTariffVersion, ({ caller, params, at, transact }) =>
    transact((trx) => cancelVersion(trx, caller, params.id, at)),
  );
  bind(contract.deleteTariff, ({ caller, params, at, transact }) =>
    transact((trx) => deleteTariff(trx, caller, params.id, at)),
  );
  bind(contract.setDefaultTariff, ({ caller, params, body, at, transact }) =>
    transact((trx) => setDefault(trx, caller, params.id, body, at)),
  );
}
