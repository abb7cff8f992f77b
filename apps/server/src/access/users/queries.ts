import type { QueryOf } from '@voltdeck/contract/route';
import type { listUsers, User } from '@voltdeck/contract/users';
import type { UserId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../../http/list-page.ts';

function visible(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('users'), caller, 'users.agent_id');
}

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'users', O>, at: Instant) {
  return query
    .leftJoin('positions', 'positions.id', 'users.position_id')
    .leftJoin('agents', 'agents.id', 'users.agent_id')
    .select([
      'users.id',
      'users.user_name as userName',
      'users.real_name as realName',
      'users.phone',
      'users.kind',
      'users.admin',
      'users.enabled',
      'users.password_is_initial as passwordIsInitial',
      'users.position_id as positionId',
      'positions.name as positionName',
      'users.agent_id as agentId',
      'agents.name as agentName',
      'users.last_login_at as lastLoginAt',
      'users.created_at as createdAt',
    ])
    .select([
      sql<string | null>`(select remote_address from sessions where user_id = users.id
                           order by created_at desc limit 1)`.as('lastLoginAddress'),
      sql<number>`(select count(*) from sessions
                    where user_id = users.id and ended_at is null
                      and expires_at > to_timestamp(${at} / 1000.0))`.as('sessions'),
    ]);
}

function toUser<Row extends { lastLoginAt: Instant | null; createdAt: Instant }>(row: Row) {
  return {
    ...row,
    lastLoginAt: row.lastLoginAt === null ? null : toIso(row.lastLoginAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findUser(db: Kysely<Tables>, caller: Caller, id: UserId, at: Instant): Promise<User | null> {
  const row = await columnsOf(visible(db, caller), at).where('users.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

const sortColumns = {
  createdAt: sql`users.created_at`,
  lastLoginAt: sql`users.last_login_at`,
  userName: sql`lower(users.user_name)`,
};

export async function listUserPage(
  db: Kysely<Tables>,
  caller: Caller,
  filter: QueryOf<typeof listUsers>,
  span: Span,
  at: Instant,
) {
  const filtered = filterUsers(visible(db, caller), filter);
  const { name, direction } = sortOf(filter.sort ?? '-createdAt');
  const column = sortColumns[name];
  // Who never signed in comes last in the order that the index has, and first in the other.
  const absent = name === 'lastLoginAt' ? sql.raw(direction === 'desc' ? ' nulls last' : ' nulls first') : sql``;
  const [rows, total] = await Promise.all([
    columnsOf(filtered, at)
      .orderBy(sql`${column} ${sql.raw(direction)}${absent}`)
      .orderBy('users.id', direction)
      .limit(span.limit)
      .offset(span.offset)
      .execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toUser), ...total };
}

function filterUsers<O>(query: SelectQueryBuilder<Tables, 'users', O>, filter: QueryOf<typeof listUsers>) {
  let filtered = query;
  const { text } = filter;
  if (text !== undefined) {
    const pattern = containing(text);
    filtered = filtered.where((eb) =>
      eb.or([
        eb('users.user_name', 'ilike', pattern),
        eb('users.real_name', 'ilike', pattern),
        eb('users.phone', 'like', pattern),
      ]),
    );
  }
  if (filter.userName !== undefined) filtered = filtered.where('users.user_name', 'ilike', containing(filter.userName));
  if (filter.realName !== undefined) filtered = filtered.where('users.real_name', 'ilike', containing(filter.realName));
  if (filter.phone !== undefined) filtered = filtered.where('users.phone', 'like', containing(filter.phone));
  if (filter.positionId !== undefined) filtered = filtered.where('users.position_id', '=', filter.positionId);
  if (filter.agentId !== undefined) filtered = filtered.where('users.agent_id', '=', filter.agentId);
  if (filter.kind !== undefined) filtered = filtered.where('users.kind', 'in', filter.kind);
  if (filter.enabled !== undefined) filtered = filtered.where('users.enabled', '=', filter.enabled);
  if (filter.awaiting !== undefined) {
    filtered = filtered.where(sql<boolean>`(users.position_id is null and not users.admin)`, '=', filter.awaiting);
  }
  return filtered;
}
