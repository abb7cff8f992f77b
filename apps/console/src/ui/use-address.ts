import { type SetURLSearchParams, useLocation, useSearchParams } from 'react-router';

/**
 * The parameters of the address and what changes them. A function gets those of the browser's address as it is by then:
 * two changes may follow each other before the page is drawn with the first, which those of the page would lose.
 */
export function useAddress(): [URLSearchParams, SetURLSearchParams] {
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const change: SetURLSearchParams = (next, options) => {
    if (typeof next !== 'function') return setSearch(next, options);
    // The window may be on its way to another page already, whose parameters are not this one's.
    const isHere = location.pathname === pathname;
    return setSearch(next(new URLSearchParams(isHere ? location.search : search)), options);
  };
  return [search, change];
}
