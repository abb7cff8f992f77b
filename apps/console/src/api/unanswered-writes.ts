import { lostSessionStatuses } from '@voltdeck/contract/envelope';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Route } from '@voltdeck/contract/route';
import { newIdempotencyKey } from './idempotency-key.ts';
import { Refused } from './refused.ts';

/** A person tries again within minutes; later, the same write is meant as another one. */
const rememberedMs = 15 * 60_000;

/** A write whose outcome is unknown, since when; null while it is under way. */
type Unanswered = { key: string; since: number | null };

const unanswered = new Map<string, Unanswered>();

/**
 * Carries out a write that moves money under a key that outlives its form: until the server has decided, every further
 * try has the same key, also from a form that was corrected, closed and opened again. Where the first try took effect,
 * the server then answers with it or refuses the corrected one, and moves no money twice.
 */
export async function underOneKey<Answer>(
  { method }: Pick<Route, 'method'>,
  address: string,
  { params, body, idempotencyKey }: { params?: unknown; body?: unknown; idempotencyKey?: string },
  write: (key: string) => Promise<Answer>,
): Promise<Answer> {
  // An address without a record does not say what the money is for.
  const name = JSON.stringify([method, address, params === undefined ? body : null]);
  const earlier = unanswered.get(name);
  const isLate = earlier !== undefined && earlier.since !== null && Date.now() - earlier.since >= rememberedMs;
  const key = earlier === undefined || isLate ? (idempotencyKey ?? newIdempotencyKey()) : earlier.key;
  unanswered.set(name, { key, since: null });
  try {
    const answer = await write(key);
    unanswered.delete(name);
    return answer;
  } catch (failure) {
    if (isDecided(failure)) unanswered.delete(name);
    else unanswered.set(name, { key, since: Date.now() });
    throw failure;
  }
}

/** Refusals that say nothing about whether a try took effect. */
const undecided: ReadonlySet<ErrorCode> = new Set([
  'request.in_progress',
  'request.too_many',
  'request.too_many_reads',
  'server.unavailable',
  'server.failed',
]);
const lostStatuses: readonly number[] = Object.values(lostSessionStatuses);

/** Whether a failure says that the write has no effect: the server looked at it and refused. */
function isDecided(failure: unknown): boolean {
  if (!(failure instanceof Refused) || failure.code === undefined) return false;
  return !undecided.has(failure.code) && !lostStatuses.includes(failure.status);
}
