import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database/database.ts';
import { laneSizes } from '../database/lanes.ts';
import { freshDatabase, whileLocked } from '../database/test-database.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';

let api: TestApi;
/** A connection beside those of the server. */
let aside: Database;
beforeAll(async () => {
  const database = await freshDatabase({ connectionsMax: laneSizes.console });
  aside = openDatabase(database.url, { connectionsMax: 1 });
  api = await openTestApi({ database });
});
afterAll(async () => {
  await aside.close();
  await api.close();
});

test('people who type in the search leave the others their connections, and each is answered', async () => {
  const permissions = ['order.read', 'station.read', 'customer.read'] as const;
  const tokens = await Promise.all(
    ['anna', 'ben', 'chen'].map(async (name) => (await api.addUser({ name, permissions })).token),
  );
  await api.get('/search?text=first');
  const { pool } = api.database;
  let busyMost = 0;
  const watch = () => {
    busyMost = Math.max(busyMost, pool.totalCount - pool.idleCount);
  };
  pool.on('acquire', watch);
  let searches: Promise<number>[] = [];
  await whileLocked(aside.pool, 'orders', async () => {
    searches = tokens.flatMap((token) =>
      ['a1', 'a12', 'a123', 'a1234'].map(async (text) => (await api.get(`/search?text=${text}`, { token })).status),
    );
    await expect.poll(() => busyMost).toBeGreaterThan(0);
    expect((await api.logIn('admin', 'wrong password')).status).not.toBe(429);
    expect(pool.waitingCount).toBe(0);
  });
  expect(await Promise.all(searches)).toEqual(searches.map(() => 200));
  pool.off('acquire', watch);
  // Two searches over three connections each, and one more for a moment where somebody signs in.
  expect(busyMost).toBeLessThanOrEqual(Math.floor(laneSizes.console / 2) + 1);
});
