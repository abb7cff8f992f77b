import type { ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { chooseRunAs, runnablePostgres } from './postgres-binaries.ts';
import {
  type Cluster,
  type Durability,
  ensureCluster,
  isAlive,
  lastLine,
  logLength,
  logSince,
  readPidFile,
  removePidFile,
  spawnPostmaster,
  superuser,
  systemIdentifier,
  worksOnCluster,
} from './postgres-cluster.ts';

/** Where the launcher logs; pino's logger and the console both fit. */
export interface LauncherLog {
  info(text: string): void;
  warn(text: string): void;
}

export interface EmbeddedPostgres {
  /**
   * postgres://… on the loopback, with the generated password: a secret. It stays the same for the life of this
   * process.
   */
  readonly url: string;
  /** Stops PostgreSQL cleanly and waits for its end. Close the pools first: their connections are cut. */
  stop(): Promise<void>;
}

const applicationRole = 'voltdeck';
const applicationDatabase = 'voltdeck';
/** "volt" in ASCII; held while a process uses this cluster, so that no two do. */
const keeperLock = 0x766f6c74;

const startLimitMs = 300_000;
const otherKeeperLimitMs = 3_000;
const pollMs = 10;
const slowStartNoticeMs = 5_000;
const stopLimitMs = 30_000;
const reviveDelayMaxMs = 30_000;

/**
 * Below the range of `listen(0)` and of outgoing connections (Linux from 32768, others from 49152), so that nobody
 * takes the port during a restart.
 */
const freePorts = { from: 10_000, to: 32_767 } as const;
const freePortTriesMax = 100;

interface Running {
  keeper: pg.Client;
  pid: number;
  port: number;
}

/**
 * Starts the PostgreSQL that npm installed, with its data in `dataDir`/postgres, or adopts the one that a killed
 * process left running there. It listens on the loopback only, with a generated password (`dataDir`/postgres-password),
 * and is restarted when it dies.
 * @throws EmbeddedPostgresError when it cannot run here or another process uses the same folder.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: LauncherLog;
  durability?: Durability;
}): Promise<EmbeddedPostgres> {
  const { log, durability = 'durable' } = options;
  const dataDir = resolve(options.dataDir);
  await prepareDataDir(dataDir);
  const directory = join(dataDir, 'postgres');
  const runAs = await chooseRunAs(directory);
  const cluster: Cluster = {
    dataDir,
    directory,
    runAs,
    durability,
    binaries: await runnablePostgres(runAs, dataDir),
  };
  const password = await ensurePassword(dataDir);
  if ((await ensureCluster(cluster, password)) === 'made') log.info(`database created in ${directory}`);

  let running = await bringUp(cluster, password, await rememberedPort(dataDir), 'any', log);
  const { port } = running;
  await writeFile(join(dataDir, 'postgres-port'), `${port}\n`, { mode: 0o600 });
  await ensureApplicationDatabase(running.keeper, password, durability);

  const stopping = new AbortController();
  let reviving: Promise<void> = Promise.resolve();
  const watch = (keeper: pg.Client) => {
    keeper.once('end', () => {
      if (!stopping.signal.aborted) reviving = revive();
    });
  };
  const revive = async () => {
    log.warn('the database went away; restarting it');
    for (let delayMs = 100; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, reviveDelayMaxMs)) {
      try {
        running = await bringUp(cluster, password, port, 'this', log, stopping.signal);
        watch(running.keeper);
        log.info('the database is back');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn(error instanceof Error ? error.message : String(error));
        await wait(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  watch(running.keeper);

  return {
    url: `postgres://${applicationRole}:${password}@127.0.0.1:${port}/${applicationDatabase}`,
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      await reviving;
      await running.keeper.end().catch(() => undefined);
      await stopPostmaster(cluster, running.pid, log);
    },
  };
}

/**
 * Stops what a killed process left running in `dataDir`, if anything.
 * @returns false when a living process still uses it.
 */
export async function stopAbandoned(dataDir: string, log: LauncherLog): Promise<boolean> {
  const directory = join(resolve(dataDir), 'postgres');
  const cluster: Cluster = {
    dataDir,
    directory,
    runAs: await chooseRunAs(directory),
    durability: 'discardable',
    binaries: { directory: '', majorVersion: '' },
  };
  const left = await readPidFile(cluster);
  if (left === null || left.port === null || !worksOnCluster(cluster, left.pid)) return true;
  const keeper = await takeKeeper(cluster, await ensurePassword(dataDir), left.port);
  if (keeper.kind === 'in-use') return false;
  if (keeper.kind === 'taken') await keeper.client.end();
  await stopPostmaster(cluster, left.pid, log);
  return true;
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new EmbeddedPostgresError(
      'data_dir',
      `DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function ensurePassword(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres-password');
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

async function rememberedPort(dataDir: string): Promise<number> {
  const kept = Number(await readFile(join(dataDir, 'postgres-port'), 'utf8').catch(() => ''));
  return Number.isInteger(kept) && kept > 0 && kept < 65_536 && (await isFree(kept)) ? kept : freePort();
}

async function freePort(): Promise<number> {
  for (let tries = 0; tries < freePortTriesMax; tries += 1) {
    const port = randomInt(freePorts.from, freePorts.to + 1);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError(
    'did_not_start',
    `PostgreSQL did not start: no port from ${freePorts.from} to ${freePorts.to} is free`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', () => answer(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });
}

/**
 * Adopts the running postmaster of this cluster, or starts one. `portChoice` `this` insists on the port, because pools
 * already use it.
 */
async function bringUp(
  cluster: Cluster,
  password: string,
  preferredPort: number,
  portChoice: 'any' | 'this',
  log: LauncherLog,
  cancelled?: AbortSignal,
): Promise<Running> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  let port = preferredPort;
  let noticed = false;
  let lastComplaint = '';
  while (elapsedMs() < startLimitMs) {
    cancelled?.throwIfAborted();
    if (!noticed && elapsedMs() > slowStartNoticeMs) {
      noticed = true;
      log.info('waiting for the database; after a crash it replays its log first');
    }
    const found = await readPidFile(cluster);
    if (found !== null && worksOnCluster(cluster, found.pid)) {
      const keeper: Taking =
        found.port === null ? { kind: 'unreachable' } : await takeKeeper(cluster, password, found.port);
      if (keeper.kind === 'taken' && found.port !== null) {
        if (portChoice === 'any' || found.port === port) {
          log.info('took over the database that an earlier run left running');
          return { keeper: keeper.client, pid: found.pid, port: found.port };
        }
        await keeper.client.end();
        await stopPostmaster(cluster, found.pid, log);
      } else if (keeper.kind === 'in-use' && elapsedMs() > otherKeeperLimitMs) {
        throw new EmbeddedPostgresError(
          'in_use',
          `another running Voltdeck works with ${cluster.dataDir}; stop it or set another DATA_DIR`,
        );
      } else if (keeper.kind === 'refused') {
        throw new EmbeddedPostgresError('data_dir', `the database in ${cluster.directory} refuses: ${keeper.because}`);
      }
      await wait(pollMs);
      continue;
    }
    if (found !== null) await removePidFile(cluster);

    const logFrom = await logLength(cluster);
    const child = await spawnPostmaster(cluster, port);
    const started = await untilReady(cluster, child, startLimitMs - elapsedMs());
    if (started === 'ready' && child.pid !== undefined) {
      const keeper = await takeKeeper(cluster, password, port);
      if (keeper.kind === 'taken') return { keeper: keeper.client, pid: child.pid, port };
      if (keeper.kind === 'refused') {
        await stopPostmaster(cluster, child.pid, log);
        throw new EmbeddedPostgresError(
          'data_dir',
          `the database in ${cluster.directory} refuses the password in ${join(cluster.dataDir, 'postgres-password')}: ${keeper.because}`,
        );
      }
      continue;
    }
    const said = await logSince(cluster, logFrom);
    lastComplaint = lastLine(said);
    if (/could not bind|Address already in use/i.test(said)) {
      if (portChoice === 'any') port = await freePort();
    } else if (!/postmaster\.pid|shared memory block/.test(said)) {
      throw new EmbeddedPostgresError('did_not_start', `PostgreSQL did not start: ${logReason(said)}`);
    }
    // What remains of a killed postmaster holds its lock file and memory until it notices the end.
    await wait(pollMs * 10);
  }
  throw new EmbeddedPostgresError(
    'did_not_start',
    `PostgreSQL did not start within ${startLimitMs / 1000} s: ${lastComplaint}`,
  );
}

/** The line with the cause: PostgreSQL follows it with hints and with what it shut down. */
function logReason(said: string): string {
  return said.split('\n').find((line) => /FATAL|PANIC|error/i.test(line)) ?? lastLine(said);
}

async function untilReady(cluster: Cluster, child: ChildProcess, limitMs: number): Promise<'ready' | 'ended'> {
  let ended = child.exitCode !== null;
  child.once('error', () => {
    ended = true;
  });
  child.once('exit', () => {
    ended = true;
  });
  const startedAt = performance.now();
  while (!ended && performance.now() - startedAt < limitMs) {
    const found = await readPidFile(cluster);
    if (found?.pid === child.pid && found?.ready) return 'ready';
    await wait(pollMs);
  }
  return 'ended';
}

type Taking =
  | { kind: 'taken'; client: pg.Client }
  | { kind: 'in-use' }
  | { kind: 'unreachable' }
  | { kind: 'refused'; because: string };

/**
 * Connects, checks that this is our cluster and takes the lock that marks it as in use. Closing the connection releases
 * it.
 */
async function takeKeeper(cluster: Cluster, password: string, port: number): Promise<Taking> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    application_name: 'voltdeck keeper',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // 'end' reports a lost connection; without a listener the error itself would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ identifier: string; taken: boolean }>(
      `SELECT system_identifier::text AS identifier, pg_try_advisory_lock($1) AS taken FROM pg_control_system()`,
      [keeperLock],
    );
    const answer = rows[0];
    if (answer?.identifier !== (await systemIdentifier(cluster))) {
      await client.end();
      return { kind: 'unreachable' };
    }
    if (answer.taken) return { kind: 'taken', client };
    await client.end();
    return { kind: 'in-use' };
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = (error as { code?: string }).code ?? '';
    const wrongPassword = code.startsWith('28');
    return wrongPassword && error instanceof Error
      ? { kind: 'refused', because: error.message }
      : { kind: 'unreachable' };
  }
}

/** The server's role owns its database but is not a superuser, so rights that migrations revoke stay revoked. */
async function ensureApplicationDatabase(keeper: pg.Client, password: string, durability: Durability): Promise<void> {
  const roles = await keeper.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [applicationRole]);
  if (roles.rowCount === 0) {
    // A generated password is base64url and needs no quoting; DDL takes no parameters.
    const mayClone = durability === 'discardable' ? 'CREATEDB' : 'NOCREATEDB';
    await keeper.query(`CREATE ROLE ${applicationRole} LOGIN ${mayClone} PASSWORD '${password}'`);
  }
  const databases = await keeper.query('SELECT 1 FROM pg_database WHERE datname = $1', [applicationDatabase]);
  if (databases.rowCount === 0) {
    await keeper.query(`CREATE DATABASE ${applicationDatabase} OWNER ${applicationRole}`);
  }
}

/**
 * Fast shutdown, then immediate, then kill: none loses a committed row, and the later ones cost a replay at the next
 * start.
 */
async function stopPostmaster(cluster: Cluster, pid: number, log: LauncherLog): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', stopLimitMs],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!(await isStillThere(cluster, pid))) return;
    if (signal !== 'SIGINT') log.warn(`the database has not stopped; sending ${signal}`);
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const askedAt = performance.now();
    while (performance.now() - askedAt < limitMs) {
      if (!(await isStillThere(cluster, pid))) return;
      await wait(pollMs);
    }
  }
}

/** A container without an init process keeps the pid of an ended process, so the lock file counts as well. */
async function isStillThere(cluster: Cluster, pid: number): Promise<boolean> {
  return isAlive(pid) && (await readPidFile(cluster))?.pid === pid;
}
