import { hashPassword } from '@voltdeck/server/access/password';
import type { freshDatabase } from '@voltdeck/server/database/test-database';

/** A user who may sign in but open nothing: no position, no menus. */
export const newcomer = { userName: 'newcomer', password: 'not-yet-anything' };

/** Call this once the server has created its administrator, which it does only in an empty table. */
export async function addNewcomer({ db }: Awaited<ReturnType<typeof freshDatabase>>): Promise<void> {
  const password_hash = await hashPassword(newcomer.password);
  await db.insertInto('users').values({ user_name: newcomer.userName, real_name: '新来的', password_hash }).execute();
}
