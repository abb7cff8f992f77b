import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { AnswerOf } from '@voltdeck/contract/route';
import { useRef } from 'react';
import { type AnyRoute, type CallArguments, type CallInput, call, type LooseInput } from './call.ts';
import { type CallFailure, Refused } from './refused.ts';

/** Answers are kept by the route's path first, so that everything below a path can be asked for again at once. */
export function keyOf<R extends AnyRoute>(route: R, input?: CallInput<R>): readonly unknown[] {
  const { params, query } = (input ?? {}) as LooseInput;
  return [route.path, params ?? null, query ?? null];
}

export type AnswerOptions = {
  /** False waits: nothing is asked while a parameter is still unknown. */
  enabled?: boolean;
  /** Keeps showing the former answer (dimmed, see `isPlaceholderData`) while another input loads. */
  keepPrevious?: boolean;
  staleMs?: number;
};

/** The answer of `route` to `input`, kept, shared and asked for again when it is stale. */
export function useAnswer<R extends AnyRoute>(
  route: R,
  input: CallInput<R>,
  options: AnswerOptions = {},
): UseQueryResult<AnswerOf<R>, CallFailure> {
  return useQuery<AnswerOf<R>, CallFailure>({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => call(route, ...([{ ...input, signal }] as unknown as CallArguments<R>)),
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(options.staleMs === undefined ? {} : { staleTime: options.staleMs }),
  });
}

/** Asks again for everything that `routes` answered, whatever the input was. */
export function useRefresh(): (...routes: readonly AnyRoute[]) => Promise<void> {
  const client = useQueryClient();
  return async (...routes) => refresh(client, routes);
}

export async function refresh(client: QueryClient, routes: readonly AnyRoute[]): Promise<void> {
  await Promise.all(routes.map((route) => client.invalidateQueries({ queryKey: [route.path] })));
}

/** An act: `mutate(input)` once; afterwards what `changes` lists is asked for again. */
export function useAction<R extends AnyRoute>(
  route: R,
  options: { changes?: readonly AnyRoute[]; onDone?: (answer: AnswerOf<R>, input: CallInput<R>) => void } = {},
): UseMutationResult<AnswerOf<R>, CallFailure, CallInput<R>> {
  const client = useQueryClient();
  // An act that got no answer may have happened: the same act once more carries the same key.
  const unanswered = useRef<{ act: string; key: string } | null>(null);
  return useMutation<AnswerOf<R>, CallFailure, CallInput<R>>({
    mutationFn: async (given) => {
      const input = given as LooseInput;
      const act = JSON.stringify([input.params, input.body]);
      const key = unanswered.current?.act === act ? unanswered.current.key : crypto.randomUUID();
      unanswered.current = { act, key };
      try {
        const withKey = route.idempotency !== undefined ? { idempotencyKey: key, ...input } : input;
        const answer = await call(route, ...([withKey] as unknown as CallArguments<R>));
        unanswered.current = null;
        return answer;
      } catch (failure) {
        if (failure instanceof Refused) unanswered.current = null;
        throw failure;
      }
    },
    onSuccess: async (answer, input) => {
      options.onDone?.(answer, input);
      await refresh(client, options.changes ?? []);
    },
  });
}
