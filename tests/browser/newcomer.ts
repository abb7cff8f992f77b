import { hashPassword } from '@voltdeck/server/access/password';
import type { freshDatabase } from '@voltdeck/server/database/test-database';

/** Somebody who may sign in and open nothing: no position, no menus. */
export const newcomer = { userName: 'newcomer', password: 'not-yet-anything' };

/** To be called once the server has made its administrator, who is made only where nobody is. */
export async function addNewcomer({ db }: Awaited<ReturnType<typeof freshDatabase>>): Promise<void> {
  const password_hash = await hashPassword(newcomer.password);
  await db.insertInto('users').values({ user_name: newcomer.userName, real_name: '新来的', password_hash }).execute();
}
