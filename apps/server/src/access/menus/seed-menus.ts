import { sql } from 'kysely';
import type { Trx } from '../../database/transact.ts';
import { say } from '../../http/say.ts';
import { productMenus } from './product-menus.ts';

/**
 * Adds the menus that the database lacks and corrects the fixed fields of the others. Names, icons, places and switches
 * stay as an administrator left them.
 */
export async function seedMenus(trx: Trx): Promise<void> {
  await makeRoom(trx);
  await trx
    .insertInto('menus')
    .values(
      productMenus.map((menu, index) => ({
        code: menu.code,
        parent_code: menu.parentCode,
        name_zh: say('zh-CN', menu.nameKey),
        name_en: say('en', menu.nameKey),
        kind: menu.kind,
        frontend_url: menu.frontendUrl,
        backend_url: menu.backendUrl,
        icon: menu.icon,
        permission: menu.permission,
        sort: (index + 1) * 10,
        shown: menu.shown,
        built_in: true,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet((eb) => ({
        // A button belongs below its menu, which one made by hand under its code may not be.
        parent_code: eb
          .case()
          .when('menus.built_in', '=', true)
          .then(eb.ref('menus.parent_code'))
          .else(eb.ref('excluded.parent_code'))
          .end(),
        kind: eb.ref('excluded.kind'),
        frontend_url: eb.ref('excluded.frontend_url'),
        backend_url: eb.ref('excluded.backend_url'),
        permission: eb.ref('excluded.permission'),
        built_in: true,
      })),
    )
    .execute();
}

/**
 * A menu made by hand may have the code or the address of one that this version brings. The product's menu takes both,
 * and the grants of the other are removed.
 */
async function makeRoom(trx: Trx): Promise<void> {
  const codes = productMenus.map(({ code }) => code);
  const addresses = productMenus.flatMap(({ frontendUrl }) => (frontendUrl === null ? [] : [frontendUrl]));
  await sql`
    update positions
       set menu_codes = array(select code from unnest(menu_codes) with ordinality as granted (code, place)
                               where not exists (select 1 from menus
                                                  where menus.code = granted.code and not menus.built_in
                                                    and menus.code = any(${codes}))
                               order by place)
     where exists (select 1 from menus
                    where not menus.built_in and menus.code = any(${codes}) and menus.code = any(menu_codes))`.execute(
    trx,
  );
  await trx
    .updateTable('menus')
    .set({ frontend_url: null })
    .where('built_in', '=', false)
    .where('frontend_url', 'in', addresses)
    .execute();
}
