import { createContext, useContext } from 'react';
import { create } from 'zustand';
import type { Tab } from './tabs.ts';

/** Where the window is, for the few parts of the frame that depend on it. */
export type FramePlace = {
  path: string;
  /** The entry of the window's history. */
  historyKey: string;
  tabs: readonly Tab[];
  activeKey: string;
  /** The menu entry for this page: for a detail page, that of its list. */
  menuPath: string;
};

export const FramePlaceContext = createContext<FramePlace | null>(null);

/** @throws Error outside the frame. */
export function useFramePlace(): FramePlace {
  const place = useContext(FramePlaceContext);
  if (place === null) throw new Error('there is no frame around');
  return place;
}

/**
 * The menu entry for the current page. A store beside the context, because only two of dozens of menu entries change at
 * a time: each checks whether it is the current one, and only those two render.
 */
export const useMenuPath = create<{ menuPath: string }>(() => ({ menuPath: '' }));
