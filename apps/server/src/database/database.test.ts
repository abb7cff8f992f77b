import { instant } from '@voltdeck/units/instant';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { alwaysPrepared } from './frequent-statements.ts';
import { InstantParameters } from './instant-parameters.ts';
import { isDatabaseAway } from './is-database-away.ts';
import { createPool, parseBigint, parseTimestamptz } from './pool.ts';
import { emptyDatabaseUrl, freshDatabase } from './test-database.ts';

describe('values', () => {
  test("values are read in the project's types", async () => {
    const { pool } = await freshDatabase();
    const { rows } = await pool.query(`
      SELECT 9007199254740991::bigint AS large, count(*) AS counted,
             '2026-11-21 15:04:05.678901+08'::timestamptz AS instant, '2026-11-21'::date AS day,
             12.340::numeric AS exact, ARRAY[1, NULL]::bigint[] AS numbers,
             ARRAY['2026-11-21T00:00:00Z']::timestamptz[] AS instants`);
    expect(rows[0]).toEqual({
      large: 9007199254740991,
      counted: 1,
      instant: Date.UTC(2026, 10, 21, 7, 4, 5, 678),
      day: '2026-11-21',
      exact: '12.340',
      numbers: [1, null],
      instants: [Date.UTC(2026, 10, 21)],
    });
  });

  test('values are read alike in every time zone of the session', async () => {
    const { pool } = await freshDatabase({ connectionsMax: 1 });
    for (const zone of ['Asia/Shanghai', 'Asia/Kolkata', 'America/St_Johns', 'UTC']) {
      await pool.query(`SET TIME ZONE '${zone}'`);
      const { rows } = await pool.query(`SELECT to_timestamp(1763708645.5) AS instant`);
      expect(rows[0], zone).toEqual({ instant: 1763708645500 });
    }
  });

  test('values that no number holds exactly are an error, never rounded', () => {
    expect(() => parseBigint('9007199254740993')).toThrow(RangeError);
    expect(parseBigint('-9007199254740991')).toBe(-9007199254740991);
    for (const text of ['infinity', '0044-03-15 00:00:00+00 BC', '21/11/2026 00:00:00 UTC']) {
      expect(() => parseTimestamptz(text), text).toThrow(RangeError);
    }
    expect(parseTimestamptz('1890-01-01 00:00:00+08:05')).toBe(Date.parse('1890-01-01T00:00:00+08:05'));
  });
});

describe('an Instant', () => {
  interface Things {
    things: { id: number; at: number; ended_at: number | null; weight: number };
  }

  async function things(): Promise<Kysely<Things>> {
    const url = await emptyDatabaseUrl();
    const db = new Kysely<Things>({
      dialect: new PostgresDialect({ pool: createPool(url, { connectionsMax: 2 }) }),
      plugins: [new InstantParameters()],
    });
    await sql`CREATE TABLE things (id integer, at timestamptz NOT NULL, ended_at timestamptz, weight integer NOT NULL)`.execute(
      db,
    );
    return db;
  }

  const noon = Date.UTC(2026, 10, 21, 12);

  test('an Instant is written and compared as it is read', async () => {
    const db = await things();
    await db
      .insertInto('things')
      .values([
        { id: 1, at: noon, ended_at: null, weight: 5 },
        { id: 2, at: noon + 1, ended_at: noon + 2, weight: 6 },
        { id: 3, at: noon + 9, ended_at: null, weight: 7 },
      ])
      .execute();
    await db
      .insertInto('things')
      .values({ id: 4, at: noon + 10, ended_at: sql<number>`now()`, weight: 8 })
      .execute();
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
    const select = db.selectFrom('things').select('id').orderBy('id');
    expect(ids(await select.where('at', '>=', noon + 9).execute())).toEqual([3, 4]);
    expect(ids(await select.where('things.at', 'in', [noon, noon + 9]).execute())).toEqual([1, 3]);
    expect(ids(await select.where((eb) => eb.between('at', noon + 1, noon + 9)).execute())).toEqual([2, 3]);
    expect(ids(await select.where('ended_at', 'is', null).execute())).toEqual([1, 3]);
    expect(ids(await select.where('weight', '>=', 8).execute())).toEqual([4]);
    await db
      .updateTable('things')
      .set({ ended_at: noon + 20 })
      .where('id', '=', 1)
      .execute();
    await db
      .insertInto('things')
      .values({ id: 5, at: noon, ended_at: null, weight: 1 })
      .onConflict((on) => on.doNothing())
      .execute();
    expect(await db.selectFrom('things').selectAll().where('id', '=', 1).execute()).toEqual([
      { id: 1, at: noon, ended_at: noon + 20, weight: 5 },
    ]);
    await db.destroy();
  });

  test('an Instant keeps its unit through a real table', async () => {
    const { db } = await freshDatabase();
    const at = instant(noon);
    await db
      .insertInto('login_failures')
      .values({ subject: 'somebody', failures: 1, last_failed_at: at, locked_until_at: null })
      .execute();
    const row = await db
      .selectFrom('login_failures')
      .selectAll()
      .where('last_failed_at', '<=', at)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ subject: 'somebody', failures: 1, last_failed_at: at, locked_until_at: null });
  });
});

