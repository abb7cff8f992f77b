import { groupAccount, memberAccount } from '@voltdeck/ledger/account';
import { allocationTransfer, takeBackTransfer } from '@voltdeck/ledger/group';
import type { Parts } from '@voltdeck/ledger/parts';
import { totalOf } from '@voltdeck/ledger/parts';
import type { AgentId, GroupId, GroupMemberId, UserId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Trx } from '../database/transact.ts';
import { postTransfer } from '../ledger/post-transfer.ts';

/** `returned`: taken back because the member was released. */
export type AllocationKind = 'allocated' | 'taken_back' | 'returned';

type PotMove = {
  kind: AllocationKind;
  /** Of the act, which may move money of many members. */
  number: string;
  group: { id: GroupId; agent_id: AgentId | null };
  memberId: GroupMemberId;
  moved: Parts;
  remark: string;
  userId: UserId | null;
};

/**
 * Moves free money between a group and the pot of a member, with a movement of both. The caller has locked the accounts
 * and knows that the money is there; more than nothing moves.
 */
export async function movePot(trx: Trx, move: PotMove, at: Instant): Promise<void> {
  const { kind, number, group, memberId, moved, remark, userId } = move;
  const { id } = await trx
    .insertInto('group_allocations')
    .values({
      number,
      kind,
      group_id: group.id,
      member_id: memberId,
      amount_fen: totalOf(moved),
      remark,
      user_id: userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [ofGroup, ofMember] = [groupAccount(group.id), memberAccount(memberId)];
  const build = kind === 'allocated' ? allocationTransfer : takeBackTransfer;
  const transfer = build({ id, group: ofGroup, member: ofMember, moved });
  if (!transfer.ok) throw new Error(`an allocation cannot be posted: ${transfer.error.code}`);
  const type = kind === 'allocated' ? 'allocated' : 'taken_back';
  const toMember = kind === 'allocated' ? 1 : -1;
  const told = { type, number, agentId: group.agent_id, userId, remark } as const;
  const movements = [
    { ...told, wallet: ofGroup, paidFen: -toMember * moved.paidFen, giftFen: -toMember * moved.giftFen },
    { ...told, wallet: ofMember, paidFen: toMember * moved.paidFen, giftFen: toMember * moved.giftFen },
  ];
  if (!(await postTransfer(trx, transfer.value, at, movements))) throw new Error(`allocation ${id} was posted before`);
}
