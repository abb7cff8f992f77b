import { createContext, useContext, useEffect } from 'react';
import { create } from 'zustand';
import type { Tab } from './tabs.ts';

type TabState = {
  tabs: readonly Tab[];
  titles: Readonly<Record<string, string>>;
  /** The history entry whose tab was closed: the way to another one has begun, and it must not open again meanwhile. */
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

/** The key of the tab that a page lives in. */
export const TabKeyContext = createContext<string | null>(null);

/** Gives the tab (and the window) the page's own title once it is known: "Order 2026112100012". */
export function useTabTitle(title: string | undefined): void {
  const key = useContext(TabKeyContext);
  useEffect(() => {
    if (key === null || title === undefined) return;
    useTabStore.setState((state) =>
      state.titles[key] === title ? state : { titles: { ...state.titles, [key]: title } },
    );
  }, [key, title]);
}
