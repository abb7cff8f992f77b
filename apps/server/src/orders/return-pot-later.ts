import type { GroupMemberId } from '@voltdeck/units/id';
import { giveJob } from '../database/give-job.ts';
import type { Trx } from '../database/transact.ts';
import type { WalletColumns } from './order-row.ts';

/**
 * In the transaction that gives money back to the pot of a member, or releases the member: what a released member does not
 * need any more goes to the group. The job finds nothing to do for everybody else, because only it sees a member who is
 * released at the same time.
 */
export async function returnPotLater(trx: Trx, memberId: GroupMemberId): Promise<void> {
  await giveJob(trx, 'return-pot', { memberId }, { key: `return-pot:${memberId}` });
}

/** The same where an order of any payer has given money back. */
export async function returnPotOfOrderLater(trx: Trx, order: WalletColumns): Promise<void> {
  if (order.payment_type !== 'member' || order.group_member_id === null) return;
  await returnPotLater(trx, order.group_member_id as GroupMemberId);
}
