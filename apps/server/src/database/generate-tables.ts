import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeTables } from './describe-tables.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { createPool } from './pool.ts';

/** `npm run db:types`: migrates a throwaway database and writes the types of its tables. */
const target = fileURLToPath(new URL('./tables.generated.ts', import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-types-'));
try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durability: 'discardable',
    log: { info() {}, warn: console.warn },
  });
  try {
    await migrate(postgres.url);
    const pool = createPool(postgres.url);
    await writeFile(target, await describeTables(pool));
    await pool.end();
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`written: ${target}`);
