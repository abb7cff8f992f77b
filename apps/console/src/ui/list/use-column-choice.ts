import type { ColumnChoice } from '@voltdeck/contract/views';
import { useCallback } from 'react';
import { noColumnChoice } from './list-columns.ts';
import { arrange, useViews } from './view-store.ts';

/** The signed-in user's choice of columns for a list; null resets it. */
export function useColumnChoice(list: string): [ColumnChoice, (next: ColumnChoice | null) => void] {
  const choice = useViews(({ columns }) => columns[list]);
  const change = useCallback((next: ColumnChoice | null) => arrange(list, next), [list]);
  return [choice ?? noColumnChoice, change];
}
