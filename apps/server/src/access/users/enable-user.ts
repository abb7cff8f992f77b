import type { ApiError } from '@voltdeck/contract/errors';
import type { User } from '@voltdeck/contract/users';
import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Sessions } from '../../caller/sessions.ts';
import type { Trx } from '../../database/transact.ts';
import { found } from '../../http/found.ts';
import { lockUser } from './lock-user.ts';
import { findUser } from './queries.ts';

/** Enables or disables a user; disabling ends every session. Call `forgetCached` of the sessions after the commit. */
export async function enableUser(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: UserId,
  enabled: boolean,
  at: Instant,
): Promise<Result<User, ApiError>> {
  const locked = await lockUser(trx, caller, id);
  if (!locked.ok) return locked;
  const user = locked.value;
  if (user.enabled === enabled) return found(await findUser(trx, caller, id, at));
  if (!enabled && id === caller.userId) return failed({ code: 'user.yourself' });
  if (!enabled && user.admin && (await isLastAdmin(trx, id))) return failed({ code: 'user.last_admin' });
  await trx.updateTable('users').set({ enabled }).where('id', '=', id).execute();
  if (!enabled) await sessions.endAll(trx, id, at, 'disabled');
  const action = enabled ? 'user.enable' : 'user.disable';
  await audit(trx, caller, at, {
    action,
    recordKind: 'user',
    recordId: id,
    before: { enabled: user.enabled },
    after: { enabled },
  });
  return found(await findUser(trx, caller, id, at));
}

/** Two administrators may disable each other at the same time: the rows of all are locked, so one of them remains. */
async function isLastAdmin(trx: Trx, id: UserId): Promise<boolean> {
  const admins = await trx
    .selectFrom('users')
    .select('id')
    .where('admin', '=', true)
    .where('enabled', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return admins.every((admin) => admin.id === id);
}
