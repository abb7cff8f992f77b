import { getPriority } from 'node:os';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabases } from './database.ts';
import { laneSizes } from './lanes.ts';
import { freshDatabase } from './test-database.ts';

const own = getPriority();
/** Only Linux says which process serves which connection. */
const yielded = process.platform === 'linux' ? Math.min(own + 10, 19) : own;

async function nicenessOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return getPriority(rows[0]?.pid);
}

test('what people ask of the database yields its core to stations and money', async () => {
  const { url } = await freshDatabase();
  const databases = openDatabases(url, laneSizes);
  await expect.poll(() => nicenessOf(databases.console.pool)).toBe(yielded);
  expect(await nicenessOf(databases.stations.pool)).toBe(own);
  expect(await nicenessOf(databases.money.pool)).toBe(own);
  await Promise.all(Object.values(databases).map((database) => database.close()));
});
