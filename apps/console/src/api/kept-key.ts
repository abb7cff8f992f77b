import { newIdempotencyKey } from './idempotency-key.ts';
import { isDecided } from './unanswered-writes.ts';

/** Carries out a try of one act under the act's key. */
export type KeptKey = <Answer>(write: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>;

/**
 * The key of one act. A try without an answer may have taken effect, so the next one has the same key; the act gets a
 * new key once the server has decided.
 */
export function keptKey(): KeptKey {
  let key: string | null = null;
  return async (write) => {
    key ??= newIdempotencyKey();
    try {
      const answer = await write(key);
      key = null;
      return answer;
    } catch (failure) {
      if (isDecided(failure)) key = null;
      throw failure;
    }
  };
}