describe('a fresh database', () => {
  test('a fresh database is migrated, empty and unshared', async () => {
    const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
    await one.db
      .insertInto('login_failures')
      .values({ subject: 'only here', failures: 1, last_failed_at: instant(noonOf2026), locked_until_at: null })
      .execute();
    expect(await two.db.selectFrom('login_failures').selectAll().execute()).toEqual([]);
    const { rows } = await two.pool.query('SELECT count(*) AS applied FROM migrations');
    expect(rows[0].applied).toBeGreaterThan(0);
  });

  test('a fresh database belongs to a role that is not a superuser', async () => {
    const { pool } = await freshDatabase();
    const { rows } = await pool.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
    expect(rows).toEqual([{ rolsuper: false }]);
  });
});

test('a connection keeps no more plans than statements have names, and those that are used', async () => {
  const { pool } = await freshDatabase({ connectionsMax: 1, plansOnce: true });
  const ask = (text: string) => pool.query(`select ${text} where $1::int = 1`, [1]);
  await ask(`'useful'`);
  await ask(`'useful'`);
  for (let count = 0; count < alwaysPrepared.namesMax + 20; count += 1) await ask(String(count));
  const { rows } = await pool.query(
    `select count(*) as plans, count(*) filter (where statement like '%useful%') as useful
       from pg_prepared_statements where name like 'frequent%'`,
  );
  expect(rows).toEqual([{ plans: alwaysPrepared.namesMax, useful: 1 }]);
});

test('plans are freed once, so that statements sent together in a transaction do not fail it', async () => {
  const { pool } = await freshDatabase({ connectionsMax: 1, plansOnce: true });
  const ask = (of: pg.Pool | pg.PoolClient, text: string) => of.query(`select ${text} as text where $1::int = 1`, [1]);
  for (let count = 0; count < alwaysPrepared.namesMax; count += 1) await ask(pool, String(count));
  const client = await pool.connect();
  await client.query('begin');
  const answers = await Promise.all([1, 2, 3, 4].map((count) => ask(client, `'new ${count}'`)));
  await client.query('commit');
  client.release();
  expect(answers.map(({ rows }) => rows[0].text)).toEqual(['new 1', 'new 2', 'new 3', 'new 4']);
});

const noonOf2026 = Date.UTC(2026, 10, 21, 12);

test("a query during the server's closing is answered as for a database that is away", async () => {
  const database = await freshDatabase();
  await database.db.selectFrom('users').select('id').execute();
  await database.close();
  const refusals = await Promise.allSettled([
    database.db.selectFrom('users').select('id').execute(),
    database.pool.query('select 1'),
  ]);
  const reasons = refusals.map((refusal) => (refusal.status === 'rejected' ? refusal.reason : null));
  expect(reasons.map((reason) => [String(reason), isDatabaseAway(reason)])).toEqual([
    ['Error: driver has already been destroyed', true],
    ['Error: Cannot use a pool after calling end on the pool', true],
  ]);
});
