import { Refused, Unreachable } from '../api/refused.ts';
import { phrase } from '../phrases.ts';

/** What went wrong, in a sentence to show, and what to quote. */
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
