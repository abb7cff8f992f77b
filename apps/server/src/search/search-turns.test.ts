import type { AddressInfo } from 'node:net';
import { searchRecords as route } from '@voltdeck/contract/search';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, laneOptions, openDatabase } from '../database/database.ts';
import { laneSizes } from '../database/lanes.ts';
import { freshDatabase, whileLocked } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { searchLimits } from './search-records.ts';

let api: TestApi;
/** Connections beside those of the server. */
let aside: Database;
beforeAll(async () => {
  const database = await freshDatabase({ ...laneOptions('search'), connectionsMax: laneSizes.console });
  aside = openDatabase(database.url, { connectionsMax: 2 });
  api = await openTestApi({ database });
});
afterAll(async () => {
  await aside.close();
  await api.close();
});

test('people who type in the search take no more connections than the turns of wide reads allow, and each is answered', async () => {
  const permissions = ['order.read', 'station.read', 'customer.read'] as const;
  const tokens = await Promise.all(
    ['anna', 'ben', 'chen'].map(async (name) => (await api.addUser({ name, permissions })).token),
  );
  await api.get('/search?text=first');
  const { pool } = api.database;
  let searches: Promise<number>[] = [];
  await whileLocked(aside.pool, 'orders', async () => {
    searches = tokens.flatMap((token) =>
      ['a1', 'a12', 'a123', 'a1234'].map(async (text) => (await api.get(`/search?text=${text}`, { token })).status),
    );
    await expect.poll(countWaiting).toBeGreaterThan(0);
    expect((await api.logIn('admin', 'wrong password')).status).not.toBe(429);
    const busy = pool.totalCount - pool.idleCount;
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThanOrEqual(tokens.length * searchLimits.atOnce);
    expect(pool.waitingCount).toBe(0);
  });
  expect(await Promise.all(searches)).toEqual(searches.map(() => 200));
});

test('a search that nobody waits for any more asks nothing more', async () => {
  const { token } = await api.addUser({ name: 'dora', permissions: ['order.read'] });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const { pool } = api.database;
  const asked = recordQueries(pool);
  const path = `${route.path}?text=4711`;
  expect((await api.get(path, { token })).status).toBe(200);
  // As many as are asked at once: all of them wait.
  const begun = Math.min(asked.length, searchLimits.atOnce);
  expect(begun).toBeGreaterThan(0);
  asked.length = 0;
  await whileLocked(aside.pool, 'orders', async () => {
    const leave = new AbortController();
    const answer = fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { token }, signal: leave.signal });
    const left = expect(answer).rejects.toThrow();
    await expect.poll(countWaiting).toBe(begun);
    leave.abort();
    await left;
    // They run out of time, and are then asked one by one of a search that somebody waits for.
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  });
  expect(asked).toHaveLength(begun);
});

/** The queries of searches that the pool is asked from now on. */
function recordQueries(pool: pg.Pool): string[] {
  const asked: string[] = [];
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const text = String(given[0]);
      if (/ orders\b|"orders"/.test(text)) asked.push(text);
      return query(...given);
    }) as typeof client.query;
  });
  return asked;
}

async function countWaiting(): Promise<number> {
  const { rows } = await aside.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_locks where relation = 'orders'::regclass and not granted`,
  );
  return rows[0]?.count ?? 0;
}
