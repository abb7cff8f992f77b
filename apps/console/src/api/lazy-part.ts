import { lazy } from 'react';
import { hasNetwork, isServed, isThereNow, reloadOnceServed } from './network.ts';

/**
 * A part of a page whose code is fetched when it is first shown. A failure for lack of a network leaves the page as it is
 * and waits for the network, as pages do; if the server answers but no longer has the code, the page says so.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => load().catch(awaitCode));

async function awaitCode(failure: unknown): Promise<never> {
  if (hasNetwork() && (await isServed()) && !(await isThereNow(failure))) throw failure;
  await reloadOnceServed();
  // The page is about to go.
  return new Promise(() => undefined);
}
