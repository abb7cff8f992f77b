import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { resetPassword as route } from '@voltdeck/contract/users';
import type { UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Sessions } from '../../caller/sessions.ts';
import type { Trx } from '../../database/transact.ts';
import { hashPassword } from '../password.ts';
import { passwordFault } from '../password-rule.ts';
import { newInitialPassword } from './initial-password.ts';
import { lockUser } from './lock-user.ts';
import { noteGiver } from './note-giver.ts';

/**
 * Sets an initial password and ends every session of the user. A generated one appears only in the answer. Call
 * `forgetCached` of the sessions after the commit.
 */
export async function resetPassword(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  id: UserId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const locked = await lockUser(trx, caller, id);
  if (!locked.ok) return locked;
  if (id === caller.userId) return failed({ code: 'user.yourself' });
  const { userName, phone } = locked.value;
  const fault = form.password === undefined ? null : passwordFault(form.password, { userName, phone });
  if (fault !== null) return failed({ code: fault });
  const password = form.password ?? newInitialPassword();
  await trx
    .updateTable('users')
    .set({
      password_hash: await hashPassword(password),
      password_is_initial: true,
      password_changed_at: at,
    })
    .where('id', '=', id)
    .execute();
  await noteGiver(trx, caller, id, at);
  await sessions.endAll(trx, id, at, 'password_changed');
  await audit(trx, caller, at, { action: 'user.password_reset', recordKind: 'user', recordId: id });
  return ok({ initialPassword: form.password === undefined ? password : null });
}
