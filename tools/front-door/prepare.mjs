// Runs before every npm script, on any Node from 20.19 on and with nothing installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './console-build.mjs';
import { holdLock } from './lock.mjs';
import { installMachinePackages } from './machine-packages.mjs';
import { root, say, stopWith } from './terminal.mjs';

/** The oldest Node that can run this file and npm, and the oldest that runs .ts files directly. */
const bootNode = [20, 19];
const runNode = [22, 18];

const purpose = process.argv[2] ?? 'check';

if (isOlder(process.versions.node, bootNode)) {
  stopWith(`Voltdeck needs Node ${bootNode.join('.')} or later to start; this is ${process.versions.node}.`);
}

const release = holdLock('prepare');
try {
  installPackages();
  checkNode();
  if (purpose === 'test') {
    const missing = installMachinePackages();
    if (missing !== null) say(`${missing} Without them the browser tests fail.`);
  }
  if (purpose === 'machine') {
    const missing = installMachinePackages();
    if (missing !== null) stopWith(missing);
  }
  if (purpose === 'start') {
    const built = buildConsole();
    if (!built.ok) stopWith(`The console could not be built:\n${built.output}`);
  }
} finally {
  release();
}

/** Installs if nothing is installed, or if the lock file has changed since. */
function installPackages() {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.voltdeck-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  const fresh = !existsSync(modules);
  say(fresh ? 'Installing packages; the first time this takes up to a minute.' : 'Installing what changed.');
  // Not `npm ci`: it would empty node_modules under running processes, and it fails where a registry lacks an optional
  // package of another platform.
  const result = npm(['install', '--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']);
  if (result.status !== 0) {
    stopWith(`npm could not install the packages:\n${result.stdout}${result.stderr}${result.error ?? ''}`);
  }
  mkdirSync(modules, { recursive: true });
  // Replace the file instead of rewriting it: copies of the folder by hard links must not share the stamp.
  writeFileSync(`${stamp}.new`, wanted);
  renameSync(`${stamp}.new`, stamp);
}

function npm(args) {
  const script = process.env.npm_execpath ?? '';
  // Other package managers set this to their own path.
  const [program, ...before] = /npm-cli\.[cm]?js$/.test(script) ? [process.execPath, script] : ['npm'];
  return spawnSync(program, [...before, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, npm_config_engine_strict: 'false', npm_config_ignore_scripts: 'false' },
    shell: process.platform === 'win32' && before.length === 0,
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** npm puts node_modules/.bin first in the path, so the following script runs on the Node found here. */
function checkNode() {
  const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(own)) {
    if (!isOlder(process.versions.node, runNode)) return;
    stopWith(
      `Voltdeck brings its own Node for Linux, Windows and Intel Macs, but none for ${process.platform} ${process.arch}. ` +
        `Install Node ${runNode.join('.')} or later; this is ${process.versions.node}.`,
    );
  }
  // If this process already runs on it, it works.
  if (!isOlder(process.versions.node, runNode)) return;
  const trial = spawnSync(own, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  if (trial.status === 0 && !isOlder(trial.stdout.trim().slice(1), runNode)) return;
  stopWith(
    `The Node that Voltdeck brings does not run here (${(trial.error?.message ?? trial.stderr ?? '').trim()}). ` +
      `Install Node ${runNode.join('.')} or later and remove node_modules; this is ${process.versions.node}.`,
  );
}

function isOlder(version, [major, minor]) {
  const [haveMajor, haveMinor] = version.split('.').map(Number);
  return haveMajor < major || (haveMajor === major && haveMinor < minor);
}
