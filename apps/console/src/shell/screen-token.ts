import { adoptPageToken } from '../api/token.ts';
import { screenPath } from './screen-address.ts';

const parameter = 'token';

/**
 * The big-data screen may be opened with a token in its address (specification section 2). It is taken out of the
 * address at once, so that it is neither seen nor bookmarked, and serves this window alone: following such a link signs
 * nobody in.
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
