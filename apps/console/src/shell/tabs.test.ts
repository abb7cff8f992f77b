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
  test('tabs open once for a path and keep its last address', () => {
    const tabs = open('/home', '/list?page=2', '/home', '/list?page=3');
    expect(keys(tabs)).toEqual(['/home', '/list']);
    expect(tabs[1]?.search).toBe('?page=3');
  });

  test('tabs open beside each other where a parameter tells records apart', () => {
    expect(keys(open('/order?id=1', '/order?id=2&x=1', '/order?id=1'))).toEqual(['/order?id=1', '/order?id=2']);
  });

  test('tabs are the same when nothing changes', () => {
    const tabs = open('/home', '/list');
    expect(openTab(tabs, '/list', '', rules)).toBe(tabs);
  });

  test('put the affixed one first', () => {
    expect(keys(open('/list', '/home'))).toEqual(['/home', '/list']);
  });

  test('tabs know the affixed one as unseen until somebody goes there', () => {
    const tabs = openTab([affixedTab('/home')], '/list', '', rules);
    expect(tabs.map((tab) => tab.seen)).toEqual([0, 1]);
    expect(openTab([affixedTab('/home')], '/home', '', rules).map((tab) => tab.seen)).toEqual([1]);
  });

  test('close, except the affixed one', () => {
    const tabs = open('/home', '/a', '/b');
    expect(keys(closeTab(tabs, '/a'))).toEqual(['/home', '/b']);
    expect(keys(closeTab(tabs, '/home'))).toEqual(['/home', '/a', '/b']);
    expect(keys(closeOtherTabs(tabs, '/b'))).toEqual(['/home', '/b']);
    expect(keys(closeAllTabs(tabs))).toEqual(['/home']);
  });

  test('to the right of one close', () => {
    const tabs = open('/home', '/a', '/b', '/c');
    expect(keys(closeTabsToTheRight(tabs, '/a'))).toEqual(['/home', '/a']);
    expect(keys(closeTabsToTheRight(tabs, '/c'))).toEqual(['/home', '/a', '/b', '/c']);
    expect(keys(closeTabsToTheRight(tabs, '/gone'))).toEqual(['/home', '/a', '/b', '/c']);
  });

  test('hand over to the right neighbour, at the end to the left one', () => {
    const tabs = open('/home', '/a', '/b');
    expect(neighbourOf(tabs, '/a')?.key).toBe('/b');
    expect(neighbourOf(tabs, '/b')?.key).toBe('/a');
  });

  test('begin another life when refreshed', () => {
    expect(refreshTab(open('/a', '/b'), '/b').map((tab) => tab.life)).toEqual([0, 1]);
  });

  test('tabs are never more than the limit: the longest unseen one gives way', () => {
    const many = Array.from({ length: tabsMax - 1 }, (_, index) => `/p${index}`);
    const tabs = open('/home', ...many, '/p0', '/one-more');
    expect(tabs).toHaveLength(tabsMax);
    expect(keys(tabs)).not.toContain('/p1');
    expect(keys(tabs)).toEqual(expect.arrayContaining(['/home', '/p0', '/one-more']));
  });
});
