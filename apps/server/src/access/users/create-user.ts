import type { ApiError } from '@voltdeck/contract/errors';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import type { createUser as route } from '@voltdeck/contract/users';
import type { DividerId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import { agentOfNewRecord } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { hashPassword } from '../password.ts';
import { passwordFault } from '../password-rule.ts';
import { checkNames, checkPost } from './check-user.ts';
import { newInitialPassword } from './initial-password.ts';
import { noteGiver } from './note-giver.ts';
import { findUser } from './queries.ts';

/** Adds a user or the account of a divider. A generated password appears only in the answer. */
export async function createUser(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
  { dividerId = null }: { dividerId?: DividerId | null } = {},
): Promise<Result<AnswerOf<typeof route>, ApiError>> {
  const { userName, realName, phone = null, positionId = null } = form;
  const agentId = agentOfNewRecord(caller, form.agentId ?? undefined);
  if (agentId === undefined) return failed({ code: 'access.denied' });
  const checked = await checkPost(trx, caller, { positionId, agentId, isDividers: dividerId !== null });
  if (!checked.ok) return checked;
  const names = await checkNames(trx, { userName, phone }, null);
  if (!names.ok) return names;
  const fault = form.password === undefined ? null : passwordFault(form.password, { userName, phone });
  if (fault !== null) return failed({ code: fault });
  const password = form.password ?? newInitialPassword();
  const created = await trx
    .insertInto('users')
    .values({
      user_name: userName,
      real_name: realName,
      phone,
      position_id: positionId,
      agent_id: agentId,
      divider_id: dividerId,
      kind: dividerId === null ? 'added' : 'divider',
      password_hash: await hashPassword(password),
      password_is_initial: true,
      created_at: at,
    })
    // Another request took the name or the phone at the same time.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return failed({ code: 'user.name_taken', params: { name: userName } });
  await noteGiver(trx, caller, created.id, at);
  const after = { userName, realName, phone, positionId, agentId };
  await audit(trx, caller, at, { action: 'user.create', recordKind: 'user', recordId: created.id, after });
  const user = await findUser(trx, caller, created.id, at);
  if (user === null) return failed({ code: 'record.not_found' });
  return ok({ user, initialPassword: form.password === undefined ? password : null });
}
