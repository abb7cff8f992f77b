import { createContext, useContext, useEffect } from 'react';

/** Names the tab that a page lives in; null where a page has no tab. */
export const TabTitleContext = createContext<((title: string) => void) | null>(null);

/** Gives the tab (and the window) the page's own title once it is known: "Order 2026112100012". */
export function useTabTitle(title: string | undefined): void {
  const nameTab = useContext(TabTitleContext);
  useEffect(() => {
    if (title !== undefined) nameTab?.(title);
  }, [nameTab, title]);
}
