import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/** The parameter with our own organization code: characters 9 to 17 of the unified social credit code. */
export const ownOperatorIdKey = 'own_operator_id';

/** Null until somebody entered it: nothing can be exchanged before. */
export async function readOwnCode(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('configs').select('value').where('key', '=', ownOperatorIdKey).executeTakeFirst();
  const code = row?.value?.trim().toUpperCase() ?? '';
  return /^[0-9A-Z]{9}$/.test(code) ? code : null;
}
