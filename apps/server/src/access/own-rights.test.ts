import { dataScopes, type Permission, permissions } from '@voltdeck/contract/permissions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openMenus, permissionsOf } from '../caller/open-menus.ts';
import { productMenus } from './menus/product-menus.ts';
import { isWithinOwn, scopesWithin } from './own-rights.ts';

const codes = productMenus.map(({ code }) => code);
const someCodes = fc.subarray(codes);
const scope = fc.constantFrom(...dataScopes);

describe('what can be handed on', () => {
  test('nobody can hand on more than they have, whichever menus are enabled', () => {
    fc.assert(
      fc.property(
        someCodes,
        someCodes,
        scope,
        scope,
        fc.subarray(codes, { maxLength: 10 }),
        fc.boolean(),
        (own, asked, ownScope, askedScope, disabled, isPart) => {
          // Half of the positions lie within the caller's rights, which random ones hardly ever do.
          const given = isPart ? asked.filter((code) => own.includes(code)) : asked;
          const caller = { admin: false, menuCodes: new Set(own), dataScope: ownScope };
          const isGranted = isWithinOwn(caller, { menuCodes: given, dataScope: askedScope });
          const isNarrower = dataScopes.indexOf(askedScope) >= dataScopes.indexOf(ownScope);
          expect(isGranted).toBe(isNarrower && given.every((code) => own.includes(code)));
          if (!isGranted) return;
          const menus = productMenus.map((menu) => ({ ...menu, enabled: !disabled.includes(menu.code) }));
          for (const tree of [openMenus(menus), openMenus(menus.map((menu) => ({ ...menu, enabled: true })))]) {
            const has = permissionsOf(tree, own);
            for (const permission of permissionsOf(tree, given)) expect(has).toContain(permission);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('without a position nothing can be handed on, and an administrator can hand on everything', () => {
    const nobody = { admin: false, menuCodes: new Set<string>(), dataScope: null };
    expect(scopesWithin(nobody)).toEqual([]);
    expect(isWithinOwn(nobody, { menuCodes: [], dataScope: 'self' })).toBe(false);
    expect(isWithinOwn({ ...nobody, admin: true }, { menuCodes: codes, dataScope: 'platform' })).toBe(true);
    expect(scopesWithin({ ...nobody, dataScope: 'agent' })).toEqual(['agent', 'divider', 'self']);
  });
});

describe('the product’s menus', () => {
  test('one permission reads an order from start to end, whichever order screen grants it', () => {
    const tree = openMenus(productMenus.map((menu) => ({ ...menu, enabled: true })));
    for (const code of ['orderListReal', 'orderListHistory', 'orderListAbnormal', 'orderListRefund']) {
      expect([...permissionsOf(tree, [code])]).toContain('order.read');
    }
  });

  test('the product’s menus carry every permission: reading by a screen, all else by a button of the screen it names', () => {
    const missing = (Object.keys(permissions) as Permission[]).filter((permission) => {
      const screen = productMenus.find(({ code }) => code === permissions[permission].screen);
      if (permission.endsWith('.read')) return screen?.permission !== permission && !isReadElsewhere(permission);
      const button = productMenus.find(({ code }) => code === permission);
      return button?.kind !== 'button' || button.permission !== permission || button.parentCode !== screen?.code;
    });
    expect(missing).toEqual([]);
  });

  test('the product’s menus have unique codes and addresses, and parents that come before them', () => {
    expect(new Set(codes).size).toBe(codes.length);
    const addresses = productMenus.flatMap(({ frontendUrl }) => (frontendUrl === null ? [] : [frontendUrl]));
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const [index, { parentCode }] of productMenus.entries()) {
      if (parentCode !== null) expect(codes.slice(0, index)).toContain(parentCode);
    }
  });
});

/** The screen that the permission names is not built yet, but another one is. */
function isReadElsewhere(permission: Permission): boolean {
  return productMenus.some((menu) => menu.kind === 'menu' && menu.permission === permission);
}
