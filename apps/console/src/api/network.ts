import { retryDelayMs, waitFor } from './attempts.ts';

/** Whether the machine has a network at all; a browser that knows it has none is right about it. */
export const hasNetwork = (): boolean => navigator.onLine;

/** Resolves when the console's own page can be fetched: a network that is back needs a moment until it carries. */
export async function untilServed(): Promise<void> {
  for (;;) {
    if (!hasNetwork()) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (answer?.ok) return;
    await waitFor(retryDelayMs);
  }
}

/** How many requests got no answer and wait for their next attempt. */
let waiting = 0;
const listeners = new Set<() => void>();

export const isServerSilent = (): boolean => waiting > 0;

/** Hears changes of `hasNetwork` and `isServerSilent`, until the function that it gives is called. */
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

/** Counts a request as unanswered while `wait` lasts. */
export async function whileSilent(wait: Promise<void>): Promise<void> {
  count(1);
  try {
    await wait;
  } finally {
    count(-1);
  }
}
