import type { Instant } from '@voltdeck/units/instant';

/** `readAt` is when it was done; null while it lasts. */
type Reading<Value> = { value: Promise<Value>; readAt: Instant | null };
export type KeptByKey<Value> = (
  key: string,
  read: (before: Promise<Value> | undefined) => Promise<Value>,
) => Promise<Value>;

type Keeping = { max: number; keptMs: number; now: () => Instant };

/**
 * Keeps what was read for a key for `keptMs` from when the reading was done, so that callers share one reading. One that
 * lasts is shared however long it lasts: begun again, it would make the database slower still. A failed one is not kept.
 * `read` gets the key's earlier reading. The oldest of `max` keys makes room.
 */
export function keptByKey<Value>({ max, keptMs, now }: Keeping): KeptByKey<Value> {
  const kept = new Map<string, Reading<Value>>();
  const isFresh = ({ readAt }: Reading<Value>, at: Instant): boolean =>
    readAt === null || (at >= readAt && at - readAt < keptMs);
  return (key, read) => {
    const found = kept.get(key);
    if (found !== undefined && isFresh(found, now())) return found.value;
    kept.delete(key);
    const oldest = kept.keys().next();
    if (kept.size >= max && !oldest.done) kept.delete(oldest.value);
    const reading: Reading<Value> = { value: read(found?.value), readAt: null };
    kept.set(key, reading);
    reading.value.then(
      () => {
        if (kept.get(key) === reading) kept.set(key, { ...reading, readAt: now() });
      },
      () => {
        if (kept.get(key) === reading) kept.delete(key);
      },
    );
    return reading.value;
  };
}

/** The callers who see the same records share a key. */
export const scopeKey = ({ agents }: { agents: 'all' | readonly unknown[] }) =>
  agents === 'all' ? 'all' : agents.join();
