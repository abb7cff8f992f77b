import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ListRoute } from '@voltdeck/contract/list';
import type { AnswerOf } from '@voltdeck/contract/route';
import { useCallback, useRef } from 'react';
import { type AnyRoute, type CallArguments, type CallInput, call, type DoneOf, type LooseInput } from './call.ts';
import { fetchAgain } from './fetch-again.ts';
import { type KeptKey, keptKey } from './kept-key.ts';
import { usePaced } from './paced.ts';
import type { CallFailure } from './refused.ts';

/** Query keys start with the route's path, so that all answers of a path can be refreshed at once. */
export function keyOf<R extends AnyRoute>(route: R, input?: CallInput<R>): readonly unknown[] {
  const { params, query } = (input ?? {}) as LooseInput;
  return [route.path, params ?? null, query ?? null];
}

export type AnswerOptions<Answer = unknown> = {
  /** False postpones the request while a parameter is unknown. */
  enabled?: boolean;
  /** Keeps showing the previous answer (dimmed, see `isPlaceholderData`) while new input loads. */
  keepPrevious?: boolean;
  staleMs?: number;
  /** Fetches again after this time, decided by the last answer; null for no more. */
  everyMs?: (answer: Answer | undefined) => number | null;
};

/** The answer of `route` to `input`: cached, shared, and fetched again when stale. */
export function useAnswer<R extends AnyRoute>(
  route: R,
  input: CallInput<R>,
  options: AnswerOptions<AnswerOf<R>> = {},
): UseQueryResult<AnswerOf<R>, CallFailure> {
  const client = useQueryClient();
  const { enabled = true, keepPrevious = false, staleMs, everyMs } = options;
  const question = {
    queryKey: keyOf(route, input),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(route, ...([{ ...input, signal }] as unknown as CallArguments<R>)),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  };
  // Start a first request during rendering rather than after it.
  if (enabled && client.getQueryState(question.queryKey) === undefined) void client.prefetchQuery(question);
  return useQuery<AnswerOf<R>, CallFailure>({
    ...question,
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: ({ state }) => everyMs(state.data) ?? false }),
  });
}

/**
 * A function for events that concern the answer of `route` to `input`: fetches it again, at most once every `gapMs`, and
 * once more where the first request for it is under way. See `usePaced` for `delayMs`.
 */
export function useAskAgain<R extends AnyRoute>(route: R, input: CallInput<R>, gapMs: number, delayMs = 0): () => void {
  const client = useQueryClient();
  return usePaced(() => void fetchAgain(client, keyOf(route, input)), gapMs, delayMs);
}

/** Fetches all answers of `routes` again, whatever their input. */
export function useRefresh(): (...routes: readonly AnyRoute[]) => Promise<void> {
  const client = useQueryClient();
  return useCallback(async (...routes: readonly AnyRoute[]) => refresh(client, routes), [client]);
}

/** A list's totals are refreshed with it. */
function isList(route: AnyRoute): route is AnyRoute & { totals: NonNullable<ListRoute['totals']> } {
  return 'totals' in route && route.totals !== null;
}

export async function refresh(client: QueryClient, routes: readonly AnyRoute[]): Promise<void> {
  const paths = routes.flatMap((route) => [route.path, ...(isList(route) ? [route.totals.path] : [])]);
  await Promise.all(paths.map((path) => fetchAgain(client, [path])));
}

/** Performs an act with `mutate(input)`, then refreshes the routes in `changes`. */
export function useAction<R extends AnyRoute>(
  route: R,
  options: { changes?: readonly AnyRoute[]; onDone?: (answer: DoneOf<R>, input: CallInput<R>) => void } = {},
): UseMutationResult<DoneOf<R>, CallFailure, CallInput<R>> {
  const client = useQueryClient();
  const last = useRef<{ act: string; underKey: KeptKey } | null>(null);
  return useMutation<DoneOf<R>, CallFailure, CallInput<R>>({
    mutationFn: (given) => {
      const input = given as LooseInput;
      const act = JSON.stringify([input.params, input.body]);
      if (last.current?.act !== act) last.current = { act, underKey: keptKey() };
      return last.current.underKey((idempotencyKey) =>
        call(route, ...([{ idempotencyKey, ...input }] as unknown as CallArguments<R>)),
      );
    },
    onSuccess: async (answer, input) => {
      options.onDone?.(answer, input);
      await refresh(client, options.changes ?? []);
    },
  });
}
