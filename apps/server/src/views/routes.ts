import * as contract from '@voltdeck/contract/views';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { arrangeColumns } from './arrange-columns.ts';
import { changeFilterSet } from './change-filter-set.ts';
import { deleteFilterSet } from './delete-filter-set.ts';
import { keepFilterSet } from './keep-filter-set.ts';
import { listViewsOf } from './queries.ts';

export function bindViews({ bind }: Binder, { database: { db } }: Context<'console'>): void {
  bind(contract.getListViews, async ({ caller }) => ok(await listViewsOf(db, caller.userId)));
  bind(contract.arrangeColumns, ({ caller, body, transact }) => transact((trx) => arrangeColumns(trx, caller, body)));
  bind(contract.keepFilterSet, ({ caller, body, transact }) => transact((trx) => keepFilterSet(trx, caller, body)));
  bind(contract.changeFilterSet, ({ caller, params, body, transact }) =>
    transact((trx) => changeFilterSet(trx, caller, params.id, body)),
  );
  bind(contract.deleteFilterSet, ({ caller, params, transact }) =>
    transact((trx) => deleteFilterSet(trx, caller, params.id)),
  );
}
