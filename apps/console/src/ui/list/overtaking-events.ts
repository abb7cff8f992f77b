import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { ConsoleEvent } from '@voltdeck/contract/events';

/** Events kept during one fetch; with more, the answer is fetched again instead. */
const eventsMax = 500;

/**
 * Keeps the events that arrive while the answer to a question is being fetched, and hands them over when it is there:
 * it may have been read before them, and replaces what they had changed. `onTooMany` is called instead where they are
 * too many to keep. `keyNow` is the question that is shown, whose change drops what was kept for the one before.
 */
export function keepOvertaking(
  client: QueryClient,
  handlers: { keyNow: () => QueryKey; take: (event: ConsoleEvent) => void; onTooMany: () => void },
): { note: (event: ConsoleEvent) => void; stop: () => void } {
  let keptFor = '';
  let kept: ConsoleEvent[] = [];
  const stop = client.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated' || notice.query.queryHash !== keptFor) return;
    if (notice.action.type !== 'success' || notice.action.manual === true) return;
    const events = kept;
    kept = [];
    if (events.length > eventsMax) handlers.onTooMany();
    else for (const event of events) handlers.take(event);
  });
  return {
    note(event) {
      const key = handlers.keyNow();
      if (client.getQueryState(key)?.fetchStatus !== 'fetching') return;
      const hash = hashKey(key);
      if (hash !== keptFor) kept = [];
      keptFor = hash;
      if (kept.length <= eventsMax) kept.push(event);
    },
    stop,
  };
}
