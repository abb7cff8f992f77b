import * as contract from '@voltdeck/contract/access';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import { ok } from '@voltdeck/units/result';
import type { Sessions } from '../caller/sessions.ts';
import type { Context } from '../context.ts';
import { type Binder, mayCall } from '../http/bind.ts';
import { changeAvatar } from './change-avatar.ts';
import { menusOf } from './menus/user-menus.ts';
import { configValue, userInfo } from './queries.ts';

export function bindAccess({ bind, bindPublic }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;

  bind(contract.getUserInfo, async ({ caller }) => {
    const info = await userInfo(db, caller);
    const everything = Object.keys(permissions) as Permission[];
    return ok({ ...info, permissions: caller.admin ? everything : [...caller.permissions] });
  });

  bind(contract.changeAvatar, async ({ caller, body, at, transact }) => {
    const changed = await transact((trx) => changeAvatar(trx, caller, body.fileId, at));
    if (!changed.ok) return changed;
    const { avatar, replaced } = changed.value;
    // The row is gone; if this fails, the nightly sweep deletes the bytes.
    if (replaced !== null) await context.files.delete(replaced);
    return ok({ avatar });
  });

  bind(contract.getUserMenu, async ({ caller }) => ok(await menusOf(db, caller, caller.language)));

  bindPublic(contract.getConfigByKey, async ({ query, token, at }) => {
    const session = token === null ? null : await sessions.find(token, at);
    const mayReadAll =
      session?.ok === true && session.value.agents === 'all' && mayCall({ permission: 'config.read' }, session.value);
    return ok(await configValue(db, query.configKey, { onlyPublic: !mayReadAll }));
  });
}
