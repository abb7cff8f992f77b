import { dayMs, instant } from '@voltdeck/units/instant';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { dropOldPartitions, forgetOldRecords, makeTimePartitions } from './keep-time.ts';

const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const days = (count: number) => instant(now + count * dayMs);
const lateDays = 40;

describe('rows in a default partition', () => {
  test('a row of a month without partitions does not prevent their creation, and moves into its own', async () => {
    const database = await freshDatabase();
    await makeTimePartitions(database.db, now);
    await writeLog(database.pool, lateDays, 'of a clock that runs ahead');
    await writeReading(database.pool, lateDays);
    await writeAudit(database.pool, lateDays);

    expect((await makeTimePartitions(database.db, days(lateDays - 5))).left).toEqual([]);

    expect(await rowsBeside(database, 'interaction_logs_stray', 'interaction_logs_20261231')).toEqual([0, 1]);
    expect(await rowsBeside(database, 'readings_stray', 'readings_20261228')).toEqual([0, 1]);
    expect(await rowsBeside(database, 'audit_entries_stray', 'audit_entries_20261228')).toEqual([0, 1]);
    const { rows } = await database.pool.query('select request from interaction_logs');
    expect(rows).toEqual([{ request: 'of a clock that runs ahead' }]);
  });

  test('the audit log stays append-only, in its default partition and in one that took rows from there', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, now);
    await writeAudit(pool, lateDays);
    await writeAudit(pool, 200);
    await makeTimePartitions(db, days(lateDays - 5));
    await expect(pool.query('delete from audit_entries_20261228')).rejects.toThrow('append-only');
    await expect(pool.query('truncate audit_entries_20261228')).rejects.toThrow('append-only');
    await expect(pool.query('delete from audit_entries_stray')).rejects.toThrow('append-only');
    const { rows } = await pool.query(`insert into audit_entries (at, action, record_kind, record_id)
      values ('2026-12-29', 'a', 'b', 'c') returning id`);
    expect(rows).toEqual([{ id: 3 }]);
  });

  test('a default partition that is being read leaves its range for later, and the others are created', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, now);
    await writeLog(pool, lateDays);
    const reader = await open(pool, 'select * from interaction_logs_stray');
    const work = await makeTimePartitions(db, days(lateDays - 5));
    expect(work.left.length).toBeGreaterThan(0);
    expect(work.left.every(({ partition }) => partition.startsWith('interaction_logs_'))).toBe(true);
    expect(work.done).toBeGreaterThan(2);
    await close(reader);
    expect((await makeTimePartitions(db, days(lateDays - 5))).left).toEqual([]);
  });

  test('two nodes that create the same partitions at once create each of them once', async () => {
    const { db } = await freshDatabase();
    const alone = await makeTimePartitions((await freshDatabase()).db, now);
    const [one, other] = await Promise.all([makeTimePartitions(db, now), makeTimePartitions(db, now)]);
    const rest = await makeTimePartitions(db, now);
    expect(rest.left).toEqual([]);
    expect(one.done + other.done + rest.done).toBe(alone.done);
  });

  test('rows past their retention are also deleted from the default partition', async () => {
    const { db, pool } = await freshDatabase();
    await writeLog(pool, -31, 'too old');
    await writeLog(pool, -29, 'kept');
    await forgetOldRecords(db, now);
    expect((await pool.query('select request from interaction_logs_stray')).rows).toEqual([{ request: 'kept' }]);
  });
});

describe('old partitions', () => {
  test('PostgreSQL does not detach concurrently beside a default partition', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, now);
    await expect(
      pool.query('alter table interaction_logs detach partition interaction_logs_20261121 concurrently'),
    ).rejects.toThrow('cannot detach partitions concurrently when a default partition exists');
  });

  test('a long reader of the whole table delays the drop of an old partition, and writers do not wait for it', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, days(-60));
    await makeTimePartitions(db, now);
    await writeLog(pool, -60);
    const reader = await open(pool, 'select * from interaction_logs');

    const dropping = dropOldPartitions(db, now);
    let isDropping = true;
    const dropped = dropping.finally(() => {
      isDropping = false;
    });
    let slowestMs = 0;
    let written = 0;
    while (isDropping) {
      const before = performance.now();
      await writeLog(pool, 0);
      slowestMs = Math.max(slowestMs, performance.now() - before);
      written += 1;
    }
    const { left } = await dropped;

    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ because }) => because.includes('lock timeout'))).toBe(true);
    expect(written).toBeGreaterThan(1);
    // One wait for a lock is 100 ms; waiting for the reader itself would never end.
    expect(slowestMs).toBeLessThan(2_000);
    expect((await pool.query('select count(*)::int as rows from interaction_logs')).rows[0].rows).toBe(written + 1);
    await close(reader);
    expect((await dropOldPartitions(db, now)).left).toEqual([]);
    expect((await pool.query('select count(*)::int as rows from interaction_logs')).rows[0].rows).toBe(written);
  });

  test('a table that was detached when the process ended is dropped by the next run', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, days(-60));
    await pool.query('alter table interaction_logs detach partition interaction_logs_20260922');
    expect((await dropOldPartitions(db, now)).left).toEqual([]);
    expect(await existing(pool, 'interaction_logs_20260922')).toBe(false);
  });

  test('a table that was detached but is still within retention is attached again with its rows', async () => {
    const { db, pool } = await freshDatabase();
    await makeTimePartitions(db, now);
    await writeLog(pool, 1, 'before');
    await writeAudit(pool, 1);
    await pool.query('alter table interaction_logs detach partition interaction_logs_20261122');
    await pool.query('alter table audit_entries detach partition audit_entries_20261116');
    await writeLog(pool, 1, 'meanwhile');
    expect(await makeTimePartitions(db, now)).toEqual({ done: 2, left: [] });
    const { rows } = await pool.query('select request from interaction_logs_20261122 order by id');
    expect(rows).toEqual([{ request: 'before' }, { request: 'meanwhile' }]);
    await expect(pool.query('delete from audit_entries')).rejects.toThrow('append-only');
    expect((await dropOldPartitions(db, now)).done).toBe(0);
  });
});

function writeLog(pool: pg.Pool, day: number, request = '[]') {
  return pool.query(
    `insert into interaction_logs (at, station_id, protocol, direction, request)
     values (to_timestamp($1 / 1000.0), 1, 'ocpp1.6', 'from-station', $2)`,
    [days(day), request],
  );
}

function writeReading(pool: pg.Pool, day: number) {
  return pool.query(
    `insert into readings (order_id, connector_id, at, received_at)
     values (1, 1, to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0))`,
    [days(day)],
  );
}

function writeAudit(pool: pg.Pool, day: number) {
  return pool.query(
    `insert into audit_entries (at, action, record_kind, record_id) values (to_timestamp($1 / 1000.0), 'a', 'b', 'c')`,
    [days(day)],
  );
}

async function rowsBeside({ pool }: Database, stray: string, part: string): Promise<[number, number]> {
  const { rows } = await pool.query<{ strays: number; parts: number }>(
    `select (select count(*) from ${stray})::int as strays, (select count(*) from ${part})::int as parts`,
  );
  return [rows[0]?.strays ?? -1, rows[0]?.parts ?? -1];
}

async function existing(pool: pg.Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
  return rows[0]?.found === true;
}

/** A reader with an open transaction. */
async function open(pool: pg.Pool, query: string): Promise<pg.PoolClient> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(query);
  return client;
}

async function close(client: pg.PoolClient): Promise<void> {
  await client.query('commit');
  client.release();
}
