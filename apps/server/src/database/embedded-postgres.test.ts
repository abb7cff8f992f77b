import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, type LauncherLog, startEmbeddedPostgres, stopAbandoned } from './embedded-postgres.ts';
import { parsePasswd } from './postgres-binaries.ts';
import { parsePidFile } from './postgres-cluster.ts';
import { withClient } from './test-database-setup.ts';

const folders: string[] = [];
const quiet: LauncherLog = { info() {}, warn() {} };

afterAll(async () => {
  for (const folder of folders) {
    await stopAbandoned(folder, quiet).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-embedded-'));
  folders.push(folder);
  return folder;
}

const start = (dataDir: string, log = quiet) => startEmbeddedPostgres({ dataDir, log });

async function postmasterPid(dataDir: string): Promise<number> {
  return parsePidFile(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'))?.pid ?? 0;
}

const run = (postgres: EmbeddedPostgres, sql: string) =>
  withClient(postgres.url, async (client) => (await client.query(sql)).rows);

/** A database starts in a second, or in a minute on a busy machine. */
const patienceMs = 120_000;

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > patienceMs) throw new Error(`not within ${patienceMs / 1_000} s: ${what}`);
    await wait(10);
  }
}

/** Another process that starts the database, prints its address and stays. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {}, warn() {} } });
    console.log(url);
    setInterval(() => undefined, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

async function killNow(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('the embedded database', { timeout: 2 * patienceMs }, () => {
  test('the embedded database keeps its rows, its address and its password over a restart', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    await run(first, 'CREATE TABLE things (id integer); INSERT INTO things VALUES (7)');
    await first.stop();
    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    expect(await run(second, 'SELECT id FROM things')).toEqual([{ id: 7 }]);
    await second.stop();
    for (const [name, mode] of [
      ['.', 0o700],
      ['postgres-password', 0o600],
      ['postgres', 0o700],
      ['postgres.log', 0o600],
    ] as const) {
      expect((await stat(join(dataDir, name))).mode & 0o777, name).toBe(mode);
    }
  });

  test('the embedded database listens on the loopback only, requires the password, writes durably and sorts by bytes', async () => {
    const postgres = await start(await newFolder());
    const settings = await run(
      postgres,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes',
        'listen_addresses', 'password_encryption', 'server_encoding') ORDER BY name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    const sorted = await run(
      postgres,
      `SELECT 'B' < 'a' AS bytes, (SELECT string_agg(w, '' ORDER BY w COLLATE "zh-x-icu") FROM (VALUES ('重'), ('阿'), ('波')) v (w)) AS chinese`,
    );
    expect(sorted).toEqual([{ bytes: true, chinese: '阿波重' }]);
    const wrong = new URL(postgres.url);
    wrong.password = 'wrong';
    await expect(withClient(wrong.toString(), (client) => client.query('SELECT 1'))).rejects.toThrow(/password/);
    await postgres.stop();
  });

  test('the embedded database of a killed process is adopted with every acknowledged row', async () => {
    const dataDir = await newFolder();
    const { child, url } = await startElsewhere(dataDir);
    await withClient(url, (client) => client.query('CREATE TABLE things (id integer); INSERT INTO things VALUES (1)'));
    const postmaster = await postmasterPid(dataDir);
    await killNow(child);
    const lines: string[] = [];
    const again = await start(dataDir, { ...quiet, info: (line) => lines.push(line) });
    expect(lines).toEqual(['took over the database that an earlier run left running']);
    expect(await postmasterPid(dataDir)).toBe(postmaster);
    expect(again.url).toBe(url);
    expect(await run(again, 'SELECT id FROM things')).toEqual([{ id: 1 }]);
    await again.stop();
    await expect(run(again, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  test('the embedded database starts after process and database were killed together', async () => {
    const dataDir = await newFolder();
    const { child, url } = await startElsewhere(dataDir);
    await withClient(url, (client) => client.query('CREATE TABLE things (id integer); INSERT INTO things VALUES (1)'));
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    await killNow(child);
    const again = await start(dataDir);
    expect(await run(again, 'SELECT id FROM things')).toEqual([{ id: 1 }]);
    await again.stop();
  });

  test('the embedded database starts when the lock file names a process that is now something else', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(
      lockFile,
      `${process.ppid}\n${join(dataDir, 'postgres')}\n1700000000\n1\n\n127.0.0.1\n\nready   \n`,
    );
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    await chown(lockFile, uid, gid);
    const again = await start(dataDir);
    expect(await run(again, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await again.stop();
  });

  test('the embedded database restarts at the same address when it is killed', async () => {
    const dataDir = await newFolder();
    const postgres = await start(dataDir);
    await run(postgres, 'CREATE TABLE things (id integer); INSERT INTO things VALUES (1)');
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    await until('the database is back', async () =>
      run(postgres, 'SELECT id FROM things').then(
        (rows) => rows.length === 1,
        () => false,
      ),
    );
    await postgres.stop();
  });

  test('the embedded database refuses a folder that a running process uses', async () => {
    const dataDir = await newFolder();
    const postgres = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      `another running Voltdeck works with ${dataDir}; stop it or set another DATA_DIR`,
    );
    expect(await run(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  test('the embedded database listens outside the ephemeral port range, so that its port is still free after a crash', async () => {
    const postgres = await start(await newFolder());
    const lowestOfSystem = 32_768;
    expect(Number(new URL(postgres.url).port)).toBeLessThan(lowestOfSystem);
    await postgres.stop();
  });

  test('the embedded database takes another port when its own is in use', async () => {
    const dataDir = await newFolder();
    const first = await start(dataDir);
    const port = Number(new URL(first.url).port);
    await first.stop();
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const second = await start(dataDir);
    expect(Number(new URL(second.url).port)).not.toBe(port);
    expect(await run(second, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.stop();
    squatter.close();
  });

  test('the embedded database is created again when a first start was cut off half-way', async () => {
    const dataDir = await newFolder();
    await mkdir(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true });
    const postgres = await start(dataDir);
    expect(await run(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  test('the embedded database runs in a folder that only this user may enter', async () => {
    const outer = await newFolder();
    await chmod(outer, 0o700);
    const dataDir = join(outer, 'deep', 'data');
    const postgres = await start(dataDir);
    expect(await run(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    folders.push(dataDir);
  });

  test('the embedded database refuses data of another major version and says what to do', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    await expect(start(dataDir)).rejects.toThrow(/was made by PostgreSQL 14, this is \d+; restore a backup/);
  });

  test('the embedded database names a folder that cannot be used', async () => {
    const dataDir = await newFolder();
    await writeFile(join(dataDir, 'file'), '');
    await expect(start(join(dataDir, 'file'))).rejects.toThrow(`DATA_DIR ${join(dataDir, 'file')} cannot be used: `);
  });

  test('the embedded database names the cause when PostgreSQL does not start', async () => {
    const dataDir = await newFolder();
    await (await start(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
    await cp(join(dataDir, 'postgres', 'PG_VERSION'), join(dataDir, 'postgres', 'global', 'pg_control'));
    await expect(start(dataDir)).rejects.toThrow(/^PostgreSQL did not start: .*(FATAL|PANIC|could not)/);
  });
});

test('a lock file is parsed in any state', () => {
  expect(parsePidFile('42\n/data\n1700000000\n5432\n\n127.0.0.1\n 1 2\nready   \n')).toEqual({
    pid: 42,
    port: 5432,
    ready: true,
  });
  expect(parsePidFile('42\n/data\n1700000000\n5432\n\n127.0.0.1\n 1 2\nstarting\n')).toEqual({
    pid: 42,
    port: 5432,
    ready: false,
  });
  expect(parsePidFile('42\n')).toEqual({ pid: 42, port: null, ready: false });
  expect(parsePidFile('')).toBeNull();
  expect(parsePidFile('-3\n')).toBeNull();
});

test('users are read from a passwd file with gaps', () => {
  expect(parsePasswd('root:x:0:0:root:/root:/bin/sh\n\n# note\nnobody:x:65534:65534::/:\nbroken:x:a:b\n')).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65534, gid: 65534 },
  ]);
});
