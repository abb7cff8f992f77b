import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, migrationsDir, readMigrations } from './migrate.ts';
import { emptyDatabaseUrl } from './test-database.ts';
import { withClient } from './test-database-setup.ts';

/** A database as it was before a migration, with what somebody had in it then, brought up to date. */
export async function migratedWith(before: number, had: string, values: unknown[] = []): Promise<string> {
  const url = await emptyDatabaseUrl();
  const folder = await mkdtemp(join(tmpdir(), 'voltdeck-before-'));
  for (const { number, name } of await readMigrations(migrationsDir)) {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`;
    if (number < before) await copyFile(join(migrationsDir, file), join(folder, file));
  }
  await migrate(url, folder);
  await rm(folder, { recursive: true });
  await withClient(url, (client) => client.query(had, values));
  await migrate(url);
  return url;
}
