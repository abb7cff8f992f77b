import type { MenuEntry } from '@voltdeck/contract/access';

/** What of a page the menus have to know. */
type Reachable = { parent?: string };

/** Specification section 5: link-like values start with http, https, mailto or tel. */
export function isLink(value: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(value);
}

/** Every address that the menus name, children included, in their order. */
export function addressesOf(menus: readonly MenuEntry[]): string[] {
  return menus.flatMap((menu) => [
    ...(menu.frontendUrl === null ? [] : [menu.frontendUrl]),
    ...addressesOf(menu.children),
  ]);
}

/**
 * The pages that may be opened: those that a menu names, and the hidden ones whose parent is among them. A menu that is
 * not shown still opens its page.
 */
export function reachablePages(menus: readonly MenuEntry[], pages: Readonly<Record<string, Reachable>>): Set<string> {
  const named = new Set(addressesOf(menus).filter((address) => address in pages));
  const hidden = Object.entries(pages).filter(([, page]) => page.parent !== undefined && named.has(page.parent));
  return new Set([...named, ...hidden.map(([path]) => path)]);
}

/**
 * Specification section 2: only entries with is-shown 1 whose path matches an allowed frontendUrl, or that lead out of
 * the console by a link; parents without surviving children are dropped.
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

/** The way down to the menu of `path`, outermost first; empty when no menu leads there. */
export function trailTo(menus: readonly MenuEntry[], path: string): MenuEntry[] {
  for (const menu of menus) {
    if (menu.frontendUrl === path) return [menu];
    const below = trailTo(menu.children, path);
    if (below.length > 0) return [menu, ...below];
  }
  return [];
}

/** Where somebody ends up who wanted `path`: there if it is allowed, at home or the first menu otherwise; null without menus. */
export function landingPath(
  path: string,
  menus: readonly MenuEntry[],
  allowed: ReadonlySet<string>,
  homePath: string,
): string | null {
  if (allowed.has(path)) return path;
  if (path === '/' && allowed.has(homePath)) return homePath;
  return addressesOf(menus).find((address) => allowed.has(address)) ?? null;
}

/** A screen that can be gone to, with the names above it. */
export type Screen = { path: string; title: string; icon: string | null; above: readonly string[] };

/** The screens among the shown menus, in their order. */
export function screensOf(menus: readonly MenuEntry[], above: readonly string[] = []): Screen[] {
  return menus.flatMap((menu) => {
    const { frontendUrl: path, name: title, icon } = menu;
    const own = path === null || isLink(path) ? [] : [{ path, title, icon, above }];
    return [...own, ...screensOf(menu.children, [...above, title])];
  });
}
