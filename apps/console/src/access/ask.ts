import type { Refused } from '../api/refused.ts';
import { type Request, send } from '../api/send.ts';

export type Outcome<Answer> =
  | { kind: 'done'; answer: Answer }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'unreachable' };

/** A request from the sign-in page, which has no shell to show failures. Never rejects. */
export async function ask<Answer>(request: Request): Promise<Outcome<Answer>> {
  try {
    const verdict = await send(request);
    if (verdict.kind !== 'accepted') return { kind: 'refused', refused: verdict.refused };
    return { kind: 'done', answer: verdict.data as Answer };
  } catch (failure) {
    console.error(failure);
    return { kind: 'unreachable' };
  }
}
