import type { MenuEntry } from '@voltdeck/contract/access';
import { type ScreenCode, screenAt, screenCodes, screenOf } from '@voltdeck/contract/screens';

/** Specification section 5: link-like values start with http, https, mailto or tel. */
export function isLink(value: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(value);
}

/** Every address in the menus, including children, in order. */
export function addressesOf(menus: readonly MenuEntry[]): string[] {
  return menus.flatMap((menu) => [
    ...(menu.frontendUrl === null ? [] : [menu.frontendUrl]),
    ...addressesOf(menu.children),
  ]);
}

/**
 * The screens that may be opened: those that a menu names, and the detail screens of their lists. A hidden menu
 * still opens its screen.
 */
export function reachableScreens(menus: readonly MenuEntry[]): ReadonlySet<ScreenCode> {
  const named = new Set(addressesOf(menus).map(screenAt));
  return new Set(screenCodes.filter((code) => named.has(screenOf(code).parent ?? code)));
}

/** The paths of screens. */
export function pathsOf(codes: Iterable<ScreenCode>): ReadonlySet<string> {
  return new Set([...codes].map((code) => screenOf(code).path));
}

/**
 * Specification section 2: only entries with is-shown 1 whose path matches an allowed frontendUrl, or that link out of
 * the console; parents without surviving children are dropped.
 */
export function shownMenus(menus: readonly MenuEntry[], allowed: ReadonlySet<string>): MenuEntry[] {
  return menus.flatMap((menu) => {
    if (menu.isShown !== 1) return [];
    const children = shownMenus(menu.children, allowed);
    const isOpen = menu.frontendUrl !== null && (allowed.has(menu.frontendUrl) || isLink(menu.frontendUrl));
    if (!isOpen && children.length === 0) return [];
    return [{ ...menu, frontendUrl: isOpen ? menu.frontendUrl : null, children }];
  });
}

/** The trail to the menu of `path`, outermost first; empty if no menu has it. */
export function trailTo(menus: readonly MenuEntry[], path: string): MenuEntry[] {
  for (const menu of menus) {
    if (menu.frontendUrl === path) return [menu];
    const below = trailTo(menu.children, path);
    if (below.length > 0) return [menu, ...below];
  }
  return [];
}

/**
 * The page for somebody who asked for `path`: that page if allowed, otherwise home or the first menu, a hidden
 * one only where none is shown; null without menus.
 */
export function landingPath(
  path: string,
  menus: readonly MenuEntry[],
  allowed: ReadonlySet<string>,
  homePath: string,
): string | null {
  if (allowed.has(path)) return path;
  if (path === '/' && allowed.has(homePath)) return homePath;
  const shown = addressesOf(shownMenus(menus, allowed));
  return [...shown, ...addressesOf(menus)].find((address) => allowed.has(address)) ?? null;
}

/** A screen in the menu, with the names above it. */
export type ShownScreen = { path: string; title: string; icon: string | null; above: readonly string[] };

/** The screens among the shown menus, in order. */
export function screensOf(menus: readonly MenuEntry[], above: readonly string[] = []): ShownScreen[] {
  return menus.flatMap((menu) => {
    const { frontendUrl: path, name: title, icon } = menu;
    const own = path === null || isLink(path) ? [] : [{ path, title, icon, above }];
    return [...own, ...screensOf(menu.children, [...above, title])];
  });
}
