import type { Api } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import { newToken } from './console-page.ts';

const password = 'lantern-44-river';

export type Person = { id: number; positionId: number; userName: string; password: string; token: string };

/** Creates a user with a position of these menus and buttons, whose initial password is already changed. */
export async function addPerson(
  { api, database, url }: { api: Api; database: Database; url: string },
  userName: string,
  menuCodes: readonly string[],
): Promise<Person> {
  const position = { name: `Position of ${userName}`, dataScope: 'platform', menuCodes };
  const { id: positionId } = await api.post<{ id: number }>('/positions', position);
  const form = { userName, realName: userName, positionId, password };
  const { user } = await api.post<{ user: { id: number } }>('/users', form);
  await database.db
    .updateTable('users')
    .set({ password_is_initial: false })
    .where('user_name', '=', userName)
    .execute();
  return { id: user.id, positionId, userName, password, token: await newToken(url, { userName, password }) };
}
