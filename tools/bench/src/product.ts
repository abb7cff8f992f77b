import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledDir } from '@voltdeck/front-door/compiled-dir';
import { announcedIn } from '@voltdeck/server/announcement';
import { type Database, openDatabase } from '@voltdeck/server/database/database';
import { startEmbeddedPostgres } from '@voltdeck/server/database/embedded-postgres';
import { migrate } from '@voltdeck/server/database/migrate';

const serverMain = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url));
const readyLimitMs = 60_000;
const tailLength = 4_000;
/** Ten million orders are indexed and vacuumed in single statements. */
const statementTimeoutMs = 3_600_000;
/** The flag of `npm start` (package.json): a small young generation keeps the memory of many idle stations low. */
const execArgv = ['--max-semi-space-size=4'];

/** The whole product as shipped: the server's own process on a database with the product's durability. */
export type Product = {
  database: Database;
  serverPid: number;
  postgresPid: number;
  port: number;
  ykcPort: number;
  stop(): Promise<void>;
};

export type BenchDatabase = { database: Database; postgresPid: number; dataDir: string; close(): Promise<void> };

/** The cleanups of what is running, newest last. */
const running = new Set<() => Promise<void>>();

/** Stops every server and database that a bench left running and removes their data. */
export async function stopEverything(): Promise<void> {
  for (const stop of [...running].reverse()) {
    await stop().catch((error: unknown) => console.error(`could not be stopped: ${String(error)}`));
  }
}

/** A cleanup that runs once, however often it is called, and is known to `stopEverything` until then. */
function endingOnce(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | null = null;
  const once = () => {
    running.delete(once);
    ended ??= end();
    return ended;
  };
  running.add(once);
  return once;
}

/** An empty, migrated PostgreSQL with the product's settings. Its data are removed on closing. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltdeck-bench-'));
  const removeData = endingOnce(() => rm(dataDir, { recursive: true, force: true }));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: (text) => console.error(text) } });
    const stopPostgres = endingOnce(() => postgres.stop());
    try {
      await migrate(postgres.url);
      const database = openDatabase(postgres.url, { statementTimeoutMs });
      const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
      return {
        database,
        dataDir,
        postgresPid: Number(pidFile.split('\n', 1)[0]),
        async close() {
          await database.close();
          await stopPostgres();
          await removeData();
        },
      };
    } catch (error) {
      await stopPostgres();
      throw error;
    }
  } catch (error) {
    await removeData();
    throw error;
  }
}

/** Starts the server on a bench database, after `seed`. */
export async function startProduct(seed: (database: Database) => Promise<void>): Promise<Product> {
  const bench = await openBenchDatabase();
  try {
    await seed(bench.database);
    const server = fork(serverMain, {
      execArgv,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compiledDir,
        DATA_DIR: bench.dataDir,
        DATABASE_URL: bench.database.url,
        PORT: '0',
        YKC_PORT: 'any',
        DEMO: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // A session of its own, as a service has.
      detached: true,
    });
    const said = tailOf(server);
    const stopServer = endingOnce(() => endProcess(server));
    let listening: Listening;
    try {
      listening = await untilReady(server, said);
    } catch (error) {
      await stopServer();
      throw new Error(`${String(error)}; the server said:\n${said()}`);
    }
    return {
      database: bench.database,
      serverPid: server.pid ?? 0,
      postgresPid: bench.postgresPid,
      ...listening,
      async stop() {
        await stopServer();
        await bench.close();
      },
    };
  } catch (error) {
    await bench.close();
    throw error;
  }
}

/** Returns a function for the end of a process's output, for failures. */
function tailOf({ stdout }: ChildProcess): () => string {
  let tail = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-tailLength);
  });
  return () => tail;
}

async function endProcess(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  process.kill('SIGTERM');
  await ended;
}

type Listening = Pick<Product, 'port' | 'ykcPort'>;

/** Resolves with the server's address once it is ready. */
async function untilReady(server: ChildProcess, said: () => string): Promise<Listening> {
  const until = Date.now() + readyLimitMs;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const told = announcedIn(said());
    if (told !== null && (await isReady(told.url))) {
      return { port: Number(new URL(told.url).port), ykcPort: told.ykcPort ?? 0 };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server was not ready within ${readyLimitMs / 1_000} s`);
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
}
