import * as contract from '@voltdeck/contract/menus';
import { ok } from '@voltdeck/units/result';
import type { Sessions } from '../../caller/sessions.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { changeMenu } from './change-menu.ts';
import { createMenu } from './create-menu.ts';
import { deleteMenu } from './delete-menu.ts';
import { orderMenus } from './order-menus.ts';
import { allMenus, grantableMenus } from './queries.ts';

export function bindMenus({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  bind(contract.listMenus, async ({ caller, query }) =>
    ok(query.grantable === true ? await grantableMenus(db, caller) : await allMenus(db)),
  );
  bind(contract.createMenu, ({ caller, body, at, transact }) => transact((trx) => createMenu(trx, caller, body, at)));
  bind(contract.changeMenu, async ({ caller, params, body, at, transact }) => {
    const result = await transact((trx) => changeMenu(trx, caller, params.code, body, at));
    if (result.ok) sessions.forgetRights();
    return result;
  });
  bind(contract.deleteMenu, async ({ caller, params, at, transact }) => {
    const result = await transact((trx) => deleteMenu(trx, caller, params.code, at));
    if (result.ok) sessions.forgetRights();
    return result;
  });
  bind(contract.orderMenus, async ({ caller, body, at, transact }) => {
    const result = await transact((trx) => orderMenus(trx, caller, body, at));
    if (result.ok) sessions.forgetRights();
    return result;
  });
}
