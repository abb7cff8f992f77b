import { untilPageEnd } from './page-end.ts';
import { Unreachable } from './refused.ts';
import { fetchOnce } from './send.ts';

/** The token is sent to our own API alone. */
function isOwn(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith('/api/');
}

/**
 * The bytes of a file that only signed-in people may see; an element's own request would carry no token header.
 * @throws Unreachable when it cannot be had.
 */
export async function fetchPrivateFile(address: string, signal?: AbortSignal): Promise<Blob> {
  if (!isOwn(address)) throw new Unreachable(false);
  const response = await fetchOnce({ method: 'GET', address, ...(signal === undefined ? {} : { signal }) });
  if (!response.ok || response.headers.get('content-type')?.startsWith('application/json')) {
    throw new Unreachable(false);
  }
  return untilPageEnd(() => response.blob());
}
