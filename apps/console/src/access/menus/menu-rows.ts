import type { Menu } from '@voltdeck/contract/menus';

/** A line of the menu tree. */
export type MenuRow = {
  menu: Menu;
  /** 1 at the top. */
  level: number;
  /** Its index among its siblings, from 0, and how many there are. */
  place: number;
  siblings: number;
  children: number;
  isFolded: boolean;
};

/** Searches names, codes, routes and permissions. */
function isMatch(menu: Menu, wanted: string): boolean {
  const { nameZh, nameEn, code, frontendUrl, backendUrl, permission } = menu;
  return [nameZh, nameEn, code, frontendUrl, backendUrl, permission].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}

/** The lines of the tree: with `text` only matches and their ancestors, otherwise all but folded branches. */
export function menuRows(menus: readonly Menu[], folded: ReadonlySet<string>, text: string): MenuRow[] {
  const wanted = text.trim().toLowerCase();
  const below = childrenByParent(menus);
  const walk = (parent: string | null, level: number, seen: ReadonlySet<string>): MenuRow[] => {
    const siblings = below.get(parent) ?? [];
    return siblings.flatMap((menu, place) => {
      if (seen.has(menu.code)) return [];
      const isFolded = wanted === '' && folded.has(menu.code);
      const inner = walk(menu.code, level + 1, new Set([...seen, menu.code]));
      if (wanted !== '' && inner.length === 0 && !isMatch(menu, wanted)) return [];
      const children = below.get(menu.code)?.length ?? 0;
      const row: MenuRow = { menu, level, place, siblings: siblings.length, children, isFolded };
      return [row, ...(isFolded ? [] : inner)];
    });
  };
  return walk(null, 1, new Set());
}

/** A menu without its parent is shown at the top, so that it can be found and fixed. */
function childrenByParent(menus: readonly Menu[]): Map<string | null, Menu[]> {
  const known = new Set(menus.map(({ code }) => code));
  return Map.groupBy(menus, ({ parentCode }) => (parentCode !== null && known.has(parentCode) ? parentCode : null));
}

/** The codes of a parent's children, in order. */
export function siblingCodes(menus: readonly Menu[], parentCode: string | null): string[] {
  return (childrenByParent(menus).get(parentCode) ?? []).map(({ code }) => code);
}

/** `codes` with `code` moved to index `place` (not counting itself); unchanged if it cannot go there. */
export function placedAt(codes: readonly string[], code: string, place: number): string[] {
  if (!codes.includes(code)) return [...codes];
  const others = codes.filter((other) => other !== code);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), code, ...others.slice(at)];
}

/** A menu and all its descendants. */
export function branchOf(menus: readonly Menu[], code: string): Menu[] {
  const below = childrenByParent(menus);
  const walk = (at: string, seen: ReadonlySet<string>): Menu[] =>
    (below.get(at) ?? []).flatMap((menu) =>
      seen.has(menu.code) ? [] : [menu, ...walk(menu.code, new Set([...seen, menu.code]))],
    );
  const self = menus.filter((menu) => menu.code === code);
  return [...self, ...walk(code, new Set([code]))];
}

/** Where a menu may be moved: not to itself, its descendants or buttons. With levels. */
export function possibleParents(menus: readonly Menu[], code: string | null): { menu: Menu; level: number }[] {
  const own = new Set(code === null ? [] : branchOf(menus, code).map((menu) => menu.code));
  return menuRows(menus, new Set(), '')
    .filter(({ menu }) => menu.kind === 'menu' && !own.has(menu.code))
    .map(({ menu, level }) => ({ menu, level }));
}
