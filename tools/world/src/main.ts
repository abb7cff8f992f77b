import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { prepareFirstRun } from '@voltdeck/server/access/first-run';
import { openDatabase } from '@voltdeck/server/database/database';
import { startEmbeddedPostgres } from '@voltdeck/server/database/embedded-postgres';
import { EmbeddedPostgresError } from '@voltdeck/server/database/embedded-postgres-error';
import { MigrationError, migrate } from '@voltdeck/server/database/migrate';
import { describeFault, type Environment, readEnvironment, wrongSettingExitCode } from '@voltdeck/server/environment';
import { instant } from '@voltdeck/units/instant';
import { buildWorld, defaultSeed } from './build-world.ts';
import { demoUsersPath } from './demo-secrets.ts';
import { emptyWorld, isServed } from './empty-world.ts';
import { readMark } from './world-mark.ts';
import { type HistoryNews, writeHistory } from './write-history.ts';
import { isEmpty } from './write-network.ts';

const help = `npm run world:reset [-- --yes] [-- --seed <text>]

Empties the database and makes the demo network anew, with its ninety days of history.
The database is DATABASE_URL, or the embedded one in DATA_DIR. No server may be using it.

  --yes          also where the database holds data that is not a demo
  --seed <text>  another network's history and people; default: "${defaultSeed}"`;

const applicationName = 'voltdeck world';
const usageExitCode = 64;

async function main(): Promise<number> {
  const given = readArguments();
  if (given === null || given.help || given.command !== 'reset') {
    console.log(help);
    return given?.help === true ? 0 : usageExitCode;
  }
  const settings = readEnvironment(process.env);
  if (!settings.ok) {
    for (const fault of settings.error) console.error(describeFault(fault));
    return wrongSettingExitCode;
  }
  try {
    return await reset(settings.value, given);
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError || error instanceof MigrationError)) throw error;
    console.error(error.message);
    return 1;
  }
}

function readArguments(): { command: string | undefined; yes: boolean; seed: string; help: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        yes: { type: 'boolean', default: false },
        seed: { type: 'string', default: defaultSeed },
        help: { type: 'boolean', default: false },
      },
    });
    return { command: positionals[0], ...values };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}

async function reset(settings: Environment, options: { yes: boolean; seed: string }): Promise<number> {
  const { dataDir } = settings;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const postgres = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: console }) : null;
  const url = postgres?.url ?? settings.databaseUrl ?? '';
  try {
    await migrate(url);
    const database = openDatabase(url, { applicationName, statementTimeoutMs: 120_000 });
    try {
      if (await isServed(database.pool, applicationName)) {
        console.error('A server is using this database. Stop it first.');
        return 1;
      }
      const isDemo = (await readMark(database.pool)) !== null;
      if (!isDemo && !options.yes && !(await isEmpty(database.pool))) {
        console.error('This database holds data that is not a demo. --yes empties it all the same.');
        return 1;
      }
      await prepareFirstRun(database.db, settings);
      await emptyWorld(database.pool);
      const now = instant(Date.now());
      const built = await buildWorld(database.pool, { seed: options.seed, now, dataDir });
      if (built.kind !== 'made') throw new Error('the database was filled again in the meantime');
    } finally {
      await database.close();
    }
    await writeHistory(url, { tell, isStopping: () => false });
    console.log(`The demo's users are in ${demoUsersPath(dataDir)}`);
    return 0;
  } finally {
    await postgres?.stop();
  }
}

function tell(news: HistoryNews): void {
  if (news.kind === 'planned') console.log(`${news.orders} orders are planned`);
  if (news.kind === 'written' && news.daysLeft % 15 === 0) console.log(`written back to ${news.date}`);
  if (news.kind === 'done') console.log(`done in ${Math.round(news.tookMs / 1_000)} s`);
}

process.exitCode = await main();
