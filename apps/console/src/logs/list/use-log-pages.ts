import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type InteractionLog, listInteractionLogs } from '@voltdeck/contract/logs';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import { useMemo } from 'react';
import { call } from '../../api/call.ts';
import { keyOf } from '../../api/queries.ts';
import type { CallFailure } from '../../api/refused.ts';

export type LogQuery = Partial<QueryOf<typeof listInteractionLogs>>;
type Page = AnswerOf<typeof listInteractionLogs>;
type Pages = InfiniteData<Page, string | null>;

const pageRows = 100;
/** A longer table helps nobody; a filter does. */
export const loadedRowsMax = 1_000;

export type LogPages = {
  /** undefined until the first answer. */
  rows: readonly InteractionLog[] | undefined;
  /** These rows belong to the previous query. */
  isOld: boolean;
  failure: CallFailure | null;
  /** Whether there are older rows; `full` when no more are loaded. */
  older: 'none' | 'some' | 'loading' | 'full';
  loadOlder: () => void;
  /** Loads only the newest page again. */
  restart: () => Promise<void>;
};

/** The log from the newest row on, by keyset, so that rows stay in place while new ones are logged. */
export function useLogPages(query: LogQuery): LogPages {
  const client = useQueryClient();
  const queryKey = [...keyOf(listInteractionLogs, { query }), 'pages'];
  const answer = useInfiniteQuery<Page, CallFailure, Pages, readonly unknown[], string | null>({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      call(listInteractionLogs, {
        query: { ...query, pageSize: pageRows, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextBefore,
    placeholderData: keepPreviousData,
    // Do not reload many pages when the user comes back to the tab.
    refetchOnMount: (asked) => (asked.state.data?.pages.length ?? 0) <= 1,
  });
  const { data } = answer;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const older = answer.isFetchingNextPage
    ? 'loading'
    : !answer.hasNextPage || answer.isPlaceholderData
      ? 'none'
      : (rows?.length ?? 0) >= loadedRowsMax
        ? 'full'
        : 'some';
  return {
    rows,
    isOld: answer.isPlaceholderData,
    failure: answer.isError && (data === undefined || answer.isPlaceholderData) ? answer.error : null,
    older,
    loadOlder: () => {
      if (older === 'some' && !answer.isFetching) void answer.fetchNextPage();
    },
    restart: async () => {
      client.setQueryData<Pages>(queryKey, (known) =>
        known === undefined ? known : { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
      );
      await answer.refetch();
    },
  };
}
