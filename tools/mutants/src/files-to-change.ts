import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The source files of a package without its tests, by path from the root; only those that differ from `since`, if
 * given.
 * @param named a package, or a file or folder of its source: `charging/charge`, `charging/charge/decide-end`
 */
export async function filesToChange(named: string, since: string | null, root = '.'): Promise<string[]> {
  const [name = '', ...below] = named.split('/');
  const folder = `packages/${name}/src`;
  const wanted = [folder, ...below].join('/');
  const files = (await readdir(join(root, folder), { recursive: true }))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !/\.(test|generated)\.ts$|\/test-[^/]*$/.test(file))
    .filter((file) => file.startsWith(`${wanted}/`) || file === `${wanted}.ts`)
    .sort();
  if (since === null) return files;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const changed = new Set([
    ...git('diff', '--name-only', '--relative', since, '--', folder),
    ...git('ls-files', '--others', '--exclude-standard', '--', folder),
  ]);
  return files.filter((file) => changed.has(file));
}
