import { lostSessionStatuses } from '@voltdeck/contract/envelope';
import type { ErrorCode } from '@voltdeck/contract/errors';
import type { Route } from '@voltdeck/contract/route';
import { keepText } from '../keep-text.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { Refused, Waiting } from './refused.ts';

/** A person tries again within minutes; later, the same write is meant as another one. */
const rememberedMs = 15 * 60_000;

/** A write whose outcome is unknown, since when; null while it is under way. */
type Unanswered = { key: string; since: number | null };

const storageKey = 'voltdeck-unanswered';
const storage = typeof sessionStorage === 'undefined' ? null : sessionStorage;

/** What was unanswered before this window was reloaded. */
function readUnanswered(): Map<string, Unanswered> {
  const found = new Map<string, Unanswered>();
  try {
    const entries: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]');
    for (const [name, key, since] of entries as unknown[][]) {
      if (typeof name === 'string' && typeof key === 'string' && typeof since === 'number')
        found.set(name, { key, since });
    }
  } catch {
    // Unreadable text under our key counts as nothing stored.
  }
  return found;
}

const unanswered = readUnanswered();

/** A reload is what many do when no answer comes, so the keys outlive the page. */
function note(name: string, write: Unanswered | null): void {
  if (write === null) unanswered.delete(name);
  else unanswered.set(name, write);
  const entries = [...unanswered].map(([other, { key, since }]) => [other, key, since ?? Date.now()]);
  if (storage !== null) keepText(storage, storageKey, JSON.stringify(entries));
}

/**
 * Carries out a write that moves money under a key that outlives its form and its page: until the server has decided,
 * every further try has the same key, also from a form that was corrected, closed and opened again. Where the first try
 * took effect, the server then answers with it or refuses the corrected one, and moves no money twice.
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
  note(name, { key, since: null });
  try {
    const answer = await write(key);
    note(name, null);
    return answer;
  } catch (failure) {
    note(name, isDecided(failure) ? null : { key, since: Date.now() });
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

/** Whether a failure says what became of the write: the server refused it, or it waits for a second person. */
export function isDecided(failure: unknown): boolean {
  if (failure instanceof Waiting) return true;
  if (!(failure instanceof Refused) || failure.code === undefined) return false;
  return !undecided.has(failure.code) && !lostStatuses.includes(failure.status);
}
