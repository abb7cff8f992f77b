import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import type { UserId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase, whileLocked } from '../database/test-database.ts';
import { ExportThread, type ExportThreadOptions } from './export-thread.ts';
import type { Exports, WantedExport } from './exports.ts';
import type { TestedQuery } from './test-exports-main.ts';

/** Ten batches that hardly compress: some 6 MB. */
const many = 10_000;
const few = 30;
let database: Database;
const opened: Exports[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const add = (rows: number, recordKind: string) =>
    database.pool.query(
      `insert into audit_entries (at, action, record_kind, record_id, after)
       select now() - g * interval '1 second', 'user.create', $2, g::text,
              to_jsonb((select string_agg(md5(g::text || n), '') from generate_series(1, 30) n))
         from generate_series(1, $1) g`,
      [rows, recordKind],
    );
  await add(many, 'many');
  await add(few, 'few');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((exports) => exports.close()));
});

function open(options: Partial<ExportThreadOptions> = {}): Exports {
  const exports = new ExportThread({ databaseUrl: database.url, connections: 3, ...options });
  opened.push(exports);
  return exports;
}
const tested = { entry: new URL('./test-exports-main.ts', import.meta.url) };

function wanted(filter: { recordKind: string } & TestedQuery, userId = 1): WantedExport {
  const caller = platformCaller({ userId: userId as UserId });
  return {
    list: 'listAuditEntries',
    caller,
    filter,
    sort: undefined,
    format: 'xlsx',
    at: instant(Date.now()),
    title: 'Audit',
  };
}

/** The numbers of the entries in a file, in order. */
function idsIn(file: Buffer): number[] {
  const name = 'xl/worksheets/sheet1.xml';
  const from = file.indexOf(name) + name.length;
  const packed = file.subarray(from, file.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]), from));
  const sheet = inflateRawSync(packed).toString();
  return [...sheet.matchAll(/<row>.*?<\/row>/g)].slice(1).map(([row]) => Number(/>(\d+)<\/t>/.exec(row)?.[1]));
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The present activity of the thread's connections. */
async function connections(): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    `select state from pg_stat_activity where application_name = 'voltdeck exports' and datname = current_database()`,
  );
  return rows.map(({ state }) => state);
}

/** Blocks exports of the audit log where they read it. */
const whileHeld = (act: () => Promise<void>) => whileLocked(database.pool, 'audit_entries', act);
const isWaiting = () => expect.poll(async () => (await connections()).includes('active')).toBe(true);

function outcomeOf(stream: Readable): Promise<Buffer | Error> {
  return buffer(stream).catch((error: Error) => error);
}

test('rows are read and written while the main thread is busy', async () => {
  const written = new SharedArrayBuffer(4);
  const counted = new Int32Array(written);
  const stream = open(tested).write(wanted({ recordKind: 'few', written }));
  stream.read();
  // Nothing else happens on this thread until the last row was written.
  expect(Atomics.wait(counted, 0, 0, 30_000)).not.toBe('timed-out');
  expect(counted[0]).toBe(few);
  expect(idsIn(await buffer(stream))).toEqual(upTo(few));
});

test('a file of many batches holds every row once and reports each batch', async () => {
  const told: number[] = [];
  const file = await buffer(open().write(wanted({ recordKind: 'many' }), (rows) => told.push(rows)));
  expect(idsIn(file)).toEqual(upTo(many));
  expect(told.filter((rows) => rows > 0)).toEqual(Array.from({ length: many / 1_000 }, () => 1_000));
});

test('a file without rows has the heads', async () => {
  const file = await buffer(open().write(wanted({ recordKind: 'none' })));
  expect(idsIn(file)).toEqual([]);
  expect(file.includes('xl/worksheets/sheet1.xml')).toBe(true);
});

test('the database is not read far ahead of a slow reader', async () => {
  const exports = open();
  let rowsRead = 0;
  const unread = exports.write(wanted({ recordKind: 'many' }, 1), (rows) => {
    rowsRead += rows;
  });
  await new Promise((resolve) => unread.once('readable', resolve));
  // Turns are fair: in as many turns as the second file needed, the first could have finished.
  expect(idsIn(await buffer(exports.write(wanted({ recordKind: 'many' }, 2))))).toHaveLength(many);
  expect(rowsRead).toBeLessThanOrEqual(2_000);
  expect(idsIn(await buffer(unread))).toEqual(upTo(many));
});

