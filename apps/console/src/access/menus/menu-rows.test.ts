import type { Menu } from '@voltdeck/contract/menus';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branchOf, menuRows, placedAt, possibleParents, siblingCodes } from './menu-rows.ts';

function menu(code: string, parentCode: string | null, over: Partial<Menu> = {}): Menu {
  return {
    code,
    parentCode,
    nameZh: `${code} 中`,
    nameEn: `${code} en`,
    kind: 'menu',
    frontendUrl: null,
    backendUrl: '',
    icon: null,
    permission: null,
    sort: 1,
    shown: true,
    enabled: true,
    builtIn: true,
    ...over,
  };
}

const menus = [
  menu('home', null, { frontendUrl: '/home' }),
  menu('orders', null),
  menu('history', 'orders', { frontendUrl: '/history' }),
  menu('refund', 'history', { kind: 'button', permission: 'order.refund' }),
  menu('live', 'orders', { frontendUrl: '/live' }),
  menu('lost', 'gone'),
];
const lines = (text: string, folded: readonly string[] = []) =>
  menuRows(menus, new Set(folded), text).map(({ menu: { code }, level }) => `${level} ${code}`);

describe('the lines of the tree', () => {
  test('the lines of the tree go depth first, and orphans stand at the top', () => {
    expect(lines('')).toEqual(['1 home', '1 orders', '2 history', '3 refund', '2 live', '1 lost']);
  });

  test('the lines of the tree leave out folded branches', () => {
    expect(lines('', ['orders'])).toEqual(['1 home', '1 orders', '1 lost']);
  });

  test('a search of the tree keeps matches and their ancestors, folded or not', () => {
    expect(lines('order.refund', ['orders'])).toEqual(['1 orders', '2 history', '3 refund']);
    expect(lines('/LIVE')).toEqual(['1 orders', '2 live']);
    expect(lines('nothing')).toEqual([]);
  });

  test('the lines of the tree end at a cycle', () => {
    const circle = [menu('a', null), menu('b', 'a'), menu('a2', 'b')];
    expect(menuRows([...circle, menu('b', 'a2')], new Set(), '').length).toBeLessThan(10);
  });

  test('the lines of the tree know their index among their siblings', () => {
    const row = menuRows(menus, new Set(), '').find(({ menu: { code } }) => code === 'live');
    expect(row).toMatchObject({ place: 1, siblings: 2, children: 0 });
  });
});

describe('moving', () => {
  test('moving puts a menu where it was dropped', () => {
    expect(placedAt(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
    expect(placedAt(['a', 'b', 'c'], 'a', 99)).toEqual(['b', 'c', 'a']);
    expect(placedAt(['a', 'b'], 'x', 0)).toEqual(['a', 'b']);
  });

  test('moving neither loses nor doubles a menu', () => {
    const codes = ['a', 'b', 'c', 'd'];
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.integer({ min: -3, max: 9 }), (code, place) => {
        expect(placedAt(codes, code, place).sort()).toEqual(codes);
      }),
    );
  });

  test('a moved menu stays among the menus of one parent', () => {
    expect(siblingCodes(menus, 'orders')).toEqual(['history', 'live']);
    expect(siblingCodes(menus, null)).toEqual(['home', 'orders', 'lost']);
  });

  test('a moved menu never goes below itself, nor below a button', () => {
    expect(branchOf(menus, 'orders').map(({ code }) => code)).toEqual(['orders', 'history', 'refund', 'live']);
    expect(possibleParents(menus, 'history').map(({ menu: { code } }) => code)).toEqual([
      'home',
      'orders',
      'live',
      'lost',
    ]);
  });
});
