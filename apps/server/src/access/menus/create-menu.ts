import type { ApiError } from '@voltdeck/contract/errors';
import type { Menu, createMenu as route } from '@voltdeck/contract/menus';
import type { BodyOf } from '@voltdeck/contract/route';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { checkPlace } from './check-menus.ts';
import { lockMenus } from './queries.ts';

/** Menus and buttons together, because the tree is read and sent as a whole. */
export const menusMax = 500;

/** Adds a menu. It carries no permission: the routes behind its screen decide by themselves. */
export async function createMenu(
  trx: Trx,
  caller: Caller,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<Menu, ApiError>> {
  // The tree is shared by everyone.
  if (caller.agents !== 'all') return failed({ code: 'access.denied' });
  const menus = await lockMenus(trx);
  if (menus.length >= menusMax) {
    return failed({
      code: 'request.invalid',
      fields: [{ path: 'code', code: 'too_many', params: { max: menusMax } }],
    });
  }
  if (menus.some(({ code }) => code === form.code)) {
    return failed({ code: 'menu.code_taken', params: { code: form.code } });
  }
  const placed = checkPlace(menus, form);
  if (!placed.ok) return placed;
  const menu: Menu = { ...form, backendUrl: form.backendUrl ?? '', permission: null, builtIn: false };
  await trx
    .insertInto('menus')
    .values({
      code: menu.code,
      parent_code: menu.parentCode,
      name_zh: menu.nameZh,
      name_en: menu.nameEn,
      kind: menu.kind,
      frontend_url: menu.frontendUrl,
      backend_url: menu.backendUrl,
      icon: menu.icon,
      permission: null,
      sort: menu.sort,
      shown: menu.shown,
      enabled: menu.enabled,
    })
    .execute();
  await audit(trx, caller, at, { action: 'menu.create', recordKind: 'menu', recordId: menu.code, after: form });
  return ok(menu);
}
