import { instant } from '@voltdeck/units/instant';
import { useEffect, useEffectEvent, useState } from 'react';
import { valuesNow } from './filter-set-query.ts';
import { writeListState } from './list-query.ts';
import { useFilterSets, useViews } from './view-store.ts';

/** The address with the defaults, until the browser has it; `over` once it has, or where there are none. */
type Beginning = URLSearchParams | 'unknown' | 'over';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Applies a list's defaults to an address without any: the user's default filter set, or else the screen's.
 * @returns the address to query by, which is ahead of the browser's for a moment; null until the defaults are known.
 */
export function useDefaultFilters(
  list: string,
  /** The list's parameters: its filters and its sort. */
  parameters: readonly string[],
  search: URLSearchParams,
  put: (next: URLSearchParams) => void,
  suggested: (() => Values) | undefined,
): URLSearchParams | null {
  const isKnown = useViews((views) => views.isKnown);
  const first = useFilterSets(list).find(({ isFirst }) => isFirst);
  const says = parameters.some((name) => search.has(name));
  const begin = (): Beginning => {
    if (says) return 'over';
    if (!isKnown) return 'unknown';
    const own = first === undefined ? {} : valuesNow(first.query, parameters, instant(Date.now()));
    const values = Object.values(own).some((value) => value !== undefined) ? own : suggested?.();
    const isEmpty = Object.values(values ?? {}).every((value) => value === undefined);
    return values === undefined || isEmpty ? 'over' : writeListState(search, { values });
  };
  const [beginning, setBeginning] = useState(begin);
  if (beginning === 'unknown' && (says || isKnown)) setBeginning(begin());
  else if (beginning !== 'over' && says) setBeginning('over');
  const putOnce = useEffectEvent(put);
  useEffect(() => {
    if (typeof beginning !== 'string') putOnce(beginning);
  }, [beginning]);
  if (beginning === 'unknown') return null;
  return beginning === 'over' ? search : beginning;
}
