/** An open page with its latest address. */
export type Tab = {
  /** The path, and what distinguishes two tabs of one path. */
  key: string;
  path: string;
  search: string;
  isAffixed: boolean;
  /** Incremented by each refresh, which remounts the page. */
  life: number;
  /** When it was last seen, as a counter; 0 for never. The tab unseen for longest is closed when there are too many. */
  seen: number;
};

/** More open pages would only cost memory. */
export const tabsMax = 20;

export type TabRules = {
  /** The parameter that distinguishes tabs of a path. */
  tabBy: (path: string) => string | undefined;
  isAffixed: (path: string) => boolean;
};

export function tabKeyOf(path: string, search: string, tabBy: string | undefined): string {
  if (tabBy === undefined) return path;
  const value = new URLSearchParams(search).get(tabBy);
  return value === null ? path : `${path}?${tabBy}=${value}`;
}

const latest = (tabs: readonly Tab[]) => tabs.reduce((seen, tab) => Math.max(seen, tab.seen), 0);

/** A tab that exists before its first visit; its page is not rendered until then. */
export function affixedTab(path: string): Tab {
  return { key: path, path, search: '', isAffixed: true, life: 0, seen: 0 };
}

/**
 * The tabs after navigating to an address: its tab exists, has the address and was seen last. Returns the same array
 * when nothing changes.
 */
export function openTab(tabs: readonly Tab[], path: string, search: string, rules: TabRules): readonly Tab[] {
  const key = tabKeyOf(path, search, rules.tabBy(path));
  const seen = latest(tabs);
  const known = tabs.find((tab) => tab.key === key);
  if (known !== undefined) {
    if (known.search === search && known.seen === seen && seen > 0) return tabs;
    return tabs.map((tab) => (tab === known ? { ...tab, search, seen: seen + 1 } : tab));
  }
  const isAffixed = rules.isAffixed(path);
  const opened: Tab = { key, path, search, isAffixed, life: 0, seen: seen + 1 };
  const next = isAffixed ? [opened, ...tabs] : [...tabs, opened];
  if (next.length <= tabsMax) return next;
  const closable = next.filter((tab) => !tab.isAffixed && tab !== opened);
  const oldest = closable.reduce<Tab | undefined>(
    (found, tab) => (found === undefined || tab.seen < found.seen ? tab : found),
    undefined,
  );
  return next.filter((tab) => tab !== oldest);
}

/** Closes a tab; affixed ones stay. */
export function closeTab(tabs: readonly Tab[], key: string): Tab[] {
  return tabs.filter((tab) => tab.key !== key || tab.isAffixed);
}

export function closeOtherTabs(tabs: readonly Tab[], key: string): Tab[] {
  return tabs.filter((tab) => tab.key === key || tab.isAffixed);
}

/** Closes the tabs to the right of one; affixed ones stay. */
export function closeTabsToTheRight(tabs: readonly Tab[], key: string): Tab[] {
  const index = tabs.findIndex((tab) => tab.key === key);
  return tabs.filter((tab, at) => index === -1 || at <= index || tab.isAffixed);
}

export function closeAllTabs(tabs: readonly Tab[]): Tab[] {
  return tabs.filter((tab) => tab.isAffixed);
}

export function refreshTab(tabs: readonly Tab[], key: string): Tab[] {
  return tabs.map((tab) => (tab.key === key ? { ...tab, life: tab.life + 1 } : tab));
}

/** The tab to show after closing `key`: its right neighbour, else its left one. */
export function neighbourOf(tabs: readonly Tab[], key: string): Tab | undefined {
  const index = tabs.findIndex((tab) => tab.key === key);
  return tabs[index + 1] ?? tabs[index - 1];
}

export const addressOfTab = (tab: Pick<Tab, 'path' | 'search'>) => tab.path + tab.search;
