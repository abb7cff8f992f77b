import type { MenuEntry } from '@voltdeck/contract/access';
import { describe, expect, test } from 'vitest';
import { isLink, landingPath, pathsOf, reachableScreens, screensOf, shownMenus, trailTo } from './menus.ts';

const menu = (code: string, frontendUrl: string | null, children: MenuEntry[] = [], isShown: 0 | 1 = 1): MenuEntry => ({
  code,
  name: code,
  frontendUrl,
  icon: null,
  isShown,
  sort: 0,
  children,
});

const menus = [
  menu('home', '/home'),
  menu('device', null, [menu('deviceList', '/deviceList'), menu('own', '/unknown')]),
  menu('invoice', null, [menu('later', '/later')]),
];
const reachable = (of: readonly MenuEntry[]) => pathsOf(reachableScreens(of));

describe('menus', () => {
  test('menus open the screens that they name and the detail screens of those', () => {
    expect(reachableScreens(menus)).toEqual(new Set(['home', 'deviceList', 'deviceDetail', 'stationStory']));
    expect(reachable(menus)).toEqual(new Set(['/home', '/deviceList', '/deviceDetail', '/stationStory']));
  });

  test('menus open a page even if it is not shown', () => {
    expect(reachable([menu('x', '/home', [], 0)])).toEqual(new Set(['/home']));
  });

  test('menus are shown when an allowed address matches; a parent without surviving children is dropped', () => {
    const shown = shownMenus(menus, reachable(menus));
    expect(shown.map((entry) => [entry.code, entry.children.map((child) => child.code)])).toEqual([
      ['home', []],
      ['device', ['deviceList']],
    ]);
  });

  test('menus are not shown unless is-shown is 1', () => {
    const hidden = [menu('home', '/home', [], 0), menu('device', null, [menu('deviceList', '/deviceList')], 0)];
    expect(shownMenus(hidden, new Set(['/home', '/deviceList']))).toEqual([]);
  });

  test('menus that link out of the console are shown but are not pages to open', () => {
    const shown = shownMenus([...menus, menu('help', 'https://help.example/')], reachable(menus));
    expect(shown.map((entry) => entry.code)).toEqual(['home', 'device', 'help']);
    expect(screensOf(shown).map(({ path, above }) => [path, above])).toEqual([
      ['/home', []],
      ['/deviceList', ['device']],
    ]);
  });

  test('menus know the trail to a page', () => {
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
  const allowed = reachable(menus);
  test('landingPath is the wanted page where it is allowed', () => {
    expect(landingPath('/deviceDetail', menus, allowed, '/home')).toBe('/deviceDetail');
  });

  test('landingPath is /home for / and the first menu for any other path', () => {
    expect(landingPath('/', menus, allowed, '/home')).toBe('/home');
    expect(landingPath('/nowhere', menus, allowed, '/home')).toBe('/home');
    const without = [menu('device', null, [menu('deviceList', '/deviceList')])];
    expect(landingPath('/', without, reachable(without), '/home')).toBe('/deviceList');
  });

  test('landingPath is a hidden menu only where none is shown', () => {
    const hidden = menu('device', null, [menu('deviceList', '/deviceList', [], 0)]);
    const both = [hidden, menu('card', null, [menu('cardList', '/cardList')])];
    expect(landingPath('/', both, new Set(['/deviceList', '/cardList']), '/home')).toBe('/cardList');
    expect(landingPath('/', [hidden], new Set(['/deviceList']), '/home')).toBe('/deviceList');
  });

  test('landingPath is null without menus', () => {
    expect(landingPath('/', [], new Set(), '/home')).toBeNull();
  });
});
