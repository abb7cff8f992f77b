import type { ApiError } from '@voltdeck/contract/errors';
import type { GroupId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Selectable } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { GroupsTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

export type LockedGroup = Selectable<GroupsTable>;

/**
 * A group of the caller's, kept as it is until the end of the transaction: `share` while a member is bound or charges, so
 * that it is not disabled meanwhile, `update` to change it. Lock it before its members, and these before accounts.
 */
export async function lockGroup(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  lock: 'share' | 'update',
): Promise<Result<LockedGroup, ApiError>> {
  const groups = scoped(trx.selectFrom('groups'), caller, 'groups.agent_id').selectAll().where('groups.id', '=', id);
  const group = await (lock === 'share' ? groups.forShare() : groups.forUpdate()).executeTakeFirst();
  return group === undefined ? failed({ code: 'record.not_found' }) : ok(group);
}

/** The same for what only an enabled group does. */
export async function lockEnabledGroup(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  lock: 'share' | 'update',
): Promise<Result<LockedGroup, ApiError>> {
  const group = await lockGroup(trx, caller, id, lock);
  if (!group.ok || group.value.state === 'enabled') return group;
  return failed({ code: 'group.disabled', params: { group: group.value.name } });
}
