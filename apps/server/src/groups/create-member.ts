import type { ApiError } from '@voltdeck/contract/errors';
import type { GroupMember, createGroupMember as route } from '@voltdeck/contract/group-members';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { found } from '../http/found.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { lockEnabledGroup } from './lock-group.ts';
import { findMember } from './member-queries.ts';
import { nameMember } from './name-member.ts';

/**
 * Phones a day that one user outside the platform may name by hand: whether one is registered shows in its state, and
 * this is too few to search a list.
 */
export const namedPhonesPerDayMax = 200;

/** Names a user of a group by phone, who waits for a review, or for somebody to register the phone. */
export async function createMember(
  trx: Trx,
  namedPhones: RateLimit,
  caller: Caller,
  { groupId, customerPhone: phone, name = '', ...limits }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<GroupMember, ApiError>> {
  const group = await lockEnabledGroup(trx, caller, groupId, 'share');
  if (!group.ok) {
    if (group.error.code !== 'record.not_found') return group;
    return failed({ code: 'request.invalid', fields: [{ path: 'groupId', code: 'unknown_reference' }] });
  }
  const seconds = caller.agents === 'all' ? 0 : namedPhones.secondsToWait(String(caller.userId), at);
  if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
  const made = await nameMember(trx, group.value, { phone, name, source: 'office', ...limits }, at);
  if (!made.ok) return made;
  await audit(trx, caller, at, {
    action: 'group_member.create',
    recordKind: 'group_member',
    recordId: made.value,
    after: { groupId, phone, name, ...limits },
  });
  return found(await findMember(trx, caller, made.value, at));
}
