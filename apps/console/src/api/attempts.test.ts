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
  test('withRetries tries three times more, ten seconds apart', async () => {
    const { waits, wait } = clock();
    expect(await withRetries(fails(3), () => true, wait)).toBe(4);
    expect(waits).toEqual([10_000, 10_000, 10_000]);
  });

  test('withRetries gives up after the third retry with what failed last', async () => {
    const { waits, wait } = clock();
    await expect(withRetries(fails(9), () => true, wait)).rejects.toBe(unreachable);
    expect(waits).toHaveLength(retriesMax);
    expect(waits[0]).toBe(retryDelayMs);
  });

  test('withRetries does not try again what may not be repeated', async () => {
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

test('a wait ends at once with the reason when the caller gives up', async () => {
  const controller = new AbortController();
  const waiting = waitFor(60_000, controller.signal);
  controller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
});

test('only reading and what carries a key is repeatable', () => {
  expect(isRepeatable({ method: 'GET' })).toBe(true);
  expect(isRepeatable({ method: 'POST', idempotencyKey: 'k' })).toBe(true);
  expect(isRepeatable({ method: 'POST' })).toBe(false);
  expect(isRepeatable({ method: 'DELETE' })).toBe(false);
});
