import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabases } from './database.ts';
import { laneSizes } from './lanes.ts';
import { freshDatabase } from './test-database.ts';

const own = getPriority();
/** Only Linux shows which process serves which connection. */
const yielded = process.platform === 'linux' ? Math.min(own + 10, 19) : own;

async function pidOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function nicenessOf(pool: pg.Pool): Promise<number> {
  return getPriority(await pidOf(pool));
}

async function groupNicenessOf(pool: pg.Pool): Promise<number> {
  const [, niceness] = (await readFile(`/proc/${await pidOf(pool)}/autogroup`, 'utf8')).split(' nice ');
  return Number(niceness);
}

test("the console's database processes have a lower priority than those of stations and money", async () => {
  const { url } = await freshDatabase();
  const databases = openDatabases(url, laneSizes);
  await expect.poll(() => nicenessOf(databases.console.pool)).toBe(yielded);
  await expect.poll(() => nicenessOf(databases.search.pool)).toBe(yielded);
  expect(await nicenessOf(databases.stations.pool)).toBe(own);
  expect(await nicenessOf(databases.money.pool)).toBe(own);
  await Promise.all(Object.values(databases).map((database) => database.close()));
});

// A kernel with session scheduling weighs the session's niceness against that of other sessions.
test.runIf(existsSync('/proc/self/autogroup'))(
  'the session of a PostgreSQL process that serves people yields its core to stations and money',
  async () => {
    const { url } = await freshDatabase();
    const databases = openDatabases(url, laneSizes);
    await expect.poll(() => groupNicenessOf(databases.console.pool), { timeout: 10_000 }).toBe(yielded);
    expect(await groupNicenessOf(databases.stations.pool)).toBe(0);
    expect(await groupNicenessOf(databases.money.pool)).toBe(0);
    await Promise.all(Object.values(databases).map((database) => database.close()));
  },
);
