import type { changePassword as route } from '@voltdeck/contract/access';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Sessions } from '../caller/sessions.ts';
import type { Trx } from '../database/transact.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { passwordFault } from './password-rule.ts';

/** Changes the caller's own password and ends all of the caller's sessions, the current one included. */
export async function changePassword(
  trx: Trx,
  sessions: Sessions,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<null, ApiError>> {
  const user = await trx
    .selectFrom('users')
    .select(['user_name', 'phone', 'password_hash'])
    .where('id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!(await passwordMatches(form.password, user.password_hash))) return failed({ code: 'password.wrong' });
  if (form.newPassword === form.password) return failed({ code: 'password.same' });
  const fault = passwordFault(form.newPassword, { userName: user.user_name, phone: user.phone });
  if (fault !== null) return failed({ code: fault });
  await trx
    .updateTable('users')
    .set({
      password_hash: await hashPassword(form.newPassword),
      password_is_initial: false,
      password_changed_at: at,
    })
    .where('id', '=', caller.userId)
    .execute();
  await sessions.endAll(trx, caller.userId, at, 'password_changed');
  await audit(trx, caller, at, { action: 'user.password_change', recordKind: 'user', recordId: caller.userId });
  return ok(null);
}
