import * as contract from '@voltdeck/contract/cards';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { found } from '../http/found.ts';
import { blockCard, changeCard } from './change-card.ts';
import { createCard } from './create-card.ts';
import { findCard } from './queries.ts';

export function bindCards({ bind }: Binder, context: Context<'console'>): void {
  const { db } = context.database;
  bind(contract.getCard, async ({ caller, params }) => found(await findCard(db, caller, params.id)));
  bind(contract.createCard, ({ caller, body, at, transact }) => transact((trx) => createCard(trx, caller, body, at)));
  bind(contract.changeCard, ({ caller, params, body, at, transact }) =>
    transact((trx) => changeCard(trx, caller, params.id, body, at)),
  );
  bind(contract.enableCard, ({ caller, params, body, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, body.enabled ? 'enable' : 'disable', at)),
  );
  bind(contract.reportCardLost, ({ caller, params, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, 'lose', at)),
  );
  bind(contract.restoreCard, ({ caller, params, at, transact }) =>
    transact((trx) => blockCard(trx, caller, params.id, 'restore', at)),
  );
}
