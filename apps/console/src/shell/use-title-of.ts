import { screenAt, screenTitle } from '@voltdeck/contract/screens';
import { useCallback } from 'react';
import { phrase } from '../phrases.ts';
import { trailTo } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { useTabStore } from './tab-store.ts';
import type { Tab } from './tabs.ts';

/** A tab's title: set by its page, or else the name of its menu, or else of its screen. */
export function useTitleOf(): (tab: Pick<Tab, 'key' | 'path'>) => string {
  const { menus } = useSession();
  const titles = useTabStore((store) => store.titles);
  return useCallback(
    ({ key, path }) => {
      const screen = screenAt(path);
      return (
        titles[key] ?? trailTo(menus, path).at(-1)?.name ?? (screen === undefined ? path : phrase(screenTitle(screen)))
      );
    },
    [titles, menus],
  );
}
