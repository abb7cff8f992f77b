import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, link, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const frontDoor = dirname(fileURLToPath(import.meta.url));
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A repository with the front door, a lock file without packages, and a fake npm that records its calls. */
async function newRepository(npmProgram = "require('fs').appendFileSync('calls', process.argv.slice(2, 3) + '\\n')") {
  const root = await mkdtemp(join(tmpdir(), 'voltdeck-front-door-'));
  folders.push(root);
  await cp(frontDoor, join(root, 'tools', 'front-door'), { recursive: true });
  await writeFile(join(root, 'package-lock.json'), '{}');
  const npm = join(root, 'npm-cli.js');
  await writeFile(npm, npmProgram);
  const prepare = (purpose: string) =>
    spawnSync(process.execPath, [join(root, 'tools', 'front-door', 'prepare.mjs'), purpose], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: npm },
    });
  const calls = async () =>
    (await readFile(join(root, 'calls'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
  return { root, prepare, calls };
}

describe('prepare', () => {
  test('prepare installs once, and again when the lock file changed', async () => {
    const { root, prepare, calls } = await newRepository();
    expect(prepare('check').stdout).toBe('Installing packages; the first time this takes up to a minute.\n');
    expect(prepare('check').stdout).toBe('');
    expect(await calls()).toEqual(['install']);
    await writeFile(join(root, 'package-lock.json'), '{ "packages": {} }');
    expect(prepare('check').stdout).toBe('Installing what changed.\n');
    expect(await calls()).toEqual(['install', 'install']);
  });

  test('a copy of the repository by hard links does not count as installed because the original is', async () => {
    const { root, prepare, calls } = await newRepository();
    prepare('check');
    await link(join(root, 'node_modules', '.voltdeck-installed'), join(root, 'of-the-copy'));
    const before = await readFile(join(root, 'of-the-copy'), 'utf8');
    await writeFile(join(root, 'package-lock.json'), '{ "packages": {} }');
    prepare('check');
    expect(await calls()).toEqual(['install', 'install']);
    expect(await readFile(join(root, 'of-the-copy'), 'utf8')).toBe(before);
  });

  test('prepare says why npm failed, stops, and retries the next time', async () => {
    const { prepare } = await newRepository("console.error('no network'); process.exit(1)");
    for (const attempt of [1, 2]) {
      const { status, stderr } = prepare('check');
      expect([attempt, status]).toEqual([attempt, 1]);
      expect(stderr).toBe('npm could not install the packages:\nno network\n');
    }
  });

  test('prepare builds the console for start once, and again after a change', async () => {
    const { root, prepare } = await newRepository();
    await mkdir(join(root, 'apps', 'console', 'src'), { recursive: true });
    await mkdir(join(root, 'packages'));
    await mkdir(join(root, 'node_modules', 'vite', 'bin'), { recursive: true });
    await writeFile(
      join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
      "const fs = require('fs'); fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/index.html', '')",
    );
    const page = join(root, 'apps', 'console', 'src', 'page.ts');
    await writeFile(page, 'export {}');
    expect(prepare('start').stdout).toContain('Building the console.\n');
    expect(prepare('start').stdout).toBe('');
    await utimes(page, 1, 1);
    expect(prepare('start').stdout).toBe('Building the console.\n');
    await rm(page);
    expect(prepare('start').stdout).toBe('Building the console.\n');
    await writeFile(join(root, 'node_modules', 'vite', 'bin', 'vite.js'), "console.error('bad page'); process.exit(1)");
    await writeFile(page, 'export const = 1');
    const failed = prepare('start');
    expect([failed.status, failed.stderr]).toEqual([1, 'The console could not be built:\nbad page\n']);
  });

  test('prepare waits for another prepare, and takes over from one that was killed', async () => {
    const { root, prepare, calls } = await newRepository();
    await mkdir(join(root, '.cache'));
    await writeFile(join(root, '.cache', 'prepare.lock'), '2147483646');
    expect(prepare('check').status).toBe(0);
    await writeFile(join(root, 'package-lock.json'), '{ "a": 1 }');
    await writeFile(join(root, '.cache', 'prepare.lock'), String(process.pid));
    const waiting = spawn(process.execPath, [join(root, 'tools', 'front-door', 'prepare.mjs'), 'check'], {
      cwd: root,
      env: { ...process.env, npm_execpath: join(root, 'npm-cli.js') },
    });
    const [line] = await once(waiting.stdout, 'data');
    expect(String(line)).toBe('Waiting for another command that is preparing this folder.\n');
    expect(await calls()).toEqual(['install']);
    await rm(join(root, '.cache', 'prepare.lock'));
    expect(await once(waiting, 'exit')).toEqual([0, null]);
    expect(await calls()).toEqual(['install', 'install']);
  });

  test('prepare refuses too old a Node with one line', async () => {
    const { root } = await newRepository();
    const old = join(root, 'old.mjs');
    await writeFile(
      old,
      `Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); await import('./tools/front-door/prepare.mjs')`,
    );
    const { status, stderr } = spawnSync(process.execPath, [old], { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'Voltdeck needs Node 20.19 or later to start; this is 18.20.4.\n']);
  });
});
