import { instant } from '@voltdeck/units/instant';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { valuesNow } from './filter-set-query.ts';
import { writeListState } from './list-query.ts';
import { useFilterSets, useViews } from './view-store.ts';

/** The address with the defaults, until the browser has it; `over` once it has, or where there are none. */
type Beginning = URLSearchParams | 'unknown' | 'over';

type Values = Readonly<Record<string, string | undefined>>;

/** Changes the address. */
type PutSearch = (change: (current: URLSearchParams) => URLSearchParams, options: { replace: boolean }) => void;

/**
 * Applies a list's defaults to an address without any: the user's default filter set, or else the screen's.
 * @returns the address to query by, which is ahead of the browser's for a moment, null until the defaults are known;
 *   and the way to change it, at that moment too.
 */
export function useDefaultFilters(
  list: string,
  /** The list's parameters: its filters and its sort. */
  parameters: readonly string[],
  suggested: (() => Values) | undefined,
): { search: URLSearchParams | null; address: URLSearchParams; put: PutSearch } {
  const [address, setAddress] = useSearchParams();
  const isKnown = useViews((views) => views.isKnown);
  const first = useFilterSets(list).find(({ isFirst }) => isFirst);
  const speaks = (search: URLSearchParams) => parameters.some((name) => search.has(name));
  const says = speaks(address);
  const begin = (): Beginning => {
    if (says) return 'over';
    if (!isKnown) return 'unknown';
    const own = first === undefined ? {} : valuesNow(first.query, parameters, instant(Date.now()));
    const values = Object.values(own).some((value) => value !== undefined) ? own : suggested?.();
    const isEmpty = Object.values(values ?? {}).every((value) => value === undefined);
    return values === undefined || isEmpty ? 'over' : writeListState(address, { values });
  };
  const [beginning, setBeginning] = useState(begin);
  if (beginning === 'unknown' && (says || isKnown)) setBeginning(begin());
  else if (beginning !== 'over' && says) setBeginning('over');
  const putOnce = useEffectEvent((next: URLSearchParams) => setAddress(next, { replace: true }));
  useEffect(() => {
    if (typeof beginning !== 'string') putOnce(beginning);
  }, [beginning]);
  const put: PutSearch = (change, options) => {
    if (typeof beginning === 'string') return setAddress(change, options);
    // The defaults are on their way into the address, which would outlast a change made to the one without them.
    const next = change(beginning);
    if (speaks(next)) return setBeginning(next);
    setBeginning('over');
    setAddress(next, { replace: true });
  };
  const search = beginning === 'unknown' ? null : beginning === 'over' ? address : beginning;
  return { search, address, put };
}
