import * as contract from '@voltdeck/contract/users';
import { ok } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Sessions } from '../../caller/sessions.ts';
import type { Context } from '../../context.ts';
import type { Binder } from '../../http/bind.ts';
import { found } from '../../http/found.ts';
import { changeUser } from './change-user.ts';
import { createUser } from './create-user.ts';
import { enableUser } from './enable-user.ts';
import { findUser } from './queries.ts';
import { resetPassword } from './reset-password.ts';
import { signOutUser } from './sign-out-user.ts';

export function bindUsers({ bind }: Binder, context: Context<'console'>, sessions: Sessions): void {
  const { db } = context.database;
  bind(contract.getUser, async ({ caller, params, at }) => found(await findUser(db, caller, params.id, at)));
  bind(contract.createUser, ({ caller, body, at, transact }) => transact((trx) => createUser(trx, caller, body, at)));
  bind(contract.changeUser, async ({ caller, params, body, at, transact }) => {
    const result = await transact((trx) => changeUser(trx, caller, params.id, body, at));
    if (result.ok) sessions.forgetCached(params.id);
    return result;
  });
  bind(contract.enableUser, async ({ caller, params, body, at, transact }) => {
    const result = await transact((trx) => enableUser(trx, sessions, caller, params.id, body.enabled, at));
    if (result.ok) sessions.forgetCached(params.id);
    return result;
  });
  bind(contract.resetPassword, async ({ caller, params, body, at, transact }) => {
    const result = await transact((trx) => resetPassword(trx, sessions, caller, params.id, body, at));
    if (result.ok) sessions.forgetCached(params.id);
    return result;
  });
  bind(contract.signOutUser, async ({ caller, params, at, transact }) => {
    const result = await transact((trx) => signOutUser(trx, sessions, caller, params.id, at));
    if (result.ok) sessions.forgetCached(params.id);
    return result;
  });
  bind(contract.signOutSelf, async ({ caller, token, at, transact }) => {
    const result = await transact(async (trx) => {
      await sessions.endOthers(trx, caller.userId, token ?? '', at);
      await audit(trx, caller, at, { action: 'user.sign_out', recordKind: 'user', recordId: caller.userId });
      return ok(null);
    });
    if (result.ok) sessions.forgetCached(caller.userId);
    return result;
  });
}
