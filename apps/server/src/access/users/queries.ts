import type { Language } from '@voltdeck/contract/languages';
import { listUsers, type User } from '@voltdeck/contract/users';
import type { UserId } from '@voltdeck/units/id';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import { scoped } from '../../caller/scope.ts';
import type { Tables } from '../../database/tables.generated.ts';
import { containing } from '../../http/list-page.ts';
import { listSource } from '../../http/list-source.ts';
import { contains } from '../../http/part-of-text.ts';
import { shownName } from '../../http/shown-name.ts';
import { findsName, findsPersonal } from '../../personal/sees-personal.ts';

function visible(db: Kysely<Tables>, caller: Caller) {
  return scoped(db.selectFrom('users'), caller, 'users.agent_id');
}

const realName = (language: Language) => shownName(language, 'user', 'users.real_name', 'users.real_name_key');

function columnsOf<O>(query: SelectQueryBuilder<Tables, 'users', O>, { language }: Caller, at: Instant) {
  return query
    .leftJoin('positions', 'positions.id', 'users.position_id')
    .leftJoin('agents', 'agents.id', 'users.agent_id')
    .select([
      'users.id',
      'users.user_name as userName',
      realName(language).as('realName'),
      'users.phone',
      'users.kind',
      'users.admin',
      'users.enabled',
      'users.password_is_initial as passwordIsInitial',
      'users.position_id as positionId',
      shownName<string | null>(language, 'position', 'positions.name', 'positions.name_key').as('positionName'),
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
    lastLoginAt: isoOrNull(row.lastLoginAt),
    createdAt: toIso(row.createdAt),
  };
}

export async function findUser(db: Kysely<Tables>, caller: Caller, id: UserId, at: Instant): Promise<User | null> {
  const row = await columnsOf(visible(db, caller), caller, at).where('users.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

export const userList = listSource({
  route: listUsers,
  filtered(db, caller, filter) {
    const { text } = filter;
    let users = visible(db, caller);
    if (text !== undefined) {
      users = users.where((eb) =>
        eb.or([
          findsName(caller, 'users.user_name', text, contains('users.user_name', text)),
          eb(realName(caller.language), 'ilike', containing(text)),
          findsPersonal(caller, 'users.phone', text),
        ]),
      );
    }
    if (filter.userName !== undefined) {
      const byPart = contains('users.user_name', filter.userName);
      users = users.where(findsName(caller, 'users.user_name', filter.userName, byPart));
    }
    if (filter.realName !== undefined) {
      users = users.where(realName(caller.language), 'ilike', containing(filter.realName));
    }
    if (filter.phone !== undefined) users = users.where(findsPersonal(caller, 'users.phone', filter.phone));
    if (filter.positionId !== undefined) users = users.where('users.position_id', '=', filter.positionId);
    if (filter.agentId !== undefined) users = users.where('users.agent_id', '=', filter.agentId);
    if (filter.kind !== undefined) users = users.where('users.kind', 'in', filter.kind);
    if (filter.enabled !== undefined) users = users.where('users.enabled', '=', filter.enabled);
    if (filter.awaiting !== undefined) {
      users = users.where(sql<boolean>`(users.position_id is null and not users.admin)`, '=', filter.awaiting);
    }
    return users;
  },
  id: sql`users.id`,
  sorts: {
    createdAt: sql`users.created_at`,
    lastLoginAt: sql`users.last_login_at`,
    userName: sql`lower(users.user_name)`,
  },
  sometimesAbsent: ['lastLoginAt'],
  rowsFor: (db, { caller, at }) => columnsOf(db.selectFrom('users'), caller, at),
  toItem: toUser,
});
