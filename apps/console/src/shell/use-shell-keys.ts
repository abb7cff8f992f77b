import { useEffect } from 'react';
import { isPressed, isTyping } from '../ui/keys.ts';

/** Keys that work on every screen; single characters only outside of text fields. */
export function useShellKeys({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const isSearch = isPressed(event, 'search') || (isPressed(event, 'find') && !isTyping(event));
      const isHelp = isPressed(event, 'help') && !isTyping(event);
      if (!isSearch && !isHelp) return;
      event.preventDefault();
      if (isSearch) onSearch();
      else onKeys();
    };
    // On the window, after the pages' handlers on the document: a list uses "/" for its first filter.
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onSearch, onKeys]);
}
