import { giftAccount, groupAccount, memberAccount } from '@voltdeck/ledger/account';
import { totalOf } from '@voltdeck/ledger/parts';
import type { GroupMemberId } from '@voltdeck/units/id';
import { ok } from '@voltdeck/units/result';
import type { Context } from '../context.ts';
import { transact } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import { publishMoved } from '../orders/order-events.ts';
import { lockDebts, repayDebts } from '../orders/repay-debts.ts';
import { movePot } from './move-pots.ts';

/**
 * The pot of a released member goes back to the group, unless a charge still runs on it, whose end gives this job again.
 * It may run twice, late, and for a member who is bound: then there is nothing to do.
 */
export async function returnPot(context: Context<'money'>, memberId: GroupMemberId): Promise<void> {
  const at = context.now();
  const moved = await transact(context.database.db, async (trx) => {
    const member = await trx
      .selectFrom('group_members')
      .innerJoin('groups', 'groups.id', 'group_members.group_id')
      .select(['group_members.state', 'groups.id', 'groups.agent_id'])
      .where('group_members.id', '=', memberId)
      .forUpdate('group_members')
      .executeTakeFirst();
    if (member === undefined || member.state !== 'released') return ok([]);
    const running = await trx
      .selectFrom('orders')
      .select('id')
      .where('group_member_id', '=', memberId)
      .where('state', 'in', ['placed', 'charging', 'settling'])
      .limit(1)
      .executeTakeFirst();
    if (running !== undefined) return ok([]);
    const [pot, to] = [memberAccount(memberId), groupAccount(member.id)];
    await lockDebts(trx, pot);
    await lockDebts(trx, to);
    // What the pot owes is paid from it first.
    const own = await repayDebts(trx, pot, null, at);
    const balanceOf = await lockWallets(trx, [pot, to]);
    const left = { paidFen: balanceOf(pot), giftFen: balanceOf(giftAccount(pot)) };
    if (totalOf(left) <= 0) return ok(own.orders);
    const told = { kind: 'returned', number: receiptNumber('L', at), remark: '', userId: null } as const;
    await movePot(trx, { ...told, group: member, memberId, moved: left }, at);
    const repaid = await repayDebts(trx, to, null, at);
    return ok([...own.orders, ...repaid.orders]);
  });
  if (!moved.ok) return;
  for (const order of moved.value) publishMoved(context, order);
}
