import { create } from 'zustand';
import type { Tab } from './tabs.ts';

type TabState = {
  tabs: readonly Tab[];
  titles: Readonly<Record<string, string>>;
  /** The history entry whose tab was just closed; it must not open again while the navigation is under way. */
  leaving: string | null;
};

export const useTabStore = create<TabState>(() => ({ tabs: [], titles: {}, leaving: null }));

export function setTabs(change: (tabs: readonly Tab[]) => readonly Tab[], leaving: string | null = null): void {
  useTabStore.setState((state) => {
    const tabs = change(state.tabs);
    const keys = new Set(tabs.map((tab) => tab.key));
    const titles = Object.fromEntries(Object.entries(state.titles).filter(([key]) => keys.has(key)));
    return { tabs, titles, leaving };
  });
}

/** Sets the title that a page gives itself; until then the menu's name is shown. */
export function nameTab(key: string, title: string): void {
  useTabStore.setState((state) =>
    state.titles[key] === title ? state : { titles: { ...state.titles, [key]: title } },
  );
}
