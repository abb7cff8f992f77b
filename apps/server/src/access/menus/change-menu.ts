import type { ApiError } from '@voltdeck/contract/errors';
import type { Menu, changeMenu as route } from '@voltdeck/contract/menus';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { checkPlace } from './check-menus.ts';
import { lockMenus } from './queries.ts';

/**
 * Changes a menu; the type and target of a product menu are fixed. Call `forgetRights` of the sessions after the
 * commit.
 */
export async function changeMenu(
  trx: Trx,
  caller: Caller,
  code: string,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Menu, ApiError>> {
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const menus = await lockMenus(trx);
  const before = menus.find((menu) => menu.code === code);
  if (before === undefined) return failed({ code: 'record.not_found' });
  const after: Menu = { ...before, ...form, backendUrl: form.backendUrl ?? before.backendUrl };
  const isOtherwise =
    after.kind !== before.kind || after.frontendUrl !== before.frontendUrl || after.backendUrl !== before.backendUrl;
  if (before.builtIn && isOtherwise) return failed({ code: 'menu.built_in' });
  const placed = checkPlace(menus, after);
  if (!placed.ok) return placed;
  await trx
    .updateTable('menus')
    .set({
      parent_code: after.parentCode,
      name_zh: after.nameZh,
      name_en: after.nameEn,
      kind: after.kind,
      frontend_url: after.frontendUrl,
      backend_url: after.backendUrl,
      icon: after.icon,
      sort: after.sort,
      shown: after.shown,
      enabled: after.enabled,
    })
    .where('code', '=', code)
    .execute();
  await audit(trx, caller, at, { action: 'menu.change', recordKind: 'menu', recordId: code, before, after });
  return ok(after);
}
