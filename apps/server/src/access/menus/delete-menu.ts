import type { ApiError } from '@voltdeck/contract/errors';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { lockMenus } from './queries.ts';

/** Deletes a menu made by hand, and its grants. Call `forgetRights` of the sessions after the commit. */
export async function deleteMenu(trx: Trx, caller: Caller, code: string, at: Instant): Promise<Result<null, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const menus = await lockMenus(trx);
  const before = menus.find((menu) => menu.code === code);
  if (before === undefined) return failed({ code: 'record.not_found' });
  if (before.builtIn) return failed({ code: 'menu.built_in' });
  if (menus.some(({ parentCode }) => parentCode === code)) return failed({ code: 'menu.has_children' });
  await trx.deleteFrom('menus').where('code', '=', code).execute();
  // A later menu with this code must not inherit grants.
  await trx
    .updateTable('positions')
    .set({ menu_codes: sql<string[]>`array_remove(menu_codes, ${code})` })
    .where(sql<boolean>`${code} = any(menu_codes)`)
    .execute();
  await audit(trx, caller, at, { action: 'menu.delete', recordKind: 'menu', recordId: code, before });
  return ok(null);
}
