import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeyFile } from './key-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('starts at once get one key, which stays, and which others cannot read', async () => {
  const path = join(folder, 'key');
  const make = () => randomBytes(32);
  const opened = await Promise.all(Array.from({ length: 20 }, () => openKeyFile(path, make)));
  expect(new Set(opened.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await openKeyFile(path, make)).toEqual(opened[0]);
  expect(await readdir(folder)).toEqual(['key']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a start that ends while it makes the key leaves none behind', async () => {
  const path = join(folder, 'key');
  const dies = () => {
    throw new Error('ended');
  };
  await expect(openKeyFile(path, dies)).rejects.toThrow('ended');
  expect(await readdir(folder)).toEqual([]);
  expect(await openKeyFile(path, () => Buffer.from('key'))).toEqual(Buffer.from('key'));
});
