import { Refused, Unreachable } from '../api/refused.ts';
import { phrase } from '../phrases.ts';

/** A sentence that says what went wrong, and the request id to quote. */
export function failureText(failure: unknown): { text: string; requestId?: string } {
  if (failure instanceof Refused) {
    return failure.requestId === undefined
      ? { text: failure.message }
      : { text: failure.message, requestId: failure.requestId };
  }
  if (failure instanceof Unreachable)
    return { text: phrase(failure.isTimeout ? 'shell.timeout' : 'shell.unreachable') };
  return { text: phrase('shell.pageFailedText') };
}
