import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 640px)';
const mobile = '(max-width: 991.98px)';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

/** Too narrow for tables. */
export const useNarrow = () => useMedia(narrow);

/** Below the specification's 992 px the sidebar is a drawer. */
export const useMobile = () => useMedia(mobile);
