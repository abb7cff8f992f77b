import type { ApiError } from '@voltdeck/contract/errors';
import type { GroupMember, changeGroupMember as route } from '@voltdeck/contract/group-members';
import type { BodyOf } from '@voltdeck/contract/route';
import type { GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import { isOpen, lockMember } from './lock-member.ts';
import { findMember } from './member-queries.ts';

/** Changes the name and the limits of a group user. A charge that runs is held to the new limits from its next hold on. */
export async function changeMember(
  trx: Trx,
  caller: Caller,
  id: GroupMemberId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<GroupMember, ApiError>> {
  const locked = await lockMember(trx, caller, id);
  if (!locked.ok) return locked;
  const { member } = locked.value;
  if (!isOpen(member)) return failed({ code: 'group_member.over' });
  const before = {
    name: member.name,
    monthLimitFen: member.month_limit_fen,
    monthLimitCharges: member.month_limit_charges,
  };
  const after = { ...before, ...form };
  await trx
    .updateTable('group_members')
    .set({ name: after.name, month_limit_fen: after.monthLimitFen, month_limit_charges: after.monthLimitCharges })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: 'group_member.change',
    recordKind: 'group_member',
    recordId: id,
    before,
    after,
  });
  return found(await findMember(trx, caller, id, at));
}
