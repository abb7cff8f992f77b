import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { prepareFirstRun } from '@voltdeck/server/access/first-run';
import { passwordMatches } from '@voltdeck/server/access/password';
import { sanitiseArticle } from '@voltdeck/server/content/articles/sanitise-article';
import { type Database, openDatabase } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { createLocalFileStore } from '@voltdeck/server/files/local-file-store';
import { readPictureHeader } from '@voltdeck/server/files/picture-header';
import { proveLedger } from '@voltdeck/server/ledger/prove-ledger';
import { verifyStationPassword } from '@voltdeck/server/stations/station-password';
import { instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adverts } from './adverts.ts';
import { agents } from './agents.ts';
import { articles } from './articles.ts';
import { buildWorld } from './build-world.ts';
import { buildPeople } from './customers.ts';
import { demoUsersPath, stationPasswords } from './demo-secrets.ts';
import { emptyWorld, isServed } from './empty-world.ts';
import { buildFeedback } from './feedback.ts';
import { buildNetwork } from './network.ts';
import { advertPictures, feedbackPictures } from './pictures.ts';
import { readMark } from './world-mark.ts';
import { isEmpty } from './write-network.ts';

const now = instant(Date.UTC(2026, 10, 21, 8, 3));
let dataDir = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-world-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function installed(): Promise<Database> {
  const database = await freshDatabase();
  await prepareFirstRun(database.db, { dataDir, adminPassword: 'a chosen password' });
  return database;
}

const build = (database: Database) => buildWorld(database.pool, { seed: 'a seed', now, dataDir });

