import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsDir, readMigrations } from '@voltdeck/server/database/migrate';
import { root, say, stopWith } from './terminal.mjs';

/** `npm run db:new -- add_station_photo`: creates the next numbered migration. */
const name = (process.argv[2] ?? '')
  .trim()
  .toLowerCase()
  .replaceAll(/[\s-]+/g, '_');
if (!/^[a-z][a-z0-9_]{2,60}$/.test(name)) {
  stopWith('Name what it does, for example: npm run db:new -- add_station_photo');
}
const number = (await readMigrations(migrationsDir)).length + 1;
const path = join(migrationsDir, `${String(number).padStart(4, '0')}_${name}.sql`);
await writeFile(path, `-- ${name.replaceAll('_', ' ')}\n`, { flag: 'wx' });
say(`${path.slice(root.length + 1)}\nThen: npm run db:types`);
