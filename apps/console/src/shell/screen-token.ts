import { adoptPageToken } from '../api/token.ts';
import { screenPath } from './screen-address.ts';

const parameter = 'token';

/**
 * Takes the token from the address of the big-data screen (specification section 2). It is removed at once, so that it
 * is neither seen nor bookmarked, and serves only this window: following such a link does not sign anyone in.
 */
export function takeScreenToken(): void {
  if (location.pathname !== screenPath) return;
  const search = new URLSearchParams(location.search);
  const token = search.get(parameter);
  if (search.has(parameter)) {
    search.delete(parameter);
    history.replaceState(null, '', search.size === 0 ? screenPath : `${screenPath}?${search}`);
  }
  adoptPageToken(token === '' ? null : token);
}
