import { describe, expect, test } from 'vitest';
import { tabsAsText, tabsFromText } from './tab-memory.ts';
import { openTab, type Tab, type TabRules } from './tabs.ts';

const rules: TabRules = {
  tabBy: (path) => (path === '/order' ? 'id' : undefined),
  isAffixed: (path) => path === '/home',
};
const tabs = ['/home', '/list?page=2', '/order?id=7'].reduce<readonly Tab[]>((all, address) => {
  const [path = '', query] = address.split('?');
  return openTab(all, path, query === undefined ? '' : `?${query}`, rules);
}, []);
const allowed = new Set(['/home', '/list', '/order']);
const text = tabsAsText(1, { tabs, titles: { '/order?id=7': 'Order 7' } });

describe('open tabs', () => {
  test('open tabs survive a reload with their addresses and titles, and none is rendered yet', () => {
    const kept = tabsFromText(text, 1, allowed, rules.isAffixed);
    expect(kept.tabs.map(({ key, search, isAffixed, seen }) => [key, search, isAffixed, seen])).toEqual([
      ['/home', '', true, 0],
      ['/list', '?page=2', false, 0],
      ['/order?id=7', '?id=7', false, 0],
    ]);
    expect(kept.titles).toEqual({ '/order?id=7': 'Order 7' });
  });

  test('open tabs of a page that may no longer be opened are dropped', () => {
    const kept = tabsFromText(text, 1, new Set(['/home', '/list']), rules.isAffixed);
    expect(kept.tabs.map(({ key }) => key)).toEqual(['/home', '/list']);
    expect(kept.titles).toEqual({});
  });

  test('open tabs that are unreadable or belong to someone else are ignored', () => {
    const none = { tabs: [], titles: {} };
    for (const other of [
      null,
      '',
      '{',
      '3',
      'null',
      '{"userId":1}',
      '{"userId":1,"tabs":[3,{"key":1}],"titles":null}',
    ]) {
      expect(tabsFromText(other, 1, allowed, rules.isAffixed)).toEqual(none);
    }
    expect(tabsFromText(text, 2, allowed, rules.isAffixed)).toEqual(none);
  });
});
