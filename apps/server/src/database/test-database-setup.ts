import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres, stopAbandoned } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { isAlive } from './postgres-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A role that may create databases, on the server shared by the whole run. */
    testServerUrl: string;
    /** The migrated database that each test's database is cloned from. */
    testTemplate: string;
  }
}

const folderPrefix = 'voltdeck-test-';
/** Several projects name this set-up; the first of a run sets up for all. */
const shared = Symbol.for('voltdeck.test-database');

interface TestServer {
  url: string;
  template: string;
  stop(): Promise<void>;
  users: number;
}

type WithShared = typeof globalThis & { [shared]?: Promise<TestServer> };

/**
 * Vitest's globalSetup: one PostgreSQL for the run, without fsync, in the system's temporary folder, and one migrated
 * template database. `TEST_DATABASE_URL` names another server instead; its role must be allowed to create databases.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const holder = globalThis as WithShared;
  holder[shared] ??= startTestServer();
  const server = await holder[shared];
  server.users += 1;
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', server.template);
  return async () => {
    server.users -= 1;
    if (server.users > 0) return;
    delete holder[shared];
    await server.stop();
  };
}

async function startTestServer(): Promise<TestServer> {
  const run = randomBytes(4).toString('hex');
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    const template = await createTemplate(given, run);
    return { url: given, template, users: 0, stop: () => dropRun(given, run) };
  }
  await sweepAbandoned();
  const dataDir = join(tmpdir(), `${folderPrefix}${run}`);
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, 'runner.pid'), `${process.pid}\n`);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durability: 'discardable',
    log: { info() {}, warn: console.warn },
  });
  return {
    url: postgres.url,
    template: await createTemplate(postgres.url, run),
    users: 0,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops and removes what this user's killed test runs left behind. */
async function sweepAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const dataDir = join(tmpdir(), name);
    const runner = Number(await readFile(join(dataDir, 'runner.pid'), 'utf8').catch(() => ''));
    if (!Number.isInteger(runner) || runner <= 0 || isAlive(runner)) continue;
    if (await stopAbandoned(dataDir, { info() {}, warn: console.warn })) {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

async function createTemplate(serverUrl: string, run: string): Promise<string> {
  const template = `voltdeck_test_${run}_template`;
  await withClient(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`),
  );
  await migrate(databaseUrl(serverUrl, template));
  return template;
}

async function dropRun(serverUrl: string, run: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`voltdeck_test_${run}_`],
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}

/**
 * Drops a database and ends the connections that our own role still holds to it. Not `WITH (FORCE)`, which a role that
 * is not a superuser is refused while autovacuum is at work there; a plain drop ends autovacuum by itself.
 */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user AND pid <> pg_backend_pid()',
    [name],
  );
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

/** Runs one action on a connection of its own. */
export async function withClient<Answer>(url: string, act: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, application_name: 'voltdeck tests' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** The same server and role with another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}
