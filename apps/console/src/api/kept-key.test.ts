import type { ErrorCode } from '@voltdeck/contract/errors';
import { expect, test } from 'vitest';
import { keptKey } from './kept-key.ts';
import { Refused, Unreachable } from './refused.ts';

const refusal = (error: ErrorCode) => new Refused({ status: 409, code: 409, message: 'said', error });

/** The key of each try; a try fails with what `ends` has for it. */
async function keysOf(ends: readonly (Error | null)[]): Promise<string[]> {
  const keys: string[] = [];
  const under = keptKey();
  for (const end of ends) {
    const once = under(async (key) => {
      keys.push(key);
      if (end !== null) throw end;
    });
    await once.catch(() => undefined);
  }
  return keys;
}

test.each([
  ['no answer', new Unreachable(false)],
  ['a first try that is still being carried out', refusal('request.in_progress')],
  ['a failure of the server', refusal('server.failed')],
])('after %s, an act is tried again under the same key', async (_, failure) => {
  expect(new Set(await keysOf([failure, failure, null])).size).toBe(1);
});

test('an act that was refused or carried out gets a new key', async () => {
  expect(new Set(await keysOf([refusal('station.in_use'), null, null])).size).toBe(3);
});
