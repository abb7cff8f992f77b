import type { Kysely } from 'kysely';
import type { Tables } from './tables.generated.ts';

/**
 * The parameter that names the platform: in the window's title, on the sign-in page and above the menu, and on paper as who
 * settles and sells.
 */
export const platformNameKey = 'sys_title';

/** The platform's name; empty where somebody deleted the parameter. */
export async function readPlatformName(db: Kysely<Tables>): Promise<string> {
  const title = await db.selectFrom('configs').select('value').where('key', '=', platformNameKey).executeTakeFirst();
  return title?.value ?? '';
}
