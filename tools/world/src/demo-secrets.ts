import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The passwords of the demo's stations are derived from a key of this installation (`DATA_DIR`/demo-key), never from
 * the seed: readers of the source must not be able to sign in as a station.
 */
export async function stationPasswords(dataDir: string): Promise<(stationNumber: string) => string> {
  const path = join(dataDir, 'demo-key');
  let key = (await readFile(path, 'utf8').catch(missing)).trim();
  if (key === '') {
    key = randomBytes(32).toString('base64url');
    await writeFile(path, `${key}\n`, { mode: 0o600 });
  }
  return (number) => createHmac('sha256', key).update(number).digest('base64url').slice(0, 20);
}

/** The file with the names and the shared password of the demo's users. */
export function demoUsersPath(dataDir: string): string {
  return join(dataDir, 'demo-users');
}

/** Generates the demo users' password and writes it to a file with their names, readable only by the owner. */
export async function makeDemoPassword(dataDir: string, users: readonly { userName: string }[]): Promise<string> {
  const password = randomBytes(12).toString('base64url');
  const lines = users.map(({ userName }) => `${userName} ${password}\n`);
  await writeFile(demoUsersPath(dataDir), lines.join(''), { mode: 0o600 });
  return password;
}

function missing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
