import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { migrate, readMigrations } from './migrate.ts';
import { emptyDatabaseUrl } from './test-database.ts';
import { withClient } from './test-database-setup.ts';

const folders: string[] = [];

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const rows = (url: string, sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);

describe('migrations', () => {
  test('migrations are applied in order, once', async () => {
    const url = await emptyDatabaseUrl();
    const folder = await folderOf({
      '0002_second.sql': 'ALTER TABLE things ADD COLUMN weight integer NOT NULL DEFAULT 3;',
      '0001_first.sql': 'CREATE TABLE things (id integer PRIMARY KEY); INSERT INTO things VALUES (1);',
    });
    expect((await migrate(url, folder)).map(({ name }) => name)).toEqual(['first', 'second']);
    expect(await migrate(url, folder)).toEqual([]);
    expect(await rows(url, 'SELECT * FROM things')).toEqual([{ id: 1, weight: 3 }]);
    expect(await rows(url, 'SELECT number, name FROM migrations ORDER BY number')).toEqual([
      { number: 1, name: 'first' },
      { number: 2, name: 'second' },
    ]);
  });

  test('migrations run once when several processes start together', async () => {
    const url = await emptyDatabaseUrl();
    const folder = await folderOf({
      '0001_first.sql': 'CREATE TABLE things (id integer); SELECT pg_sleep(0.05);',
      '0002_second.sql': 'INSERT INTO things VALUES (1);',
    });
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folder)));
    expect(applied.map((list) => list.length).sort()).toEqual([0, 0, 0, 2]);
    expect(await rows(url, 'SELECT count(*)::int AS count FROM things')).toEqual([{ count: 1 }]);
  });

  test('a migration that fails leaves nothing and its line is named', async () => {
    const url = await emptyDatabaseUrl();
    const folder = await folderOf({
      '0001_first.sql': 'CREATE TABLE things (id integer);',
      '0002_broken.sql': 'CREATE TABLE others (id integer);\nCREATE TABLE things (id integer);\nSELECT wrong;',
    });
    await expect(migrate(url, folder)).rejects.toThrow(/0002_broken\.sql.* failed: relation "things" already exists/);
    expect(await rows(url, "SELECT to_regclass('others') AS others")).toEqual([{ others: null }]);
    expect(await rows(url, 'SELECT number FROM migrations')).toEqual([{ number: 1 }]);
  });

  test('a migration that was changed after it was applied is refused', async () => {
    const url = await emptyDatabaseUrl();
    await migrate(url, await folderOf({ '0001_first.sql': 'SELECT 1;' }));
    await expect(migrate(url, await folderOf({ '0001_first.sql': 'SELECT 2;' }))).rejects.toThrow(
      'migration 0001_first.sql was changed after it was applied; restore the file and write the change as a new migration',
    );
  });

  test('a migration with other line endings counts as unchanged', async () => {
    const url = await emptyDatabaseUrl();
    await migrate(url, await folderOf({ '0001_first.sql': 'SELECT 1;\nSELECT 2;\n' }));
    expect(await migrate(url, await folderOf({ '0001_first.sql': 'SELECT 1;\r\nSELECT 2;\r\n' }))).toEqual([]);
  });

  test('a database of a newer version is refused', async () => {
    const url = await emptyDatabaseUrl();
    await migrate(url, await folderOf({ '0001_first.sql': 'SELECT 1;', '0002_second.sql': 'SELECT 1;' }));
    await expect(migrate(url, await folderOf({ '0001_first.sql': 'SELECT 1;' }))).rejects.toThrow(
      'the database was migrated by a newer version (0002_second.sql); run that version',
    );
  });

  test('migrations must be numbered without a gap and named by the pattern', async () => {
    await expect(readMigrations(await folderOf({ '0002_second.sql': '' }))).rejects.toThrow(
      'migration 0001 is missing before 0002_second.sql',
    );
    await expect(readMigrations(await folderOf({ '0001_a.sql': '', '0001_b.sql': '' }))).rejects.toThrow(
      'migration 0002 is missing before 0001_b.sql',
    );
    await expect(readMigrations(await folderOf({ 'first.sql': '' }))).rejects.toThrow(
      'first.sql is not named like a migration (0001_what_it_does.sql)',
    );
  });
});
