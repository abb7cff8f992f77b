import type { MenuEntry } from '@voltdeck/contract/access';
import { describe, expect, test } from 'vitest';
import { isLink, landingPath, reachablePages, screensOf, shownMenus, trailTo } from './menus.ts';

const menu = (code: string, frontendUrl: string | null, children: MenuEntry[] = [], isShown: 0 | 1 = 1): MenuEntry => ({
  code,
  name: code,
  frontendUrl,
  icon: null,
  isShown,
  sort: 0,
  children,
});

const pages = {
  '/home': {},
  '/deviceList': {},
  '/deviceDetail': { parent: '/deviceList' },
  '/orderListReal': {},
  '/orderDetail': { parent: '/orderListReal' },
};
const menus = [
  menu('home', '/home'),
  menu('device', null, [menu('deviceList', '/deviceList'), menu('unbuilt', '/unbuilt')]),
  menu('invoice', null, [menu('invoiceList', '/invoiceList')]),
];

describe('menus', () => {
  test('menus open the pages that they name and the hidden ones below those', () => {
    expect(reachablePages(menus, pages)).toEqual(new Set(['/home', '/deviceList', '/deviceDetail']));
  });

  test('menus open a page that is not shown', () => {
    expect(reachablePages([menu('x', '/home', [], 0)], pages)).toEqual(new Set(['/home']));
  });

  test('menus are shown when an allowed address matches; a parent without surviving children is dropped', () => {
    const shown = shownMenus(menus, reachablePages(menus, pages));
    expect(shown.map((entry) => [entry.code, entry.children.map((child) => child.code)])).toEqual([
      ['home', []],
      ['device', ['deviceList']],
    ]);
  });

  test('menus are not shown unless is-shown is 1', () => {
    const hidden = [menu('home', '/home', [], 0), menu('device', null, [menu('deviceList', '/deviceList')], 0)];
    expect(shownMenus(hidden, new Set(['/home', '/deviceList']))).toEqual([]);
  });

  test('menus that are links out of the console are shown, and are nothing to go to inside', () => {
    const shown = shownMenus([...menus, menu('help', 'https://help.example/')], reachablePages(menus, pages));
    expect(shown.map((entry) => entry.code)).toEqual(['home', 'device', 'help']);
    expect(screensOf(shown).map(({ path, above }) => [path, above])).toEqual([
      ['/home', []],
      ['/deviceList', ['device']],
    ]);
  });

  test('menus know the way down to a page', () => {
    expect(trailTo(menus, '/deviceList').map((entry) => entry.code)).toEqual(['device', 'deviceList']);
    expect(trailTo(menus, '/nowhere')).toEqual([]);
  });
});

test('links start with http, https, mailto or tel (specification section 5)', () => {
  for (const link of ['http://a.example', 'https://a.example/b', 'mailto:a@b.example', 'tel:10086']) {
    expect(isLink(link)).toBe(true);
  }
  for (const other of ['/home', 'home', 'javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', 'https:', '']) {
    expect(isLink(other)).toBe(false);
  }
});

describe('landingPath (specification section 2)', () => {
  const allowed = reachablePages(menus, pages);
  test('landingPath is the wanted page where it is allowed', () => {
    expect(landingPath('/deviceDetail', menus, allowed, '/home')).toBe('/deviceDetail');
  });

  test('landingPath is /home for / and the first menu for anything else', () => {
    expect(landingPath('/', menus, allowed, '/home')).toBe('/home');
    expect(landingPath('/nowhere', menus, allowed, '/home')).toBe('/home');
    const without = [menu('device', null, [menu('deviceList', '/deviceList')])];
    expect(landingPath('/', without, reachablePages(without, pages), '/home')).toBe('/deviceList');
  });

  test('landingPath is nowhere without menus', () => {
    expect(landingPath('/', [], new Set(), '/home')).toBeNull();
  });
});
