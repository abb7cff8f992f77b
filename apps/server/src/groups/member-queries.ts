import { type GroupMember, listGroupMembers } from '@voltdeck/contract/group-members';
import type { GroupMemberId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { shownName } from '../http/shown-name.ts';
import { partOf } from '../ledger/wallet-parts.ts';
import { monthOf, monthUse } from '../orders/month-use.ts';
import { findsPersonal } from '../personal/sees-personal.ts';

const potFen = sql<Fen>`${partOf('member', 'paid', 'group_members.id')} + ${partOf('member', 'gift', 'group_members.id')}`;

function memberRows(db: Kysely<Tables>, { language }: Pick<Caller, 'language'>, at: Instant) {
  const { spentFen, charges } = monthUse(sql.ref('group_members.id'), monthOf(at));
  return db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .leftJoin('agents', 'agents.id', 'group_members.agent_id')
    .leftJoin('users', 'users.id', 'group_members.reviewed_by')
    .select([
      'group_members.id',
      'group_members.group_id as groupId',
      'groups.name as groupName',
      'groups.state as groupState',
      'groups.funding',
      'group_members.agent_id as agentId',
      'agents.name as agentName',
      'group_members.phone',
      'group_members.name',
      'group_members.customer_id as customerId',
      'group_members.state',
      'group_members.source',
      'group_members.opinion',
      'group_members.is_agreed as isAgreed',
      'group_members.reviewed_at as reviewedAt',
      'group_members.month_limit_fen as monthLimitFen',
      'group_members.month_limit_charges as monthLimitCharges',
      'group_members.created_at as createdAt',
      'group_members.released_at as releasedAt',
      shownName<string | null>(language, 'user', 'users.real_name', 'users.real_name_key').as('reviewerName'),
      sql<Fen | null>`coalesce(group_members.month_limit_fen, groups.month_limit_fen)`.as('limitFen'),
      sql<number | null>`coalesce(group_members.month_limit_charges, groups.month_limit_charges)`.as('limitCharges'),
      spentFen.as('monthSpentFen'),
      charges.as('monthCharges'),
      potFen.as('potFen'),
      sql<Fen>`${partOf('member', 'held', 'group_members.id')} + ${partOf('member', 'gift-held', 'group_members.id')}`.as(
        'potHeldFen',
      ),
    ]);
}

type Row = { reviewedAt: Instant | null; createdAt: Instant; releasedAt: Instant | null };

function toMember<Found extends Row>(row: Found) {
  return {
    ...row,
    reviewedAt: isoOrNull(row.reviewedAt),
    createdAt: toIso(row.createdAt),
    releasedAt: isoOrNull(row.releasedAt),
  };
}

export async function findMember(
  db: Kysely<Tables>,
  caller: Caller,
  id: GroupMemberId,
  at: Instant,
): Promise<GroupMember | null> {
  const row = await scoped(memberRows(db, caller, at), caller, 'group_members.agent_id')
    .where('group_members.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

export const groupMemberList = listSource({
  route: listGroupMembers,
  filtered(db, caller, filter) {
    let members = scoped(db.selectFrom('group_members'), caller, 'group_members.agent_id');
    if (filter.groupId !== undefined) members = members.where('group_members.group_id', '=', filter.groupId);
    if (filter.phone !== undefined) members = members.where(findsPersonal(caller, 'group_members.phone', filter.phone));
    if (filter.name !== undefined) members = members.where('group_members.name', 'ilike', containing(filter.name));
    if (filter.state !== undefined) members = members.where('group_members.state', 'in', filter.state);
    if (filter.source !== undefined) members = members.where('group_members.source', 'in', filter.source);
    if (filter.agentId !== undefined) members = members.where('group_members.agent_id', '=', filter.agentId);
    if (filter.customerId !== undefined) members = members.where('group_members.customer_id', '=', filter.customerId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) members = members.where('group_members.created_at', '>=', from);
    if (to !== null) members = members.where('group_members.created_at', '<=', to);
    return members;
  },
  id: sql`group_members.id`,
  sorts: { createdAt: sql`group_members.created_at` },
  sums: { potFen },
  rowsFor: (db, { caller, at }) => memberRows(db, caller, at),
  toItem: toMember,
});
