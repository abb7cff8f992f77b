import type { AnswerOf } from '@voltdeck/contract/route';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { AnyRoute, CallInput } from '../api/call.ts';
import { useAnswer } from '../api/queries.ts';
import { useTell } from './use-tell.ts';

type Props<R extends AnyRoute> = {
  route: R;
  input: CallInput<R>;
  open: boolean;
  close: () => void;
  /** Rendered once the answer is there; a form keeps its initial values. */
  children: (answer: AnswerOf<R>) => ReactNode;
};

/** Fetches what an overlay needs beyond its row. On failure it shows the error and closes. */
export function AskedFirst<R extends AnyRoute>({ route, input, open, close, children }: Props<R>) {
  const answer = useAnswer(route, input, { enabled: open });
  const tell = useTell();
  const onFailure = useEffectEvent((failure: unknown) => {
    tell(failure);
    close();
  });
  const { error } = answer;
  useEffect(() => {
    if (open && error !== null) onFailure(error);
  }, [open, error]);
  return answer.data === undefined || (open && answer.isFetching) ? null : children(answer.data);
}
