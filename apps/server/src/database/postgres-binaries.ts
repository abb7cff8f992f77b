import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * The user that runs PostgreSQL; null is this process's own. PostgreSQL refuses to run as root, so root names another.
 */
export type RunAs = { uid: number; gid: number } | null;

const trialTimeoutMs = 10_000;

/**
 * Chooses the user that runs PostgreSQL. Root takes the owner of an existing cluster, else `postgres`, `nobody`, or the
 * first other user of /etc/passwd (initdb looks up its user by name, so a bare number would not do).
 * @throws EmbeddedPostgresError when root finds no other user.
 */
export async function chooseRunAs(clusterDir: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(join(clusterDir, 'PG_VERSION')).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const candidates = parsePasswd(await readFile('/etc/passwd', 'utf8')).filter(({ uid }) => uid !== 0);
  const chosen =
    candidates.find(({ name }) => name === 'postgres') ??
    candidates.find(({ name }) => name === 'nobody') ??
    candidates[0];
  if (chosen === undefined) {
    throw new EmbeddedPostgresError(
      'no_user',
      'PostgreSQL does not run as root and /etc/passwd names no other user; add one or set DATABASE_URL',
    );
  }
  return { uid: chosen.uid, gid: chosen.gid };
}

/** The entries of a passwd file that have a numeric user and group. */
export function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** A folder with bin/, lib/ and share/, and the major version ("18") that its programs report. */
export interface PostgresBinaries {
  directory: string;
  majorVersion: string;
}

/**
 * The PostgreSQL that npm installed for this platform, tested to run as `runAs`. It is a copy where that user cannot
 * reach node_modules (a project under /root), or where the library links are missing and cannot be created (installed
 * without scripts by another user).
 * @throws EmbeddedPostgresError when there is no PostgreSQL for this platform or none that runs.
 */
export async function runnablePostgres(runAs: RunAs, dataDir: string): Promise<PostgresBinaries> {
  const installed = installedPostgres();
  await linkLibraries(installed.directory).catch(() => undefined);
  const inPlace = runs(installed.directory, runAs);
  if (inPlace.ok) return inPlace.value;
  // /var/cache outlives a restart and only root writes there; an ordinary user has the data folder.
  const parents = runAs === null ? [dataDir] : ['/var/cache', tmpdir()];
  const refusals = [`${installed.directory}: ${inPlace.error}`];
  for (const parent of parents) {
    const copied = await copyTo(join(parent, installed.name), installed.directory, runAs);
    if (copied.ok) return copied.value;
    refusals.push(`${parent}: ${copied.error}`);
  }
  throw new EmbeddedPostgresError('does_not_run', `PostgreSQL does not run here (${refusals.join('; ')})`);
}

function installedPostgres(): { directory: string; name: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new EmbeddedPostgresError(
      'not_installed',
      `no embedded PostgreSQL is installed for ${platform}; set DATABASE_URL to a PostgreSQL 15 or later`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = require(join(root, 'package.json')) as { version: string };
  return { directory: join(root, 'native'), name: `voltdeck-postgres-${version}-${platform}` };
}

/** npm packs no symbolic links; the package lists them and creates them in an install script, which may be disabled. */
async function linkLibraries(directory: string): Promise<void> {
  const list = join(directory, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(directory), target);
    if (existsSync(path)) continue;
    await symlink(relative(dirname(path), join(dirname(directory), source)), path).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Runs the programs as that user, the only check that detects folders it may not enter, noexec disks and missing
 * libraries.
 */
function runs(directory: string, runAs: RunAs): Result<PostgresBinaries, string> {
  let majorVersion = '';
  for (const program of ['postgres', 'initdb']) {
    const trial = spawnSync(programPath(directory, program), ['--version'], {
      ...(runAs ?? {}),
      cwd: '/',
      encoding: 'utf8',
      timeout: trialTimeoutMs,
    });
    if (trial.status !== 0) return failed(trial.error?.message ?? (trial.stderr.trim() || `exit ${trial.status}`));
    majorVersion = /\) (\d+)/.exec(trial.stdout)?.[1] ?? majorVersion;
  }
  return ok({ directory, majorVersion });
}

/** @returns the path of a program of that PostgreSQL. */
export function programPath(directory: string, program: string): string {
  return join(directory, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
}

/** Copies the installed PostgreSQL to `place`/native once; later starts find it there. */
async function copyTo(place: string, from: string, runAs: RunAs): Promise<Result<PostgresBinaries, string>> {
  try {
    if (!existsSync(place)) {
      const unfinished = `${place}.${randomBytes(6).toString('hex')}`;
      try {
        await cp(from, join(unfinished, 'native'), {
          recursive: true,
          verbatimSymlinks: true,
          mode: constants.COPYFILE_FICLONE,
        });
        await openToAll(unfinished);
        await rename(unfinished, place);
      } finally {
        await rm(unfinished, { recursive: true, force: true });
      }
    }
    const owned = await stat(place);
    if ((owned.uid !== 0 && owned.uid !== process.getuid?.()) || (owned.mode & 0o022) !== 0) {
      return failed('somebody else may write there');
    }
    const directory = join(place, 'native');
    await linkLibraries(directory);
    return runs(directory, runAs);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Makes everything readable for all users and writable for the owner alone; under a strict umask, npm installs files
 * that only root reads.
 */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
