import type { UserId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { createSessions } from './sessions.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const origin = { remoteAddress: '127.0.0.1', userAgent: 'test' };

let api: TestApi;
beforeEach(async () => {
  api = await openTestApi();
});
afterEach(() => api.close());

async function openOne() {
  const { id } = await api.addUser({ name: 'hasty', permissions: [] });
  let reads = 0;
  const counting = api.database.db.withPlugin({
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"token_hash"')) reads += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const sessions = createSessions(counting);
  const { token } = await api.database.db.transaction().execute((trx) => sessions.open(trx, id as UserId, now, origin));
  return { sessions, token, reads: () => reads };
}

test('a page with many simultaneous requests reads its session once', async () => {
  const { sessions, token, reads } = await openOne();
  const found = await Promise.all(Array.from({ length: 40 }, () => sessions.find(token, now)));
  expect(found.every(({ ok }) => ok)).toBe(true);
  expect(reads()).toBe(1);
});

test('a request after the end of a session does not share the read of an earlier one', async () => {
  const { sessions, token, reads } = await openOne();
  const before = sessions.find(token, now);
  await sessions.endOne(token, instant(now + minuteMs), 'logout');
  const readsBefore = reads();
  expect(await sessions.find(token, now)).toEqual({ ok: false, error: { code: 'session.missing' } });
  expect(reads()).toBe(readsBefore + 1);
  await before;
});
