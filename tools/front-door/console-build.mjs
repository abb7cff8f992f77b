import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './terminal.mjs';

const consoleDir = join(root, 'apps', 'console');
const stamp = join(root, '.cache', 'console-built');

/**
 * Builds the console unless its sources are unchanged since the last build.
 * @returns {{ ok: true, built: boolean } | { ok: false, output: string }}
 */
export function buildConsole() {
  const wanted = sourcesDigest();
  const last = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (last === wanted && existsSync(join(consoleDir, 'dist', 'index.html'))) return { ok: true, built: false };
  say('Building the console.');
  const ownNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // The page of a QR code is built second: the console's build empties the folder.
  for (const config of ['vite.config.ts', 'vite-charge.config.ts']) {
    const result = spawnSync(
      existsSync(ownNode) ? ownNode : process.execPath,
      [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--config', config, '--logLevel', 'warn'],
      {
        cwd: consoleDir,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, NODE_ENV: 'production' },
      },
    );
    if (result.status !== 0) return { ok: false, output: `${result.stdout}${result.stderr}${result.error ?? ''}` };
  }
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stamp, wanted);
  return { ok: true, built: true };
}

/** Names, sizes and times of everything the build reads: cheap enough for every start, and it notices removals. */
function sourcesDigest() {
  const digest = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const walk = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        walk(path);
      } else if (!/\.test\.tsx?$/.test(entry.name)) {
        const { size, mtimeMs } = statSync(path);
        digest.update(`${path.slice(root.length)}\0${size}\0${mtimeMs}\n`);
      }
    }
  };
  walk(consoleDir);
  walk(join(root, 'packages'));
  return digest.digest('hex');
}
