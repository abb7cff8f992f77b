import type { DataScope } from '@voltdeck/contract/permissions';
import type { AgentId, CustomerId, DividerId, UserId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Caller } from './caller.ts';
import { type MenuNode, openMenus, permissionsOf } from './open-menus.ts';

/** What a user may do and whose records they see, however they ask. */
export type UserRights = Omit<Caller, 'language' | 'remoteAddress' | 'approvalId'>;

/** Whether an account of `users` is a divider's with a divider's rights. */
export const isDividersOwn = sql<boolean>`(users.divider_id is not null and exists (
  select from positions p where p.id = users.position_id and p.data_scope = 'divider'))`;

/**
 * A registered user's own account is closed while the user is disabled or merged, a divider's while the divider is
 * disabled, and those of an agent's people while the agent is frozen. Its dividers are not its people: those who have a
 * divider's rights and no others.
 */
export const isEnabled = sql<boolean>`(users.enabled
  and not (users.kind = 'registered' and exists (
    select from customers c where c.id = users.customer_id and c.state <> 'normal'))
  and not exists (select from dividers d where d.id = users.divider_id and not d.enabled)
  and not exists (
    select from agents a where a.id = users.agent_id and a.frozen_at is not null and not ${isDividersOwn}))`;

/** The columns of `users` and of the user's `positions` row that decide the rights. */
export const rightsColumns = [
  'users.id',
  'users.user_name',
  'users.admin',
  'users.agent_id',
  'users.customer_id',
  'users.divider_id',
  isEnabled.as('enabled'),
  'positions.data_scope',
  'positions.menu_codes',
] as const;

type RightsRow = {
  id: UserId;
  user_name: string;
  admin: boolean;
  agent_id: AgentId | null;
  customer_id: CustomerId | null;
  divider_id: DividerId | null;
  data_scope: DataScope | null;
  menu_codes: readonly string[] | null;
};

/** The present rights of a user without a session, as for work in the background. Null when disabled or deleted. */
export async function findRights(db: Kysely<Tables>, userId: UserId): Promise<UserRights | null> {
  const row = await db
    .selectFrom('users')
    .leftJoin('positions', 'positions.id', 'users.position_id')
    .select(rightsColumns)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (row === undefined || !row.enabled) return null;
  return rightsOf(db, row, await readOpenMenus(db));
}

export async function rightsOf(
  db: Kysely<Tables>,
  found: RightsRow,
  menus: ReadonlyMap<string, MenuNode>,
): Promise<UserRights> {
  // A divider's account with a position for somebody else's people has no rights at all.
  const isAstray = found.divider_id !== null && found.data_scope !== 'divider';
  const row = isAstray ? { ...found, data_scope: null, menu_codes: null } : found;
  return {
    userId: row.id,
    userName: row.user_name,
    admin: row.admin,
    permissions: permissionsOf(menus, row.menu_codes ?? []),
    menuCodes: new Set(row.menu_codes),
    dataScope: row.admin ? 'platform' : row.data_scope,
    agents: row.admin ? 'all' : await agentsOf(db, row.data_scope, row.agent_id),
    customerId: row.data_scope === 'self' && !row.admin ? row.customer_id : null,
    dividerId: row.data_scope === 'divider' && !row.admin ? row.divider_id : null,
  };
}

/** The agents whose records the user sees, the user's own first. */
async function agentsOf(
  db: Kysely<Tables>,
  scope: DataScope | null,
  agentId: AgentId | null,
): Promise<Caller['agents']> {
  if (scope === 'platform') return 'all';
  if (scope === null || scope === 'self' || scope === 'divider' || agentId === null) return [];
  if (scope === 'agent') return [agentId];
  const { rows } = await sql<{ id: AgentId }>`
    with recursive tree as (
      select id, 0 as depth from agents where id = ${agentId}
      union all
      select agents.id, tree.depth + 1 from agents join tree on agents.parent_id = tree.id where tree.depth < 20
    )
    select id from tree group by id order by min(depth), id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function readOpenMenus(db: Kysely<Tables>): Promise<ReadonlyMap<string, MenuNode>> {
  return openMenus(
    await db.selectFrom('menus').select(['code', 'parent_code as parentCode', 'enabled', 'permission']).execute(),
  );
}
