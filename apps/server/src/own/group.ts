import type { OwnGroup } from '@voltdeck/contract/own';
import type { Instant } from '@voltdeck/units/instant';
import { toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { CustomerCaller } from '../caller/customer-caller.ts';
import { ofCustomer } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { partOf } from '../ledger/wallet-parts.ts';
import { monthOf, monthUse } from '../orders/month-use.ts';

/** The group that a customer is bound to or applied to last; null for none. What all of its users share stays hidden. */
export async function findOwnGroup(db: Kysely<Tables>, caller: CustomerCaller, at: Instant): Promise<OwnGroup | null> {
  const { spentFen, charges } = monthUse(sql.ref('group_members.id'), monthOf(at));
  const pot = sql<Fen>`${partOf('member', 'paid', 'group_members.id')} + ${partOf('member', 'gift', 'group_members.id')}`;
  const row = await ofCustomer(db.selectFrom('group_members'), caller, 'group_members.customer_id')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select([
      'group_members.id as memberId',
      'groups.name as groupName',
      'group_members.state',
      'group_members.opinion',
      'groups.funding',
      'groups.hours',
      'groups.all_sites as allSites',
      'group_members.created_at as createdAt',
      sql<Fen | null>`coalesce(group_members.month_limit_fen, groups.month_limit_fen)`.as('limitFen'),
      sql<number | null>`coalesce(group_members.month_limit_charges, groups.month_limit_charges)`.as('limitCharges'),
      sql<Fen | null>`case groups.funding when 'allocated' then ${pot} end`.as('potFen'),
      sql<string[]>`array(
        select s.name from group_sites g join sites s on s.id = g.site_id
         where g.group_id = groups.id order by s.id)`.as('sites'),
      spentFen.as('monthSpentFen'),
      charges.as('monthCharges'),
    ])
    .orderBy(sql`group_members.state = 'bound'`, 'desc')
    .orderBy('group_members.created_at', 'desc')
    .orderBy('group_members.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, createdAt: toIso(row.createdAt) };
}
