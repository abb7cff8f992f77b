import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type PostgresBinaries, programPath, type RunAs } from './postgres-binaries.ts';

/** `durable` loses no committed row; `discardable` is for tests, which discard their data. */
export type Durability = 'durable' | 'discardable';

/** One PostgreSQL cluster on this machine's disk. */
export interface Cluster {
  readonly dataDir: string;
  readonly directory: string;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly durability: Durability;
}

/** The content of postmaster.pid (PostgreSQL's src/include/utils/pidfile.h: lines 1, 4 and 8). */
export interface PidFile {
  pid: number;
  port: number | null;
  ready: boolean;
}

export const superuser = 'postgres';

const logBytesMax = 1_000_000;
const logTailBytes = 4_000;

const alwaysSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // No socket file: its folder would have to be reachable for both users, and paths are limited to 107 bytes.
  unix_socket_directories: '',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The server reports its own failed statements; PostgreSQL's log is for what only PostgreSQL knows.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  jit: 'off',
  random_page_cost: '1.1',
};

/** Sized for a small machine: with 2 cores and 2 GB, room remains for the server itself. */
const settingsOf: Record<Durability, Record<string, string>> = {
  durable: {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: '192MB',
    work_mem: '8MB',
    // One parallel search would leave no core to the stations.
    max_parallel_workers_per_gather: '0',
    maintenance_work_mem: '96MB',
    wal_compression: 'on',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    wal_level: 'replica',
  },
  discardable: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '96MB',
    max_connections: '300',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '4GB',
    checkpoint_timeout: '1h',
  },
};

/**
 * The path by which PostgreSQL knows its folder. Another user may be unable to reach it (a project under /root), but a
 * process may always use its working directory, for which Linux has a path.
 */
function pathForPostgres(cluster: Cluster, directory: string): string {
  return cluster.runAs !== null && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Creates the cluster when there is none: UTF-8, locale C (byte order, the same everywhere; ICU collations are
 * available by name), passwords by scram-sha-256. A start that dies half-way leaves nothing that a later one would take
 * for a cluster.
 * @throws EmbeddedPostgresError `did_not_start` when initdb fails, `other_version` when the cluster is another major
 * version's.
 */
export async function ensureCluster(cluster: Cluster, password: string): Promise<'made' | 'there'> {
  const madeBy = await readFile(join(cluster.directory, 'PG_VERSION'), 'utf8').catch(() => null);
  if (madeBy !== null) {
    const current = cluster.binaries.majorVersion;
    if (madeBy.trim() === current) return 'there';
    throw new EmbeddedPostgresError(
      'other_version',
      `the database in ${cluster.directory} was made by PostgreSQL ${madeBy.trim()}, this is ${current}; restore a backup into a new DATA_DIR`,
    );
  }
  const unfinished = `${cluster.directory}.unfinished`;
  const passwordOnce = `${cluster.directory}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordOnce, `${password}\n`, { mode: 0o600 });
  if (cluster.runAs !== null) {
    await chown(unfinished, cluster.runAs.uid, cluster.runAs.gid);
    await chown(passwordOnce, cluster.runAs.uid, cluster.runAs.gid);
  }
  const passwordFile = openSync(passwordOnce, 'r');
  try {
    const reached = pathForPostgres(cluster, unfinished);
    const initdb = spawn(
      programPath(cluster.binaries.directory, 'initdb'),
      [
        `--pgdata=${reached}`,
        `--username=${superuser}`,
        `--pwfile=${reached === unfinished ? passwordOnce : '/proc/self/fd/0'}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(cluster.durability === 'discardable' ? ['--no-sync'] : []),
      ],
      { ...(cluster.runAs ?? {}), cwd: unfinished, env: environment, stdio: [passwordFile, 'ignore', 'pipe'] },
    );
    let complaint = '';
    initdb.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-logTailBytes);
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      initdb.once('error', reject);
      initdb.once('close', resolve);
    });
    if (code !== 0) {
      throw new EmbeddedPostgresError('did_not_start', `initdb failed (${code}): ${lastLine(complaint)}`);
    }
  } finally {
    closeSync(passwordFile);
    await rm(passwordOnce, { force: true });
  }
  await rename(unfinished, cluster.directory);
  return 'made';
}

/**
 * Starts a postmaster, which may not be ready or even come up when this returns. Its output goes to
 * DATA_DIR/postgres.log.
 */
export async function spawnPostmaster(cluster: Cluster, port: number): Promise<ChildProcess> {
  const log = await openLog(cluster);
  try {
    const settings = { ...alwaysSettings, ...settingsOf[cluster.durability], port: String(port) };
    const child = spawn(
      programPath(cluster.binaries.directory, 'postgres'),
      [
        '-D',
        pathForPostgres(cluster, cluster.directory),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...(cluster.runAs ?? {}),
        cwd: cluster.directory,
        env: environment,
        // In a session of its own, so that Ctrl-C in the terminal reaches only the server, which stops the database
        // last.
        detached: true,
        stdio: ['ignore', log, log],
      },
    );
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

async function openLog(cluster: Cluster): Promise<number> {
  const path = logPath(cluster);
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > logBytesMax) await rename(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function logPath(cluster: Cluster): string {
  return join(cluster.dataDir, 'postgres.log');
}

/** The present end of the log, for `logSince`. */
export async function logLength(cluster: Cluster): Promise<number> {
  const size = (await stat(logPath(cluster)).catch(() => null))?.size ?? 0;
  return size > logBytesMax ? 0 : size;
}

/** What PostgreSQL has written to its log since `from`, the last 4,000 bytes at most. */
export async function logSince(cluster: Cluster, from: number): Promise<string> {
  const file = await open(logPath(cluster), 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - logTailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** Reads postmaster.pid; null when it is missing or half-written. */
export async function readPidFile(cluster: Cluster): Promise<PidFile | null> {
  const text = await readFile(pidFilePath(cluster), 'utf8').catch(() => null);
  return text === null ? null : parsePidFile(text);
}

export function parsePidFile(text: string): PidFile | null {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const port = Number(lines[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : null, ready: lines[7]?.trim() === 'ready' };
}

/** Removes a postmaster.pid that belongs to no process of this cluster. */
export async function removePidFile(cluster: Cluster): Promise<void> {
  await rm(pidFilePath(cluster), { force: true });
}

function pidFilePath(cluster: Cluster): string {
  return join(cluster.directory, 'postmaster.pid');
}

/**
 * Whether that process belongs to this cluster. After a restart of the machine or the container, the pid may belong to
 * anything. PostgreSQL's processes work in their cluster's folder, which Linux shows; elsewhere any living process
 * counts.
 */
export function worksOnCluster(cluster: Cluster, pid: number): boolean {
  if (!isAlive(pid) || pid === process.pid) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster.directory);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The identifier that initdb gave the cluster: the first eight bytes of pg_control (PostgreSQL's catalog/pg_control.h).
 */
export async function systemIdentifier(cluster: Cluster): Promise<string> {
  const control = await readFile(join(cluster.directory, 'global', 'pg_control'));
  return control.readBigUInt64LE(0).toString();
}
