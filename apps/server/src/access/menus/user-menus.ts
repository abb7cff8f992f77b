import type { MenuEntry } from '@voltdeck/contract/access';
import type { Language } from '@voltdeck/contract/languages';
import type { Kysely } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';

/**
 * The menus that the caller's position grants, as a tree, named in the language. Parents of a granted menu are included
 * as groups; groups without one are left out.
 */
export async function menusOf(
  db: Kysely<Tables>,
  caller: Pick<Caller, 'admin' | 'menuCodes'>,
  language: Language,
): Promise<MenuEntry[]> {
  const rows = await db
    .selectFrom('menus')
    .select(['code', 'parent_code', 'name_zh', 'name_en', 'frontend_url', 'icon', 'sort', 'shown'])
    .where('kind', '=', 'menu')
    .where('enabled', '=', true)
    .orderBy('sort')
    .orderBy('code')
    .execute();
  const below = Map.groupBy(rows, (row) => row.parent_code);
  const childrenOf = (parent: string | null): MenuEntry[] =>
    (below.get(parent) ?? [])
      .map((row) => ({
        code: row.code,
        name: language === 'en' ? row.name_en : row.name_zh,
        frontendUrl: caller.admin || caller.menuCodes.has(row.code) ? row.frontend_url : null,
        icon: row.icon,
        isShown: row.shown ? (1 as const) : (0 as const),
        sort: row.sort,
        children: childrenOf(row.code),
      }))
      .filter((menu) => menu.frontendUrl !== null || menu.children.length > 0);
  return childrenOf(null);
}
