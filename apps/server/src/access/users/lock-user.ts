import type { ApiError } from '@voltdeck/contract/errors';
import type { PositionId, UserId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Trx } from '../../database/transact.ts';
import { isWithinOwn } from '../own-rights.ts';

/**
 * The user, locked until the transaction ends. Refused when the caller may not see them, and when they have more rights
 * than the caller, who could sign in as them after resetting their password.
 */
export async function lockUser(trx: Trx, caller: Caller, id: UserId) {
  const user = await scoped(trx.selectFrom('users'), caller, 'users.agent_id')
    .select([
      'id',
      'user_name as userName',
      'real_name as realName',
      'real_name_key as realNameKey',
      'phone',
      'admin',
      'enabled',
      'position_id as positionId',
      'agent_id as agentId',
      'divider_id as dividerId',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const result: Result<typeof user & {}, ApiError> =
    user === undefined
      ? failed({ code: 'record.not_found' })
      : (await isManageable(trx, caller, user))
        ? ok(user)
        : failed({ code: 'position.beyond_own' });
  return result;
}

/** Whether the caller has everything that the user has. */
export async function isManageable(
  trx: Trx,
  caller: Caller,
  user: { admin: boolean; positionId: PositionId | null },
): Promise<boolean> {
  if (caller.admin) return true;
  if (user.admin) return false;
  if (user.positionId === null) return true;
  const position = await trx
    .selectFrom('positions')
    .select(['menu_codes as menuCodes', 'data_scope as dataScope'])
    .where('id', '=', user.positionId)
    .executeTakeFirstOrThrow();
  return isWithinOwn(caller, position);
}
