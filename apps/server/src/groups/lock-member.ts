import type { ApiError } from '@voltdeck/contract/errors';
import type { GroupMemberId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Selectable } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { GroupMembersTable } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';
import { type LockedGroup, lockGroup } from './lock-group.ts';

export type LockedMember = { member: Selectable<GroupMembersTable>; group: LockedGroup };

/** A binding of the caller's with its group, which is not disabled meanwhile. */
export async function lockMember(trx: Trx, caller: Caller, id: GroupMemberId): Promise<Result<LockedMember, ApiError>> {
  const named = await scoped(trx.selectFrom('group_members'), caller, 'group_members.agent_id')
    .select('group_members.group_id')
    .where('group_members.id', '=', id)
    .executeTakeFirst();
  if (named === undefined) return failed({ code: 'record.not_found' });
  const group = await lockGroup(trx, caller, named.group_id, 'share');
  if (!group.ok) return group;
  const member = await trx
    .selectFrom('group_members')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return ok({ member, group: group.value });
}

/** Whether a binding has not been refused or ended. */
export function isOpen({ state }: Pick<LockedMember['member'], 'state'>): boolean {
  return state !== 'refused' && state !== 'released';
}
