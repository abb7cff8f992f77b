import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('an export that waits for its reader leaves nothing behind when it is aborted', async () => {
  const { signal } = new AbortController();
  const allowance = new Allowance(1);
  await allowance.take(signal);
  for (let chunk = 0; chunk < 3; chunk += 1) {
    const taken = allowance.take(signal);
    allowance.grant(1);
    await taken;
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an export that is stopped while it waits for its reader ends with the reason', async () => {
  const stop = new AbortController();
  const waits = new Allowance(0).take(stop.signal);
  stop.abort(new Error('nobody reads it'));
  await expect(waits).rejects.toThrow('nobody reads it');
});
