import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, expect, inject } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import type { PoolOptions } from './pool.ts';
import { databaseUrl, dropDatabase, withClient } from './test-database-setup.ts';

const opened: { database: Database; name: string }[] = [];

/**
 * A migrated, empty database for the caller alone, cloned from the run's template (a tenth of a second). It is dropped
 * when the test file ends or when `close()` is called before.
 *
 *     const database = await freshDatabase();   // at the top of a file, in beforeEach or in a test
 */
export async function freshDatabase(options: PoolOptions = {}): Promise<Database> {
  const { url, name } = await clone();
  const database = openDatabase(url, { connectionsMax: 5, ...options });
  opened.push({ database, name });
  return database;
}

/** An empty database without any table, for tests of migrations themselves. */
export async function emptyDatabaseUrl(): Promise<string> {
  const name = newName();
  const serverUrl = inject('testServerUrl');
  await withClient(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`),
  );
  const url = databaseUrl(serverUrl, name);
  opened.push({ database: openDatabase(url), name });
  return url;
}

async function clone(): Promise<{ url: string; name: string }> {
  const name = newName();
  const serverUrl = inject('testServerUrl');
  const template = inject('testTemplate');
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return { url: databaseUrl(serverUrl, name), name };
}

/** Locks the table against readers and writers until the act is over. Holds one connection of the pool meanwhile. */
export async function whileLocked(pool: pg.Pool, table: string, act: () => Promise<void>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    await act();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

/**
 * Changes rows without committing, begins the act, and commits when the act waits for a lock or has ended. The answer is
 * the act's. Holds one connection of the pool meanwhile.
 */
export async function whileChanging<Answer>(
  pool: pg.Pool,
  [statement, values]: readonly [statement: string, values: unknown[]],
  act: () => Promise<Answer>,
): Promise<Answer> {
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query(statement, values);
    let isThrough = false;
    const answer = act().finally(() => {
      isThrough = true;
    });
    const isWaiting = async () =>
      (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .rowCount !== 0;
    await expect.poll(async () => isThrough || (await isWaiting()), { timeout: 10_000 }).toBe(true);
    await holder.query('commit');
    return await answer;
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

function newName(): string {
  return inject('testTemplate').replace(/template$/, randomBytes(6).toString('hex'));
}

/** Set-up file of the projects with a database: closes whatever a test file opened. */
export function closeFreshDatabasesAfterAll(): void {
  afterAll(async () => {
    const gone = opened.splice(0);
    await Promise.all(gone.map(({ database }) => database.close()));
    if (gone.length === 0) return;
    await withClient(inject('testServerUrl'), async (client) => {
      for (const { name } of gone) await dropDatabase(client, name);
    });
  });
}
