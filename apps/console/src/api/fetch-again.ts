import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches every answer under `queryKey` again, because the data behind it has changed. TanStack Query does not restart a
 * first request that is under way, although it may have been read before the change: that query is fetched once more
 * when it has answered.
 */
export async function fetchAgain(client: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const awaited = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
    .map((query) => ({ query, firstAnswer: query.promise }));
  await client.invalidateQueries({ queryKey });
  await Promise.allSettled(awaited.map(({ firstAnswer }) => firstAnswer));
  // A request that has begun since was asked after the change.
  const outdated = awaited.filter(({ query, firstAnswer }) => [undefined, firstAnswer].includes(query.promise));
  await Promise.all(outdated.map(({ query }) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })));
}
