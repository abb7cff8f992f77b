import { listPositions, type Position } from '@voltdeck/contract/positions';
import type { AgentId, PositionId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { isInScope, scopedOrPlatform } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { shownName } from '../../http/shown-name.ts';
import { isWithinOwn, type Rights, scopesWithin } from '../own-rights.ts';

/**
 * The owner decides who changes it; an agent's people also see the platform's positions that they may give to their
 * staff.
 */
export function visiblePositions(db: Kysely<Tables>, caller: Caller) {
  const query = scopedOrPlatform(db.selectFrom('positions'), caller, 'positions.agent_id');
  if (caller.agents === 'all') return query;
  if (caller.agents.length === 0) return query.where(sql<boolean>`false`);
  const scopes = scopesWithin(caller);
  const codes = [...caller.menuCodes];
  return query.where((eb) =>
    eb.or([
      eb('positions.agent_id', 'is not', null),
      sql<boolean>`positions.data_scope = any(${scopes}) and positions.menu_codes <@ ${codes}::text[]`,
    ]),
  );
}

/** Users are counted within the caller's scope, or a platform position would reveal how many others have it. */
function userCount(caller: Caller) {
  const own = caller.agents === 'all' ? sql`true` : sql`users.agent_id = any(${[...caller.agents]})`;
  return sql<number>`(select count(*) from users where users.position_id = positions.id and ${own})`;
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'positions', O>, caller: Caller) {
  return query
    .leftJoin('agents', 'agents.id', 'positions.agent_id')
    .select([
      'positions.id',
      name(caller).as('name'),
      'positions.description',
      'positions.data_scope as dataScope',
      'positions.menu_codes as menuCodes',
      'positions.agent_id as agentId',
      'agents.name as agentName',
      'positions.created_at as createdAt',
    ])
    .select(userCount(caller).as('users'));
}

/** Whether the caller may change a position or its menus: it is theirs and grants nothing that they lack. */
export function isChangeable(caller: Caller, position: Rights & { agentId: AgentId | null }): boolean {
  return isInScope(caller, position.agentId) && isWithinOwn(caller, position);
}

function toPosition<Row extends Rights & { agentId: AgentId | null; createdAt: Instant }>(caller: Caller, row: Row) {
  return {
    ...row,
    menuCodes: [...row.menuCodes],
    changeable: isChangeable(caller, row),
    createdAt: toIso(row.createdAt),
  };
}

export async function findPosition(db: Kysely<Tables>, caller: Caller, id: PositionId): Promise<Position | null> {
  const row = await columnsOf(visiblePositions(db, caller), caller).where('positions.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toPosition(caller, row);
}

export const positionList = listSource({
  route: listPositions,
  filtered(db, caller, filter) {
    let positions = visiblePositions(db, caller);
    if (filter.name !== undefined) positions = positions.where(name(caller), 'ilike', containing(filter.name));
    if (filter.dataScope !== undefined) positions = positions.where('positions.data_scope', 'in', filter.dataScope);
    return positions;
  },
  id: sql`positions.id`,
  sorts: ({ caller }) => ({ name: sql`(${name(caller)}) collate "zh-x-icu"`, createdAt: sql`positions.created_at` }),
  rowsFor: (db, { caller }) => columnsOf(db.selectFrom('positions'), caller),
  toItem: (row, { caller }) => toPosition(caller, row),
});

const name = ({ language }: Caller) => shownName(language, 'position', 'positions.name', 'positions.name_key');
