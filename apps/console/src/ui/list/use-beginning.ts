import { instant } from '@voltdeck/units/instant';
import { useEffect, useEffectEvent, useState } from 'react';
import { valuesNow } from './filter-set-query.ts';
import { writeListState } from './list-query.ts';
import { useFilterSets, useViews } from './view-store.ts';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Applies a list's defaults to an address without any: the user's default filter set, or else the screen's.
 * @returns whether the address is ready for the query.
 */
export function useDefaultFilters(
  list: string,
  /** The list's parameters: its filters and its sort. */
  parameters: readonly string[],
  search: URLSearchParams,
  put: (next: URLSearchParams) => void,
  suggested: (() => Values) | undefined,
): boolean {
  const isKnown = useViews((views) => views.isKnown);
  const first = useFilterSets(list).find(({ isFirst }) => isFirst);
  const says = parameters.some((name) => search.has(name));
  const [hasBegun, setBegun] = useState(says || (isKnown && first === undefined && suggested === undefined));
  if (says && !hasBegun) setBegun(true);
  const begin = useEffectEvent(() => {
    const own = first === undefined ? {} : valuesNow(first.query, parameters, instant(Date.now()));
    const values = Object.values(own).some((value) => value !== undefined) ? own : suggested?.();
    const isEmpty = Object.values(values ?? {}).every((value) => value === undefined);
    if (values === undefined || isEmpty) setBegun(true);
    else put(writeListState(search, { values }));
  });
  useEffect(() => {
    if (!hasBegun && isKnown) begin();
  }, [hasBegun, isKnown]);
  return hasBegun;
}
