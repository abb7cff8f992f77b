import type { MenuNode } from '../../caller/open-menus.ts';

/** Levels of the tree, buttons included. */
export const menuDepthMax = 5;

/** The code and its ancestors, nearest first; stops where the tree is broken. */
export function wayUp(menus: readonly Pick<MenuNode, 'code' | 'parentCode'>[], code: string): string[] {
  const parentOf = new Map(menus.map((menu) => [menu.code, menu.parentCode]));
  const way: string[] = [];
  for (let at: string | null = code; at !== null && !way.includes(at); at = parentOf.get(at) ?? null) way.push(at);
  return way;
}

/** The levels of the menu and everything below it: 1 for a leaf. */
export function heightOf(menus: readonly Pick<MenuNode, 'code' | 'parentCode'>[], code: string): number {
  const below = Map.groupBy(menus, ({ parentCode }) => parentCode);
  const seen = new Set([code]);
  let height = 0;
  let level = [code];
  while (level.length > 0) {
    height += 1;
    level = level.flatMap((one) => (below.get(one) ?? []).map((menu) => menu.code)).filter((one) => !seen.has(one));
    for (const one of level) seen.add(one);
  }
  return height;
}
