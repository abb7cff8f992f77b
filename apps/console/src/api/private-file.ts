import { untilPageEnd } from './page-end.ts';
import { Unreachable } from './refused.ts';
import { fetchOnce } from './send.ts';

/** The token is sent only to our own API. */
function isOwn(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith('/api/');
}

/**
 * The bytes of a file that requires a session; an <img> would send no token header.
 * @throws Unreachable when it cannot be fetched.
 */
export async function fetchPrivateFile(address: string, signal?: AbortSignal): Promise<Blob> {
  if (!isOwn(address)) throw new Unreachable(false);
  const response = await fetchOnce({ method: 'GET', address, ...(signal === undefined ? {} : { signal }) });
  if (!response.ok || response.headers.get('content-type')?.startsWith('application/json')) {
    throw new Unreachable(false);
  }
  return untilPageEnd(() => response.blob());
}
