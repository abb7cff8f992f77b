import type { listPositions, Position } from '@voltdeck/contract/positions';
import type { QueryOf } from '@voltdeck/contract/route';
import type { AgentId, PositionId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { isInScope, scopedOrPlatform } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../../http/list-page.ts';
import { isWithinOwn, type Rights, scopesWithin } from '../own-rights.ts';

/** Whose it is decides who changes it; of the platform's, an agent's people see those that they may give to their staff. */
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

/** Users are counted within the caller's scope, or the platform's position would tell how many others have it. */
function userCount(caller: Caller) {
  const own = caller.agents === 'all' ? sql`true` : sql`users.agent_id = any(${[...caller.agents]})`;
  return sql<number>`(select count(*) from users where users.position_id = positions.id and ${own})`;
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'positions', O>, caller: Caller) {
  return query
    .leftJoin('agents', 'agents.id', 'positions.agent_id')
    .select([
      'positions.id',
      'positions.name',
      'positions.description',
      'positions.data_scope as dataScope',
      'positions.menu_codes as menuCodes',
      'positions.agent_id as agentId',
      'agents.name as agentName',
      'positions.created_at as createdAt',
    ])
    .select(userCount(caller).as('users'));
}

/** Whether the caller may change a position or what hangs on it: it is theirs, and gives nothing that they lack. */
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

export async function listPositionPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listPositions>,
  span: Span,
) {
  let filtered = visiblePositions(db, caller);
  if (filter.name !== undefined) filtered = filtered.where('positions.name', 'ilike', containing(filter.name));
  if (filter.dataScope !== undefined) filtered = filtered.where('positions.data_scope', 'in', filter.dataScope);
  const { name, direction } = sortOf(filter.sort ?? '-createdAt');
  const column = name === 'name' ? sql`positions.name collate "zh-x-icu"` : sql`positions.created_at`;
  const [rows, total] = await Promise.all([
    columnsOf(filtered, caller)
      .orderBy(column, direction)
      .orderBy('positions.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map((row) => toPosition(caller, row)), ...total };
}
