import { describe, expect, test } from 'vitest';
import {
  affixedTab,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  closeTabsToTheRight,
  neighbourOf,
  openTab,
  refreshTab,
  type Tab,
  type TabRules,
  tabsMax,
} from './tabs.ts';

const rules: TabRules = {
  tabBy: (path) => (path === '/order' ? 'id' : undefined),
  isAffixed: (path) => path === '/home',
};
const open = (...addresses: string[]) =>
  addresses.reduce<readonly Tab[]>((tabs, address) => {
    const [path = '', query] = address.split('?');
    return openTab(tabs, path, query === undefined ? '' : `?${query}`, rules);
  }, []);
const keys = (tabs: readonly Tab[]) => tabs.map((tab) => tab.key);

describe('tabs', () => {
  test('tabs open once per path and keep their latest address', () => {
    const tabs = open('/home', '/list?page=2', '/home', '/list?page=3');
    expect(keys(tabs)).toEqual(['/home', '/list']);
    expect(tabs[1]?.search).toBe('?page=3');
  });

  test('tabs open side by side where a parameter distinguishes records', () => {
    expect(keys(open('/order?id=1', '/order?id=2&x=1', '/order?id=1'))).toEqual(['/order?id=1', '/order?id=2']);
  });

  test('tabs are the same array when nothing changes', () => {
    const tabs = open('/home', '/list');
    expect(openTab(tabs, '/list', '', rules)).toBe(tabs);
  });

  test('tabs start with the affixed one', () => {
    expect(keys(open('/list', '/home'))).toEqual(['/home', '/list']);
  });

  test('tabs treat the affixed one as unseen until it is visited', () => {
    const tabs = openTab([affixedTab('/home')], '/list', '', rules);
    expect(tabs.map((tab) => tab.seen)).toEqual([0, 1]);
    expect(openTab([affixedTab('/home')], '/home', '', rules).map((tab) => tab.seen)).toEqual([1]);
  });

  test('tabs can be closed, except the affixed one', () => {
    const tabs = open('/home', '/a', '/b');
    expect(keys(closeTab(tabs, '/a'))).toEqual(['/home', '/b']);
    expect(keys(closeTab(tabs, '/home'))).toEqual(['/home', '/a', '/b']);
    expect(keys(closeOtherTabs(tabs, '/b'))).toEqual(['/home', '/b']);
    expect(keys(closeAllTabs(tabs))).toEqual(['/home']);
  });

  test('tabs to the right of one can be closed', () => {
    const tabs = open('/home', '/a', '/b', '/c');
    expect(keys(closeTabsToTheRight(tabs, '/a'))).toEqual(['/home', '/a']);
    expect(keys(closeTabsToTheRight(tabs, '/c'))).toEqual(['/home', '/a', '/b', '/c']);
    expect(keys(closeTabsToTheRight(tabs, '/gone'))).toEqual(['/home', '/a', '/b', '/c']);
  });

  test('tabs hand over to their right neighbour when closed, or else to the left one', () => {
    const tabs = open('/home', '/a', '/b');
    expect(neighbourOf(tabs, '/a')?.key).toBe('/b');
    expect(neighbourOf(tabs, '/b')?.key).toBe('/a');
  });

  test('tabs get a new life when refreshed', () => {
    expect(refreshTab(open('/a', '/b'), '/b').map((tab) => tab.life)).toEqual([0, 1]);
  });

  test('tabs never exceed the limit: the one unseen for longest is closed', () => {
    const many = Array.from({ length: tabsMax - 1 }, (_, index) => `/p${index}`);
    const tabs = open('/home', ...many, '/p0', '/one-more');
    expect(tabs).toHaveLength(tabsMax);
    expect(keys(tabs)).not.toContain('/p1');
    expect(keys(tabs)).toEqual(expect.arrayContaining(['/home', '/p0', '/one-more']));
  });
});