test('a short export does not wait for long ones', async () => {
  const exports = open();
  let rowsRead = 0;
  const long = upTo(4).map((userId) =>
    outcomeOf(
      exports.write(wanted({ recordKind: 'many' }, userId), (rows) => {
        rowsRead += rows;
      }),
    ),
  );
  await expect.poll(() => rowsRead, { interval: 1 }).toBeGreaterThan(0);
  expect(idsIn(await buffer(exports.write(wanted({ recordKind: 'few' }, 9))))).toEqual(upTo(few));
  expect(rowsRead).toBeLessThan((4 * many) / 2);
  expect((await Promise.all(long)).every((file) => !(file instanceof Error))).toBe(true);
});

test('a reader who leaves ends the running statement', async () => {
  await whileHeld(async () => {
    const stream = open().write(wanted({ recordKind: 'many' }));
    stream.resume();
    await isWaiting();
    stream.destroy();
    await expect.poll(async () => (await connections()).includes('active'), { timeout: 5_000 }).toBe(false);
  });
});

test("an error in the thread breaks the file off, with the database's code", async () => {
  const exports = open();
  await whileHeld(async () => {
    const file = outcomeOf(exports.write(wanted({ recordKind: 'many' })));
    await isWaiting();
    await database.pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
        where application_name = 'voltdeck exports' and datname = current_database() and state = 'active'`,
    );
    expect(await file).toMatchObject({ code: '57014' });
  });
  expect(idsIn(await buffer(exports.write(wanted({ recordKind: 'few' }))))).toEqual(upTo(few));
});

test('a thread that dies breaks off its files, and the next export starts another', async () => {
  const told: string[] = [];
  const exports = open({ ...tested, log: { error: (_details, text) => told.push(text) } });
  const other = exports.write(wanted({ recordKind: 'many' }));
  const broken = new Promise((resolve) => other.once('error', resolve));
  await new Promise((resolve) => other.once('readable', resolve));
  const killer = outcomeOf(exports.write(wanted({ recordKind: 'few', dies: true })));
  expect(await killer).toMatchObject({ message: 'the thread that writes exports ended' });
  expect(await broken).toMatchObject({ message: 'the thread that writes exports ended' });
  expect(told).toEqual(['the thread that writes exports died']);
  expect(idsIn(await buffer(exports.write(wanted({ recordKind: 'few' }))))).toEqual(upTo(few));
});

test('an idle thread ends, and the next export starts another', async () => {
  const exports = open({ idleMs: 1 });
  for (const _ of [1, 2]) {
    expect(idsIn(await buffer(exports.write(wanted({ recordKind: 'few' }))))).toEqual(upTo(few));
    await expect.poll(connections).toEqual([]);
  }
});

test('closing the server breaks off running exports and refuses new ones', async () => {
  const exports = open();
  await whileHeld(async () => {
    const file = outcomeOf(exports.write(wanted({ recordKind: 'many' })));
    await isWaiting();
    await exports.close();
    expect(await file).toBeInstanceOf(Error);
    expect(await connections()).toEqual([]);
  });
  expect(await outcomeOf(exports.write(wanted({ recordKind: 'few' })))).toBeInstanceOf(Error);
});

// Elsewhere niceness applies to the whole process.
test.runIf(process.platform === 'linux')(
  'the thread has a lower priority than the one that answers stations',
  async () => {
    const niceness = async () => {
      const stats = (await readdir('/proc/self/task')).map(async (thread) => {
        const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '');
        return { thread: Number(thread), niceness: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) };
      });
      return Promise.all(stats);
    };
    const own = getPriority();
    const exports = open();
    expect((await niceness()).every((thread) => thread.niceness === own)).toBe(true);
    await buffer(exports.write(wanted({ recordKind: 'few' })));
    expect((await niceness()).filter((thread) => thread.niceness === Math.min(own + 10, 19))).toHaveLength(1);
    expect((await niceness()).find(({ thread }) => thread === process.pid)?.niceness).toBe(own);
  },
);
