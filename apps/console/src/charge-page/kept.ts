/** What the page keeps: in the browser's storage, or in memory where a browser refuses it (private windows, WebViews). */
function keeping(storage: () => Storage) {
  const inMemory = new Map<string, string>();
  const tried = <Answer>(use: (store: Storage) => Answer): Answer | null => {
    try {
      return use(storage());
    } catch {
      return null;
    }
  };
  return {
    get: (key: string): string | null => inMemory.get(key) ?? tried((store) => store.getItem(key)),
    set(key: string, text: string): void {
      const isStored = tried((store) => {
        store.setItem(key, text);
        return true;
      });
      // What is stored may be changed by another tab.
      if (isStored) inMemory.delete(key);
      else inMemory.set(key, text);
    },
    drop(key: string): void {
      inMemory.delete(key);
      tried((store) => store.removeItem(key));
    },
  };
}

/** Over visits. */
export const kept = keeping(() => localStorage);
/** As long as this tab. */
export const keptInTab = keeping(() => sessionStorage);
