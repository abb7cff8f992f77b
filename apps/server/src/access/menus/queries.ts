import type { Menu } from '@voltdeck/contract/menus';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../../caller/caller.ts';
import type { Tables } from '../../database/tables.generated.ts';
import type { Trx } from '../../database/transact.ts';
import { wayUp } from './menu-tree.ts';

const menuLock = 0x6d656e75;

/** Every menu and button in tree order, each followed by its descendants. */
export async function allMenus(db: Kysely<Tables>): Promise<Menu[]> {
  const rows = await db
    .selectFrom('menus')
    .select([
      'code',
      'parent_code as parentCode',
      'name_zh as nameZh',
      'name_en as nameEn',
      'kind',
      'frontend_url as frontendUrl',
      'backend_url as backendUrl',
      'icon',
      'permission',
      'sort',
      'shown',
      'enabled',
      'built_in as builtIn',
    ])
    .orderBy('sort')
    .orderBy('code')
    .execute();
  const below = Map.groupBy(rows, ({ parentCode }) => parentCode);
  const inOrder = (parent: string | null): Menu[] =>
    (below.get(parent) ?? []).flatMap((menu) => [menu, ...inOrder(menu.code)]);
  return inOrder(null);
}

/** What the caller can grant, with the groups around it. */
export async function grantableMenus(db: Kysely<Tables>, caller: Pick<Caller, 'admin' | 'menuCodes'>): Promise<Menu[]> {
  const menus = await allMenus(db);
  if (caller.admin) return menus;
  const own = menus.filter(({ code }) => caller.menuCodes.has(code));
  const held = new Set(own.flatMap(({ code }) => wayUp(menus, code)));
  return menus.filter(({ code }) => held.has(code));
}

/** The menus, locked against other changes of the tree until the transaction ends. */
export async function lockMenus(trx: Trx): Promise<Menu[]> {
  await sql`select pg_advisory_xact_lock(${menuLock})`.execute(trx);
  return allMenus(trx);
}
