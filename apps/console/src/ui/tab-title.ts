import { createContext, useContext, useEffect } from 'react';

/** Sets the title of a page's tab; null if it has none. */
export const TabTitleContext = createContext<((title: string) => void) | null>(null);

/** Sets the title of the tab and the window once it is known: "Order 2026112100012". */
export function useTabTitle(title: string | undefined): void {
  const nameTab = useContext(TabTitleContext);
  useEffect(() => {
    if (title !== undefined) nameTab?.(title);
  }, [nameTab, title]);
}
