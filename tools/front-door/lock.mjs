import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, stopWith } from './terminal.mjs';

const waitLimitMs = 15 * 60_000;
const pollMs = 200;

/**
 * Lets one process at a time prepare this folder: two npm scripts started together would both install. Takes over the
 * lock of a process that has ended.
 * @param {string} name
 * @returns {() => void} releases the lock
 */
export function holdLock(name) {
  const folder = join(root, '.cache');
  const path = join(folder, `${name}.lock`);
  mkdirSync(folder, { recursive: true });
  const startedAt = Date.now();
  for (let told = false; ; ) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      const release = () => rmSync(path, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(read(path));
    // An empty file is still being written; at the next poll it names its holder.
    if (holder > 0 && !isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (Date.now() - startedAt > waitLimitMs)
      stopWith(`Process ${holder} has been preparing for 15 minutes (${path}).`);
    if (!told) say('Waiting for another command that is preparing this folder.');
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
