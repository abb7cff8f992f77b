import type { Instant } from '@voltdeck/units/instant';

type Reading<Value> = { at: Instant; value: Promise<Value> };
export type KeptByKey<Value> = (
  key: string,
  at: Instant,
  read: (before: Promise<Value> | undefined) => Promise<Value>,
) => Promise<Value>;

/**
 * Keeps what was read for a key for `keptMs`, so that callers share one reading; a failed one is not kept. `read` gets
 * the key's earlier reading. The oldest of `max` keys makes room.
 */
export function keptByKey<Value>({ max, keptMs }: { max: number; keptMs: number }): KeptByKey<Value> {
  const kept = new Map<string, Reading<Value>>();
  return (key, at, read) => {
    const found = kept.get(key);
    if (found !== undefined && at >= found.at && at - found.at < keptMs) return found.value;
    kept.delete(key);
    const oldest = kept.keys().next();
    if (kept.size >= max && !oldest.done) kept.delete(oldest.value);
    const reading = { at, value: read(found?.value) };
    kept.set(key, reading);
    reading.value.catch(() => {
      if (kept.get(key) === reading) kept.delete(key);
    });
    return reading.value;
  };
}

/** The callers who see the same records share a key. */
export const scopeKey = ({ agents }: { agents: 'all' | readonly unknown[] }) =>
  agents === 'all' ? 'all' : agents.join();