async function count(database: Database, table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*) as count from ${table}`);
  return rows[0]?.count ?? 0;
}

describe('making the network', () => {
  test('a statement that takes longer than the server allows its own does not end the making of the network', async () => {
    const database = await installed();
    await database.pool.query(`
      create function take_long() returns trigger language plpgsql as $$
        begin perform pg_sleep(3); return null; end $$;
      create trigger take_long before insert on cards for each statement execute function take_long()`);
    const hurried = openDatabase(database.url, { statementTimeoutMs: 2_000 });
    expect((await build(hurried)).kind).toBe('made');
    await hurried.close();
  });

  test('the demo network fills an empty database once, however often it is requested', async () => {
    const database = await installed();
    const [first, second] = await Promise.all([build(database), build(database)]);
    expect([first.kind, second.kind].sort()).toEqual(['made', 'there']);
    expect((await build(database)).kind).toBe('there');
    expect(await count(database, 'stations')).toBe(300);
    expect(await count(database, 'connectors')).toBe(1_000);
    expect(await count(database, 'customers')).toBe(2_000);
    expect(await count(database, 'cards')).toBe(3_000);
    expect(await count(database, 'vehicles')).toBeGreaterThan(20);
    expect(await proveLedger(database.db)).toMatchObject({ sumFen: 0, mismatches: 0, transfers: 208 });
  });

  test('agents of the demo network have paid in what they recharge their customers from', async () => {
    const database = await installed();
    await build(database);
    const { rows } = await database.pool.query<{ name: string; recorded: number; booked: number }>(
      `select a.name, r.balance_after_fen as recorded, l.balance_fen as booked
         from agents a
         join agent_recharges r on r.agent_id = a.id
         join ledger_accounts l on l.key = 'agent-prepaid:' || a.id`,
    );
    expect(rows).toHaveLength(agents.length);
    for (const { recorded, booked } of rows) {
      expect(booked).toBe(recorded);
      expect(booked).toBeGreaterThanOrEqual(5_000_000);
    }
  });

  test('the demo network leaves a database with data of its own alone', async () => {
    const database = await installed();
    await database.db.insertInto('customers').values({ phone: '13900000000', nickname: 'Somebody' }).execute();
    expect((await build(database)).kind).toBe('in-use');
    expect(await count(database, 'stations')).toBe(0);
    expect(await readMark(database.pool)).toBeNull();
  });

  test('the demo network advances the sequences of its tables beyond its rows, and live orders beyond the history', async () => {
    const database = await installed();
    await build(database);
    const card = await database.db
      .insertInto('cards')
      .values({ number: 'FFFFFFFFFFFFFFFF', physical_number: 'FFFFFFFF' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(card.id).toBeGreaterThan(3_000);
    const { rows } = await database.pool.query<{ order: number; transaction: number }>(
      `select nextval(pg_get_serial_sequence('orders', 'id'))::bigint as order,
              nextval('transaction_numbers')::bigint as transaction`,
    );
    expect(rows[0]?.order).toBeGreaterThan(200_000);
    expect(rows[0]?.transaction).toBeGreaterThan(200_000);
  });

  test('the demo network keeps its secrets in files that only their owner can read, and they match', async () => {
    const database = await installed();
    await build(database);
    const path = demoUsersPath(dataDir);
    for (const secret of [path, join(dataDir, 'demo-key')]) expect((await stat(secret)).mode & 0o777).toBe(0o600);
    const users = (await readFile(path, 'utf8')).trim().split('\n');
    expect(users).toHaveLength(6);
    for (const line of users) {
      const [userName = '', password = ''] = line.split(' ');
      const user = await database.db
        .selectFrom('users')
        .select(['password_hash', 'position_id', 'admin'])
        .where('user_name', '=', userName)
        .executeTakeFirstOrThrow();
      expect(await passwordMatches(password, user.password_hash)).toBe(true);
      expect(user.position_id).not.toBeNull();
      expect(user.admin).toBe(false);
    }
    const passwordOf = await stationPasswords(dataDir);
    const station = await database.db
      .selectFrom('stations')
      .select(['number', 'password_hash'])
      .where('protocol', '=', 'ocpp1.6')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(verifyStationPassword(passwordOf(station.number), station.password_hash ?? '')).toBe(true);
    const { rows } = await database.pool.query(
      'select 1 from stations where protocol = $1 and password_hash is not null',
      ['ykc'],
    );
    expect(rows).toEqual([]);
    expect(passwordOf(station.number)).toHaveLength(20);
    expect(passwordOf('another')).not.toBe(passwordOf(station.number));
  });
});

describe('what the content screens show', () => {
  test('the content of the demo network has its pictures, is harmless, and is the same for the same seed', async () => {
    const database = await installed();
    await build(database);
    const files = createLocalFileStore(join(dataDir, 'files'));
    const pictures = await database.db.selectFrom('files').select(['key', 'size_bytes', 'width_px']).execute();
    expect(pictures.length).toBeGreaterThan(adverts.length);
    for (const { key, size_bytes, width_px } of pictures) {
      const content = await files.open(key);
      if (content === null) throw new Error(`no bytes for ${key}`);
      const bytes = await buffer(content);
      expect([bytes.length, readPictureHeader(bytes)?.widthPx]).toEqual([size_bytes, width_px]);
    }
    const written = await database.db.selectFrom('articles').select(['key', 'content']).orderBy('sort').execute();
    expect(written.map(({ key }) => key)).toEqual(articles.map(({ key }) => key));
    for (const { content } of written) {
      expect(sanitiseArticle(content)).toBe(content);
      expect(content).not.toContain('{');
    }
    const states = await database.db.selectFrom('feedbacks').select(['state']).execute();
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['waiting', 'handled', 'ignored']));
    const network = buildNetwork('a seed', now);
    const people = buildPeople(network);
    expect(buildFeedback(network, people)).toEqual(buildFeedback(network, people));
    for (const draw of [...Object.values(advertPictures), ...Object.values(feedbackPictures)]) {
      expect(draw().png().equals(draw().png())).toBe(true);
    }
  });

  test('the content of the demo network keeps all of the articles’ markup', () => {
    const whole = (html: string) => html.replaceAll(/\s*\n\s*/g, '\n');
    for (const { content } of articles) {
      const kept = sanitiseArticle(content).replaceAll(/ target="_blank" rel="[^"]+"/g, '');
      expect(whole(kept)).toBe(whole(content));
    }
  });
});

describe('emptying it', () => {
  test('emptying the demo network is refused while a server works with the database', async () => {
    const database = await freshDatabase({ applicationName: 'voltdeck world' });
    expect(await isServed(database.pool, 'voltdeck world')).toBe(false);
    const served = openDatabase(database.url);
    const client = await served.pool.connect();
    expect(await isServed(database.pool, 'voltdeck world')).toBe(true);
    client.release();
    await served.close();
  });

  test('emptying the demo network keeps the installation with its administrator, protects the books again, and allows a refill', async () => {
    const database = await installed();
    await build(database);
    await emptyWorld(database.pool);
    expect(await isEmpty(database.pool)).toBe(true);
    expect(await count(database, 'users')).toBe(1);
    for (const table of ['files', 'customers', 'feedbacks'])
      expect([table, await count(database, table)]).toEqual([table, 0]);
    expect(await count(database, 'menus')).toBeGreaterThan(0);
    expect((await build(database)).kind).toBe('made');
    await expect(database.pool.query('delete from ledger_transfers')).rejects.toThrow('append-only');
    await expect(database.pool.query('truncate ledger_postings')).rejects.toThrow('append-only');
  });
});
