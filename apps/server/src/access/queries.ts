import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { fileUrl } from '../files/file-url.ts';
import { shownName } from '../http/shown-name.ts';

/** The session user, with whom they work for. A user without a position sees nothing: `self`. */
export async function userInfo(db: Kysely<Tables>, { userId, language }: Caller) {
  const row = await db
    .selectFrom('users')
    .leftJoin('positions', 'positions.id', 'users.position_id')
    .leftJoin('agents', 'agents.id', 'users.agent_id')
    .leftJoin('dividers', 'dividers.id', 'users.divider_id')
    .leftJoin('files', 'files.id', 'users.avatar_file_id')
    .select([
      'users.id',
      'users.user_name',
      shownName(language, 'user', 'users.real_name', 'users.real_name_key').as('name'),
      'users.admin',
      'users.password_is_initial',
      'positions.data_scope',
      'users.agent_id',
      'agents.name as agentName',
      'dividers.name as dividerName',
      'files.key as avatarKey',
      'files.name as avatarName',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    userName: row.user_name,
    avatar:
      row.avatarKey === null || row.avatarName === null ? null : fileUrl({ key: row.avatarKey, name: row.avatarName }),
    admin: row.admin,
    busiid: row.dividerName === null ? row.agent_id : null,
    businame: row.dividerName ?? row.agentName,
    mustChangePassword: row.password_is_initial,
    dataScope: row.admin ? ('platform' as const) : (row.data_scope ?? ('self' as const)),
  };
}

/** A parameter's value, never a secret's; null for a key that is missing or that the caller may not read. */
export async function configValue(
  db: Kysely<Tables>,
  key: string,
  { onlyPublic }: { onlyPublic: boolean },
): Promise<string | null> {
  const row = await db
    .selectFrom('configs')
    .select(['value', 'public'])
    .where('key', '=', key)
    .where('secret', '=', false)
    .executeTakeFirst();
  return row === undefined || (onlyPublic && !row.public) ? null : row.value;
}
