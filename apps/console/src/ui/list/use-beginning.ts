import { valuesNow } from '@voltdeck/contract/filter-set-query';
import { instant } from '@voltdeck/units/instant';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { useAddress } from '../use-address.ts';
import { writeListState } from './list-query.ts';
import { useFilterSets, useViews } from './view-store.ts';

/**
 * The address with the defaults, until it replaces the browser's at that time; `over` once it has, or where there are
 * none.
 */
type Beginning = { search: URLSearchParams; instead: string } | 'unknown' | 'over';

type Values = Readonly<Record<string, string | undefined>>;

/** Changes the address. */
type PutSearch = (change: (current: URLSearchParams) => URLSearchParams, options: { replace: boolean }) => void;

/**
 * Applies a list's defaults to an address without any: the user's default filter set, or else the screen's. The user's
 * come after the screen's where they are known late, unless the list was changed meanwhile.
 * @returns the address to query by, which is ahead of the browser's for a moment; `isReady` once the defaults are known
 *   or waited for long enough; and the way to change the address, at that moment too.
 */
export function useDefaultFilters(
  list: string,
  /** The list's parameters: its filters and its sort. */
  parameters: readonly string[],
  suggested: (() => Values) | undefined,
): { search: URLSearchParams; isReady: boolean; put: PutSearch } {
  const [address, setAddress] = useAddress();
  const isKnown = useViews((views) => views.isKnown);
  const isLate = useViews((views) => views.isLate);
  const first = useFilterSets(list).find(({ isFirst }) => isFirst);
  const own = () => (first === undefined ? undefined : valuesNow(first.query, parameters, instant(Date.now())));
  const [beginning, setBeginning] = useState<Beginning>('unknown');
  /** What the screen's defaults left, until the user's own are known or the user changes it. */
  const [awaiting, setAwaiting] = useState<string | null>(null);
  if (beginning === 'unknown') {
    if (parameters.some((name) => address.has(name))) {
      setBeginning('over');
    } else if (isKnown || isLate) {
      const begun = (isKnown ? beginWith(address, own()) : null) ?? beginWith(address, suggested?.());
      setBeginning(begun ?? 'over');
      if (!isKnown) setAwaiting((begun?.search ?? address).toString());
    }
  } else if (awaiting !== null && isKnown) {
    setAwaiting(null);
    const shown = beginning === 'over' ? address : beginning.search;
    const begun = shown.toString() === awaiting ? beginWith(address, own()) : null;
    if (begun !== null) setBeginning(begun);
  } else if (beginning !== 'over' && address.toString() !== beginning.instead) {
    setBeginning('over');
  }
  const { pathname } = useLocation();
  const putOnce = useEffectEvent(({ search, instead }: Exclude<Beginning, string>) => {
    // The window may be on its way to another page already, whose address this one would replace.
    const isHere = location.pathname === pathname && new URLSearchParams(location.search).toString() === instead;
    if (isHere) setAddress(search, { replace: true });
  });
  useEffect(() => {
    if (typeof beginning !== 'string') putOnce(beginning);
  }, [beginning]);
  const put: PutSearch = (change, options) => {
    setAwaiting(null);
    if (typeof beginning === 'string') return setAddress(change, options);
    // The defaults are on their way into the address, and would outlast a change made to the one without them.
    const next = change(beginning.search);
    if (next.toString() !== beginning.instead) return setBeginning({ ...beginning, search: next });
    setBeginning('over');
    setAddress(next, { replace: true });
  };
  const search = typeof beginning === 'string' ? address : beginning.search;
  return { search, isReady: beginning !== 'unknown', put };
}

/** Null where the values say nothing. */
function beginWith(address: URLSearchParams, values: Values = {}): Exclude<Beginning, string> | null {
  if (Object.values(values).every((value) => value === undefined)) return null;
  return { search: writeListState(address, { values }), instead: address.toString() };
}
