import { addressesOf } from './menus.ts';
import { useSession } from './session.ts';

/** Asks whether the menus lead to a page, so that nothing links to where one would be turned away. */
export function useMayOpen(): (path: string) => boolean {
  const named = new Set(addressesOf(useSession().menus));
  return (path) => named.has(path);
}
