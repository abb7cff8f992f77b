import type { GroupMemberSource } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { CustomerId, GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Trx } from '../database/transact.ts';
import type { LockedGroup } from './lock-group.ts';

type Named = {
  phone: string;
  name: string;
  source: GroupMemberSource;
  monthLimitFen?: Fen | null | undefined;
  monthLimitCharges?: number | null | undefined;
};

/** The registered user of a phone; a merged record is nobody's any more. */
export function customerOf(trx: Trx, phone: string): Promise<{ id: CustomerId } | undefined> {
  return trx
    .selectFrom('customers')
    .select('id')
    .where('phone', '=', phone)
    .where('state', '<>', 'merged')
    .forShare()
    .executeTakeFirst();
}

/**
 * Names a user of a group, who waits for a review, or for somebody to register the phone. One who is bound to a group
 * already is refused: they have to leave it first.
 */
export async function nameMember(
  trx: Trx,
  group: LockedGroup,
  { phone, name, source, monthLimitFen = null, monthLimitCharges = null }: Named,
  at: Instant,
): Promise<Result<GroupMemberId, ApiError>> {
  const customer = await customerOf(trx, phone);
  if (customer !== undefined) {
    const bound = await trx
      .selectFrom('group_members')
      .select('group_id')
      .where('customer_id', '=', customer.id)
      .where('state', '=', 'bound')
      .where('group_id', '<>', group.id)
      .executeTakeFirst();
    if (bound !== undefined) return failed({ code: 'group_member.bound_elsewhere' });
  }
  const made = await trx
    .insertInto('group_members')
    .values({
      group_id: group.id,
      agent_id: group.agent_id,
      phone,
      name,
      customer_id: customer?.id ?? null,
      state: customer === undefined ? 'not_bound' : 'waiting',
      source,
      month_limit_fen: monthLimitFen,
      month_limit_charges: monthLimitCharges,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made === undefined ? failed({ code: 'group_member.named_already' }) : ok(made.id);
}
