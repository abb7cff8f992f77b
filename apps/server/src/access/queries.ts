import type { UserId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { fileUrl } from '../files/file-url.ts';

/** Who the user is. A user without a position sees nothing: `self`. */
export async function userInfo(db: Kysely<Tables>, userId: UserId) {
  const row = await db
    .selectFrom('users')
    .leftJoin('positions', 'positions.id', 'users.position_id')
    .leftJoin('files', 'files.id', 'users.avatar_file_id')
    .select([
      'users.id',
      'users.user_name',
      'users.real_name',
      'users.admin',
      'users.password_is_initial',
      'positions.data_scope',
      'files.key as avatarKey',
      'files.name as avatarName',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.real_name,
    userName: row.user_name,
    avatar:
      row.avatarKey === null || row.avatarName === null ? null : fileUrl({ key: row.avatarKey, name: row.avatarName }),
    admin: row.admin,
    mustChangePassword: row.password_is_initial,
    dataScope: row.admin ? ('platform' as const) : (row.data_scope ?? ('self' as const)),
  };
}

/** A parameter's value, never a secret's; null for a key that is not there or not the caller's to read. */
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
