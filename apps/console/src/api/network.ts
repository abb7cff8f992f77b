import { retryDelayMs, waitFor } from './attempts.ts';

/** Whether the machine is on a network; browsers are reliable only when they report that it is not. */
export const hasNetwork = (): boolean => navigator.onLine;

/** Whether the console's own page can be fetched now. */
export async function isServed(): Promise<boolean> {
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

/** Resolves once the console's page can be fetched: a restored network takes a moment to work. */
async function untilServed(): Promise<void> {
  for (;;) {
    if (!hasNetwork()) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    if (await isServed()) return;
    await waitFor(retryDelayMs);
  }
}

const triedKey = 'voltdeck-code-tried';

/**
 * Whether code that could not be fetched is on the server all the same, because the network was away when it was asked
 * for. Once for each file: what cannot be loaded for another reason is not tried for ever.
 */
export async function isThereNow(failure: unknown): Promise<boolean> {
  const [file] = (failure instanceof Error ? /\S+\.(?:js|css)\b/.exec(failure.message) : null) ?? [];
  if (file === undefined || sessionStorage.getItem(triedKey) === file) return false;
  sessionStorage.setItem(triedKey, file);
  const answer = await fetch(file, { cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

/** The number of requests without an answer that wait for their next attempt. */
let waiting = 0;
const listeners = new Set<() => void>();

export const isServerSilent = (): boolean => waiting > 0;

/** Calls `listener` on changes of `hasNetwork` and `isServerSilent` until the returned function is called. */
export function onNetwork(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

function count(change: 1 | -1): void {
  waiting += change;
  for (const listener of listeners) listener();
}

/** Loads the console anew once it can be fetched: browsers do not fetch a module twice. Tabs and drafts survive that. */
export async function reloadOnceServed(): Promise<void> {
  await whileSilent(untilServed());
  location.reload();
}

/** Counts a request as unanswered until `wait` ends. */
export async function whileSilent(wait: Promise<void>): Promise<void> {
  count(1);
  try {
    await wait;
  } finally {
    count(-1);
  }
}
