import { arrangeColumns, type ColumnChoice, type FilterSet, getListViews } from '@voltdeck/contract/views';
import { useMemo } from 'react';
import { create } from 'zustand';
import { call } from '../../api/call.ts';
import {
  formerColumns,
  formerPrefix,
  type KeptViews,
  keptViewsOf,
  mergedViews,
  nothingKept,
  withColumns,
} from './kept-views.ts';

type Views = KeptViews & {
  userId: number | null;
  /** False until the settings are known in a new browser; lists wait a moment for them. */
  isKnown: boolean;
  /** The moment is over and the settings are not known yet: lists show the product's default. */
  isLate: boolean;
};

export const useViews = create<Views>(() => ({ ...nothingKept, userId: null, isKnown: false, isLate: false }));

/** After this, lists show the product's default without waiting for the server. */
const waitMs = 1_000;
/** Debounces widening and moving columns by keys. */
const settleMs = 500;

const storageKey = (userId: number) => `voltdeck-views:${userId}`;

function change(next: KeptViews): void {
  const { userId } = useViews.getState();
  const { columns, filterSets, unsent } = next;
  useViews.setState({ columns, filterSets, unsent });
  if (userId === null) return;
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify({ columns, filterSets, unsent }));
  } catch {
    // If the storage is full, the next load waits for the server's answer.
  }
}

/** Takes over once what the browser stored before the server did. */
function takeOver(userId: number): KeptViews {
  const entries = Object.keys(localStorage)
    .filter((key) => key.startsWith(`${formerPrefix}:${userId}:`))
    .map((key) => [key, localStorage.getItem(key) ?? ''] as const);
  for (const [key] of entries) localStorage.removeItem(key);
  const columns = formerColumns(userId, entries);
  return { ...nothingKept, columns, unsent: Object.keys(columns) };
}

/**
 * Shows lists as stored in this browser, and fetches their user's settings from the server meanwhile. No list waits for
 * a failure.
 */
export async function loadViews(userId: number): Promise<void> {
  const kept = keptViewsOf(localStorage.getItem(storageKey(userId)));
  useViews.setState({ userId, isKnown: kept !== null, isLate: false });
  change(kept ?? takeOver(userId));
  const timer = setTimeout(() => useViews.setState({ isLate: true }), waitMs);
  try {
    const told = await call(getListViews, { quiet: true });
    change(mergedViews(useViews.getState(), told));
    for (const list of useViews.getState().unsent) void tell(list);
  } catch {
    // Fetched again at the next load.
  } finally {
    clearTimeout(timer);
    useViews.setState({ isKnown: true });
  }
}

async function tell(list: string): Promise<void> {
  const choice = useViews.getState().columns[list];
  try {
    await call(arrangeColumns, { body: { list, choice: choice ?? null }, quiet: true });
  } catch {
    // It stays unsent and is sent with the next change or at the next load.
    return;
  }
  const now = useViews.getState();
  if (now.columns[list] === choice) change({ ...now, unsent: now.unsent.filter((name) => name !== list) });
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Arranges a list's columns, here at once and on the server shortly after; null restores the default. */
export function arrange(list: string, choice: ColumnChoice | null): void {
  change(withColumns(useViews.getState(), list, choice));
  clearTimeout(waiting.get(list));
  waiting.set(
    list,
    setTimeout(() => {
      waiting.delete(list);
      void tell(list);
    }, settleMs),
  );
}

const none: readonly FilterSet[] = [];

/** The filter sets of one list, in order of creation. */
export function useFilterSets(list: string): readonly FilterSet[] {
  const all = useViews(({ filterSets }) => filterSets);
  return useMemo(() => {
    const own = all.filter((set) => set.list === list);
    return own.length === 0 ? none : own;
  }, [all, list]);
}

/** Stores a filter set from the server's answer. */
export function rememberFilterSet(set: FilterSet): void {
  const now = useViews.getState();
  const others = now.filterSets.map((other) =>
    set.isFirst && other.list === set.list ? { ...other, isFirst: false } : other,
  );
  const isNew = others.every(({ id }) => id !== set.id);
  change({ ...now, filterSets: isNew ? [...others, set] : others.map((other) => (other.id === set.id ? set : other)) });
}

export function forgetFilterSet(id: FilterSet['id']): void {
  const now = useViews.getState();
  change({ ...now, filterSets: now.filterSets.filter((set) => set.id !== id) });
}
