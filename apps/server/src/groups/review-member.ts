import type { ApiError } from '@voltdeck/contract/errors';
import type { reviewGroupMembers, reviewGroupMember as route } from '@voltdeck/contract/group-members';
import type { BodyOf } from '@voltdeck/contract/route';
import type { CustomerId, GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockMember } from './lock-member.ts';

type Review = BodyOf<typeof route>;

/**
 * Agrees to a binding or refuses it, which needs an opinion. One that nobody has registered the phone of is agreed to in
 * advance, and bound as soon as somebody does.
 */
export async function reviewMember(
  trx: Trx,
  caller: Caller,
  id: GroupMemberId,
  { decision, opinion = '' }: Review,
  at: Instant,
): Promise<Result<GroupMemberId, ApiError>> {
  if (decision === 'refuse' && opinion === '') return failed({ code: 'group_member.opinion_required' });
  const locked = await lockMember(trx, caller, id);
  if (!locked.ok) return locked;
  const { member, group } = locked.value;
  if (member.state !== 'waiting' && member.state !== 'not_bound') {
    return failed({ code: 'group_member.not_waiting', params: { phone: member.phone } });
  }
  const isAgreed = decision === 'agree';
  if (isAgreed && group.state !== 'enabled') return failed({ code: 'group.disabled', params: { group: group.name } });
  if (isAgreed && member.customer_id !== null && (await isBoundElsewhere(trx, member.customer_id))) {
    return failed({ code: 'group_member.bound_elsewhere' });
  }
  const state = !isAgreed ? 'refused' : member.customer_id === null ? 'not_bound' : 'bound';
  await trx
    .updateTable('group_members')
    .set({ state, opinion, is_agreed: isAgreed, reviewed_by: caller.userId, reviewed_at: at })
    .where('id', '=', id)
    .execute();
  await audit(trx, caller, at, {
    action: isAgreed ? 'group_member.agree' : 'group_member.refuse',
    recordKind: 'group_member',
    recordId: id,
    before: { state: member.state },
    after: { state, opinion },
  });
  return ok(id);
}

/** One decision at a time about a customer, so that two groups do not both bind them. */
async function isBoundElsewhere(trx: Trx, customerId: CustomerId): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`group-customer:${customerId}`}, 0))`.execute(trx);
  const bound = await trx
    .selectFrom('group_members')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('state', '=', 'bound')
    .executeTakeFirst();
  return bound !== undefined;
}

/** Decides them together or not at all. */
export async function reviewMembers(
  trx: Trx,
  caller: Caller,
  { ids, ...review }: BodyOf<typeof reviewGroupMembers>,
  at: Instant,
): Promise<Result<{ decided: number }, ApiError>> {
  const each = [...new Set(ids)].sort((a, b) => a - b);
  for (const id of each) {
    const reviewed = await reviewMember(trx, caller, id, review, at);
    if (!reviewed.ok) return reviewed;
  }
  return ok({ decided: each.length });
}
