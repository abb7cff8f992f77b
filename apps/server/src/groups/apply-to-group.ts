import type { ApiError } from '@voltdeck/contract/errors';
import type { OwnGroup, applyToGroup as route } from '@voltdeck/contract/own';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit, type Who } from '../caller/audit.ts';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import type { Trx } from '../database/transact.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { nameMember } from './name-member.ts';

/** Group numbers a day that one registered user may try. */
export const triedGroupsPerDayMax = 20;

/** A registered user applies to a group by the number of its card, and waits for a review. */
export async function applyToGroup(
  trx: Trx,
  tried: RateLimit,
  { caller, who }: { caller: Pick<CustomerCaller, 'customerId' | 'phone'>; who: Who },
  { cardNumber, name = '' }: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<OwnGroup['memberId'], ApiError>> {
  const seconds = tried.secondsToWait(String(caller.customerId), at);
  if (seconds > 0) return failed({ code: 'request.too_many', params: { seconds } });
  const group = await trx
    .selectFrom('groups')
    .selectAll()
    .where('card_number', '=', cardNumber)
    .forShare()
    .executeTakeFirst();
  if (group === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'cardNumber', code: 'unknown_reference' }] });
  }
  if (group.state !== 'enabled') return failed({ code: 'group.disabled', params: { group: group.name } });
  const made = await nameMember(trx, group, { phone: caller.phone, name, source: 'member' }, at);
  if (!made.ok) return made;
  await audit(trx, who, at, {
    action: 'group_member.apply',
    recordKind: 'group_member',
    recordId: made.value,
    after: { groupId: group.id, phone: caller.phone, name, customerId: caller.customerId },
  });
  return ok(made.value);
}
