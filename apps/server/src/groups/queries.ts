import { type Group, listGroups } from '@voltdeck/contract/groups';
import type { GroupId } from '@voltdeck/units/id';
import { type Instant, parseIso, toIso } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';
import { accountKey } from '../ledger/account-key.ts';
import { type PartsRow, partColumns, partOf, withBalance } from '../ledger/wallet-parts.ts';
import { findsPersonal } from '../personal/sees-personal.ts';
import { waitingActs } from '../second-person/waiting-acts.ts';

/** Everything in the pots of a group `groups`, free and held. */
const potsFen = sql<Fen>`(
  select coalesce(sum(a.balance_fen), 0)::bigint
    from group_members m
    join ledger_accounts a on a.key in (${accountKey('member', 'm.id')}, ${accountKey('member-gift', 'm.id')},
                                        ${accountKey('member-held', 'm.id')}, ${accountKey('member-gift-held', 'm.id')})
   where m.group_id = groups.id)`;

const countIn = (state: 'bound' | 'waiting') =>
  sql<number>`(select count(*)::integer from group_members m
                where m.group_id = groups.id and m.state = ${sql.lit(state)})`;

function groupRows(db: Kysely<Tables>) {
  return db
    .selectFrom('groups')
    .leftJoin('agents', 'agents.id', 'groups.agent_id')
    .select([
      'groups.id',
      'groups.name',
      'groups.contact',
      'groups.contact_phone as contactPhone',
      'groups.card_number as cardNumber',
      'groups.state',
      'groups.funding',
      'groups.agent_id as agentId',
      'agents.name as agentName',
      'groups.month_limit_fen as monthLimitFen',
      'groups.month_limit_charges as monthLimitCharges',
      'groups.all_sites as allSites',
      'groups.hours',
      'groups.title',
      'groups.tax_number as taxNumber',
      'groups.title_address as titleAddress',
      'groups.title_phone as titlePhone',
      'groups.bank',
      'groups.bank_account as bankAccount',
      'groups.email',
      'groups.remark',
      'groups.created_at as createdAt',
      ...partColumns('group', 'groups.id'),
      potsFen.as('potsFen'),
      sql<Fen>`(select coalesce(sum(r.amount_fen - r.refunded_fen), 0)::bigint from recharges r
                 where r.group_id = groups.id and r.reversed_at is null)`.as('rechargedFen'),
      countIn('bound').as('boundCount'),
      countIn('waiting').as('waitingCount'),
      sql<Group['sites']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.id)
          from group_sites g join sites s on s.id = g.site_id where g.group_id = groups.id), '[]'::jsonb)`.as('sites'),
      waitingActs('group', 'groups.id').as('waits'),
    ]);
}

function toGroup<Row extends PartsRow & { createdAt: Instant }>(row: Row) {
  return { ...withBalance(row), createdAt: toIso(row.createdAt) };
}

export async function findGroup(db: Kysely<Tables>, caller: Caller, id: GroupId): Promise<Group | null> {
  const row = await scoped(groupRows(db), caller, 'groups.agent_id').where('groups.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toGroup(row);
}

export const groupList = listSource({
  route: listGroups,
  filtered(db, caller, filter) {
    let groups = scoped(db.selectFrom('groups'), caller, 'groups.agent_id');
    if (filter.name !== undefined) groups = groups.where('groups.name', 'ilike', containing(filter.name));
    if (filter.contact !== undefined) groups = groups.where('groups.contact', 'ilike', containing(filter.contact));
    if (filter.contactPhone !== undefined) {
      groups = groups.where(findsPersonal(caller, 'groups.contact_phone', filter.contactPhone));
    }
    if (filter.cardNumber !== undefined) {
      groups = groups.where(findsPersonal(caller, 'groups.card_number', filter.cardNumber.toUpperCase()));
    }
    if (filter.state !== undefined) groups = groups.where('groups.state', 'in', filter.state);
    if (filter.funding !== undefined) groups = groups.where('groups.funding', 'in', filter.funding);
    if (filter.agentId !== undefined) groups = groups.where('groups.agent_id', '=', filter.agentId);
    const from = filter.from === undefined ? null : parseIso(filter.from);
    const to = filter.to === undefined ? null : parseIso(filter.to);
    if (from !== null) groups = groups.where('groups.created_at', '>=', from);
    if (to !== null) groups = groups.where('groups.created_at', '<=', to);
    return groups;
  },
  id: sql`groups.id`,
  sorts: { createdAt: sql`groups.created_at`, name: sql`groups.name` },
  sums: { balanceFen: sql`${partOf('group', 'paid', 'groups.id')} + ${partOf('group', 'gift', 'groups.id')}` },
  rows: groupRows,
  toItem: toGroup,
});
