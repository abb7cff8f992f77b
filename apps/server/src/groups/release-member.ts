import type { ApiError } from '@voltdeck/contract/errors';
import type { CustomerId, GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit, type Who } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { returnPotLater } from '../orders/return-pot-later.ts';
import { isOpen, lockMember } from './lock-member.ts';

/**
 * Unbinds a user. A charge that runs at the expense of the group goes on; what is then left in the pot goes back to the
 * group.
 */
export async function releaseMember(
  trx: Trx,
  caller: Caller,
  id: GroupMemberId,
  at: Instant,
): Promise<Result<GroupMemberId, ApiError>> {
  const locked = await lockMember(trx, caller, id);
  if (!locked.ok) return locked;
  const { member } = locked.value;
  if (!isOpen(member)) return failed({ code: 'group_member.over' });
  await release(trx, caller, member, at);
  return ok(id);
}

/** A registered user leaves the group that they are bound to or wait for. */
export async function leaveGroup(
  trx: Trx,
  who: Who,
  customerId: CustomerId,
  at: Instant,
): Promise<Result<GroupMemberId, ApiError>> {
  const member = await trx
    .selectFrom('group_members')
    .select(['id', 'state'])
    .where('customer_id', '=', customerId)
    .where('state', 'in', ['bound', 'waiting'])
    .orderBy((eb) => eb('state', '=', 'bound'), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (member === undefined) return failed({ code: 'group.not_bound' });
  await release(trx, who, member, at);
  return ok(member.id);
}

async function release(
  trx: Trx,
  who: Who,
  { id, state }: { id: GroupMemberId; state: string },
  at: Instant,
): Promise<void> {
  await trx.updateTable('group_members').set({ state: 'released', released_at: at }).where('id', '=', id).execute();
  await returnPotLater(trx, id);
  await audit(trx, who, at, {
    action: 'group_member.release',
    recordKind: 'group_member',
    recordId: id,
    before: { state },
    after: { state: 'released' },
  });
}
