import type { ApiError } from '@voltdeck/contract/errors';
import { type allocateToMembers, membersAtOnceMax, type takeBackFromMembers } from '@voltdeck/contract/groups';
import type { AnswerOf, BodyOf } from '@voltdeck/contract/route';
import {
  type Account,
  giftAccount,
  groupAccount,
  heldAccount,
  heldGiftAccount,
  memberAccount,
  type Wallet,
} from '@voltdeck/ledger/account';
import { type Parts, subtractParts, takeFrom, totalOf } from '@voltdeck/ledger/parts';
import type { GroupId, GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, formatYuan, minFen, subtractFen } from '@voltdeck/units/money';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { receiptNumber } from '../ledger/receipt-number.ts';
import { lockWallets } from '../ledger/wallet-parts.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { lockDebts, repayDebts } from '../orders/repay-debts.ts';
import { lockEnabledGroup, lockGroup } from './lock-group.ts';
import { movePot } from './move-pots.ts';

export type Allocated = AnswerOf<typeof allocateToMembers> & {
  /** Orders whose debt it repaid, to publish after the commit. */
  repaidOrders: OrderMoved[];
  memberIds: GroupMemberId[];
};

/**
 * Fills the pots of members from the balance of their group: as much to each, or up to as much in each, what running
 * charges hold counted. All of it or nothing: a refusal says how much is missing. Paid money first, gifts last. A member
 * who owes repays at once.
 */
export async function allocate(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  { amountFen, way = 'each', memberIds, remark = '' }: BodyOf<typeof allocateToMembers>,
  at: Instant,
): Promise<Result<Allocated, ApiError>> {
  const locked = await lockEnabledGroup(trx, caller, id, 'update');
  if (!locked.ok) return locked;
  const group = locked.value;
  if (group.funding !== 'allocated') return failed({ code: 'group.is_shared', params: { group: group.name } });
  const members = await lockBound(trx, id, memberIds);
  if (!members.ok) return members;
  for (const member of members.value) await lockDebts(trx, memberAccount(member));
  const from = groupAccount(id);
  const balanceOf = await lockWallets(trx, [from, ...members.value.map(memberAccount)]);
  const due = members.value.flatMap((member) => {
    const dueFen = way === 'each' ? amountFen : subtractFen(amountFen, wholeOf(memberAccount(member), balanceOf));
    return dueFen > 0 ? [{ member, dueFen }] : [];
  });
  const neededFen = addFen(...due.map(({ dueFen }) => dueFen));
  if (due.length === 0) return failed({ code: 'group.nothing_to_move' });
  let free = partsOf(from, balanceOf);
  const missingFen = subtractFen(neededFen, totalOf(free));
  if (missingFen > 0) {
    const params = { missing: formatYuan(missingFen), available: formatYuan(totalOf(free)) };
    return failed({ code: 'group.balance', params });
  }
  const number = receiptNumber('L', at);
  const repaidOrders: OrderMoved[] = [];
  for (const { member, dueFen } of due) {
    const moved = takeFrom(free, dueFen);
    free = subtractParts(free, moved);
    await movePot(
      trx,
      { kind: 'allocated', number, group, memberId: member, moved, remark, userId: caller.userId },
      at,
    );
    repaidOrders.push(...(await repayDebts(trx, memberAccount(member), null, at)).orders);
  }
  await audit(trx, caller, at, {
    action: 'group.allocate',
    recordKind: 'group',
    recordId: id,
    after: { number, way, amountFen: neededFen, members: due.map(({ member }) => member), remark },
  });
  return ok({
    number,
    members: due.length,
    amountFen: neededFen,
    repaidOrders,
    memberIds: due.map(({ member }) => member),
  });
}

/**
 * Takes money out of the pots of members back to their group: an amount from each, as far as it is free, or everything.
 * What running charges hold stays with them.
 */
export async function takeBack(
  trx: Trx,
  caller: Caller,
  id: GroupId,
  { amountFen, memberIds, remark = '' }: BodyOf<typeof takeBackFromMembers>,
  at: Instant,
): Promise<Result<Allocated, ApiError>> {
  const locked = await lockGroup(trx, caller, id, 'update');
  if (!locked.ok) return locked;
  const group = locked.value;
  const members = await lockBound(trx, id, memberIds);
  if (!members.ok) return members;
  const to = groupAccount(id);
  await lockDebts(trx, to);
  const balanceOf = await lockWallets(trx, [to, ...members.value.map(memberAccount)]);
  const due = members.value.flatMap((member) => {
    const free = partsOf(memberAccount(member), balanceOf);
    const moved = takeFrom(free, amountFen === undefined ? totalOf(free) : minFen(amountFen, totalOf(free)));
    return totalOf(moved) > 0 ? [{ member, moved }] : [];
  });
  if (due.length === 0) return failed({ code: 'group.nothing_to_move' });
  const number = receiptNumber('L', at);
  for (const { member, moved } of due) {
    await movePot(
      trx,
      { kind: 'taken_back', number, group, memberId: member, moved, remark, userId: caller.userId },
      at,
    );
  }
  const takenFen = addFen(...due.map(({ moved }) => totalOf(moved)));
  const repaid = await repayDebts(trx, to, null, at);
  await audit(trx, caller, at, {
    action: 'group.take_back',
    recordKind: 'group',
    recordId: id,
    after: { number, amountFen: takenFen, members: due.map(({ member }) => member), remark },
  });
  return ok({
    number,
    members: due.length,
    amountFen: takenFen,
    repaidOrders: repaid.orders,
    memberIds: due.map(({ member }) => member),
  });
}

/** The bound members of a group, those of `asked` or all of them, locked by id. */
async function lockBound(
  trx: Trx,
  id: GroupId,
  asked: readonly GroupMemberId[] | undefined,
): Promise<Result<GroupMemberId[], ApiError>> {
  let members = trx.selectFrom('group_members').select('id').where('group_id', '=', id).where('state', '=', 'bound');
  const wanted = asked === undefined ? null : [...new Set(asked)];
  if (wanted !== null) members = members.where('id', 'in', wanted);
  const found = await members
    .orderBy('id')
    .limit(membersAtOnceMax + 1)
    .forUpdate()
    .execute();
  if (wanted !== null && found.length < wanted.length) {
    return failed({ code: 'request.invalid', fields: [{ path: 'memberIds', code: 'unknown_reference' }] });
  }
  if (found.length === 0) return failed({ code: 'group.no_members' });
  if (found.length > membersAtOnceMax) {
    return failed({ code: 'group.too_many_members', params: { max: membersAtOnceMax } });
  }
  return ok(found.map((member) => member.id));
}

function partsOf(wallet: Wallet, balanceOf: (account: Account) => Fen): Parts {
  return { paidFen: balanceOf(wallet), giftFen: balanceOf(giftAccount(wallet)) };
}

function wholeOf(wallet: Wallet, balanceOf: (account: Account) => Fen): Fen {
  return addFen(
    fen(totalOf(partsOf(wallet, balanceOf))),
    balanceOf(heldAccount(wallet)),
    balanceOf(heldGiftAccount(wallet)),
  );
}
