import type { ApiError, FieldFault } from '@voltdeck/contract/errors';
import type { Menu } from '@voltdeck/contract/menus';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { heightOf, menuDepthMax, wayUp } from './menu-tree.ts';

/** The screen of the menus themselves, which nobody could bring back once it is hidden. */
const menuScreen = 'menu';

/** The fields of a menu that matter to the tree. */
export type Placed = Pick<Menu, 'code' | 'parentCode' | 'kind' | 'frontendUrl' | 'shown' | 'enabled'>;

const invalid = (path: string, code: FieldFault['code'], params?: FieldFault['params']) =>
  failed({
    code: 'request.invalid' as const,
    fields: [params === undefined ? { path, code } : { path, code, params }],
  });

/** Validates the tree after this change. `menus` are the present ones, with or without `menu` among them. */
export function checkPlace(menus: readonly Placed[], menu: Placed): Result<null, ApiError> {
  const others = menus.filter(({ code }) => code !== menu.code);
  const after = [...others, menu];
  const hasChildren = others.some(({ parentCode }) => parentCode === menu.code);
  if (menu.kind === 'button') {
    if (menu.parentCode === null) return invalid('parentCode', 'required');
    if (menu.frontendUrl !== null) return invalid('frontendUrl', 'invalid');
    if (hasChildren) return invalid('kind', 'invalid');
  }
  if (menu.parentCode !== null) {
    if (menu.parentCode === menu.code) return failed({ code: 'menu.circle' });
    const parent = others.find(({ code }) => code === menu.parentCode);
    if (parent === undefined) return invalid('parentCode', 'unknown_reference');
    if (parent.kind === 'button') return invalid('parentCode', 'invalid');
    if (wayUp(menus, parent.code).includes(menu.code)) return failed({ code: 'menu.circle' });
    if (wayUp(after, parent.code).length + heightOf(after, menu.code) > menuDepthMax) {
      return invalid('parentCode', 'too_deep', { max: menuDepthMax });
    }
  }
  const taken = others.find(({ frontendUrl }) => frontendUrl !== null && frontendUrl === menu.frontendUrl);
  if (taken !== undefined) return failed({ code: 'menu.url_taken', params: { url: menu.frontendUrl ?? '' } });
  return staysReachable(menus, after) ? ok(null) : failed({ code: 'menu.not_hideable' });
}

/** The menu screen and its ancestors stay shown and enabled, unless they already were not. */
function staysReachable(before: readonly Placed[], after: readonly Placed[]): boolean {
  return isReachable(after) || !isReachable(before);
}

function isReachable(menus: readonly Placed[]): boolean {
  const way = new Set(wayUp(menus, menuScreen));
  return menus.filter(({ code }) => way.has(code)).every(({ shown, enabled }) => shown && enabled);
}
