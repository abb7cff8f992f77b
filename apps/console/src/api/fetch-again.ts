import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches every answer under `queryKey` again, because what it tells has changed. A first request that is under way may
 * have been answered before the change, and TanStack Query does not replace it: its question is asked again afterwards.
 */
export async function fetchAgain(client: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const awaited = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  const firstAnswers = awaited.map(({ promise }) => promise);
  await client.invalidateQueries({ queryKey });
  await Promise.allSettled(firstAnswers);
  await Promise.all(awaited.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })));
}
