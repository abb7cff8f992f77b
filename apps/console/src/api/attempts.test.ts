import { describe, expect, test } from 'vitest';
import { retriesMax, retryDelayMs, waitFor, withRetries } from './attempts.ts';
import { Unreachable } from './refused.ts';
import { isRepeatable } from './send.ts';

const unreachable = new Unreachable(false);
const fails = (times: number) => {
  let count = 0;
  return async () => {
    count += 1;
    if (count <= times) throw unreachable;
    return count;
  };
};
const clock = () => {
  const waits: number[] = [];
  return { waits, wait: async (ms: number) => void waits.push(ms) };
};

describe('withRetries (specification section 7)', () => {
  test('withRetries tries three more times, ten seconds apart', async () => {
    const { waits, wait } = clock();
    expect(await withRetries(fails(3), () => true, wait)).toBe(4);
    expect(waits).toEqual([10_000, 10_000, 10_000]);
  });

  test('withRetries throws the last failure after the third retry', async () => {
    const { waits, wait } = clock();
    await expect(withRetries(fails(9), () => true, wait)).rejects.toBe(unreachable);
    expect(waits).toHaveLength(retriesMax);
    expect(waits[0]).toBe(retryDelayMs);
  });

  test('withRetries does not repeat what must not be repeated', async () => {
    const { waits, wait } = clock();
    await expect(withRetries(fails(1), () => false, wait)).rejects.toBe(unreachable);
    expect(waits).toEqual([]);
  });

  test('withRetries stops when the caller has given up', async () => {
    const { waits, wait } = clock();
    const gone = AbortSignal.abort();
    await expect(withRetries(fails(1), () => true, wait, gone)).rejects.toBe(unreachable);
    expect(waits).toEqual([]);
  });
});

test("a wait ends at once with the signal's reason when the caller gives up", async () => {
  const controller = new AbortController();
  const waiting = waitFor(60_000, controller.signal);
  controller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
});

test('reads, writes under a key and harmless calls are repeatable; other writes are not', () => {
  expect(isRepeatable({ method: 'POST', isHarmless: true })).toBe(true);
  expect(isRepeatable({ method: 'GET' })).toBe(true);
  expect(isRepeatable({ method: 'POST', idempotencyKey: 'k' })).toBe(true);
  expect(isRepeatable({ method: 'POST' })).toBe(false);
  expect(isRepeatable({ method: 'DELETE' })).toBe(false);
});
