import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';

/** The migrations of this version. */
export const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url));

/** "migrate" as a number: held while migrating, so that nodes that start together take turns. */
const migrationLock = 0x6d696772;
const lockWaitMs = 120_000;
const oldestServerVersion = 150_000;

export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** SHA-256 of the file with its line endings as \n, so that a checkout on Windows has the same one. */
  checksum: string;
}

/** The database cannot be brought to this version; the message is one line for the operator and says what to do. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationError';
  }
}

/**
 * Reads `0001_name.sql`, `0002_…` in order.
 * @throws MigrationError when a number is missing or duplicated or a file is named differently.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => !file.startsWith('.')).sort();
  const migrations: Migration[] = [];
  for (const file of files) {
    const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
    if (match === null) throw new MigrationError(`${file} is not named like a migration (0001_what_it_does.sql)`);
    const number = Number(match[1]);
    if (number !== migrations.length + 1) {
      throw new MigrationError(`migration ${String(migrations.length + 1).padStart(4, '0')} is missing before ${file}`);
    }
    const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({
      number,
      name: match[2] ?? '',
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    });
  }
  return migrations;
}

/**
 * Brings the database at `url` to the version of `directory`, each file in a transaction of its own, recorded with its
 * checksum. Processes that start at the same time wait for the first.
 * @returns the files applied now, in order.
 * @throws MigrationError when the database is unsuitable, newer than this version, or a file was changed after it was
 * applied; a failing file's own error is given with its line.
 */
export async function migrate(url: string, directory = migrationsDir): Promise<Migration[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: url, application_name: 'voltdeck migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkSuitable(client);
    await client.query(`SET lock_timeout = ${lockWaitMs}`);
    try {
      await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      throw new MigrationError(`another process has been migrating this database for ${lockWaitMs / 1000} s`);
    }
    const applied = await applyMissing(client, migrations);
    // The workers' own tables, because jobs may be given before the workers start.
    if (directory === migrationsDir) await runMigrations({ connectionString: url });
    return applied;
  } finally {
    await client.end();
  }
}

async function checkSuitable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; collation: boolean }>(`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_encoding') AS encoding,
           EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'zh-x-icu') AS collation`);
  const server = rows[0];
  if (server === undefined || server.version < oldestServerVersion) {
    throw new MigrationError('PostgreSQL 15 or later is needed');
  }
  if (server.encoding !== 'UTF8') {
    throw new MigrationError(`the database's encoding is ${server.encoding}; create it with ENCODING 'UTF8'`);
  }
  if (!server.collation) {
    throw new MigrationError('the collation zh-x-icu is missing; use a PostgreSQL built with ICU');
  }
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS migrations (
      number     integer PRIMARY KEY,
      name       text NOT NULL,
      checksum   text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const { rows: applied } = await client.query<{ number: number; name: string; checksum: string }>(
    'SELECT number, name, checksum FROM migrations ORDER BY number',
  );
  for (const { number, name, checksum } of applied) {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`;
    const known = migrations[number - 1];
    if (known === undefined) {
      throw new MigrationError(`the database was migrated by a newer version (${file}); run that version`);
    }
    if (known.checksum !== checksum) {
      throw new MigrationError(
        `migration ${file} was changed after it was applied; restore the file and write the change as a new migration`,
      );
    }
  }
  const missing = migrations.slice(applied.length);
  for (const migration of missing) await apply(client, migration);
  return missing;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const file = `${String(migration.number).padStart(4, '0')}_${migration.name}.sql`;
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    if (!(error instanceof pg.DatabaseError)) throw error;
    const line = error.position === undefined ? '' : `:${lineAt(migration.sql, Number(error.position))}`;
    throw new MigrationError(`migration ${file}${line} failed: ${error.message}`);
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position - 1).split('\n').length;
}
