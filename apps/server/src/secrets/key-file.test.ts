import { randomBytes } from 'node:crypto';
import { link, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncFolder } from '../sync-folder.ts';
import { openKeyFile } from './key-file.ts';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error('not on this disk'), { code }));

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

test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'a folder whose disk answers %s to links gets its key',
  async (code) => {
    const path = join(folder, 'key');
    const disk = { link: failing(code), syncFolder };
    const first = await openKeyFile(path, () => randomBytes(32), disk);
    expect(await openKeyFile(path, () => randomBytes(32))).toEqual(first);
    expect(await readdir(folder)).toEqual(['key']);
  },
);

describe('a power cut', () => {
  test('the folder is on disk before the start that makes the key gets it, and before a later one does', async () => {
    const path = join(folder, 'key');
    const synced: string[] = [];
    const disk = {
      link,
      async syncFolder(of: string) {
        synced.push(of);
        expect(await readFile(path, 'utf8')).toBe('key');
      },
    };
    await openKeyFile(path, () => Buffer.from('key'), disk);
    expect(synced).toEqual([folder]);
    // The first may have been killed between the two.
    await openKeyFile(path, () => Buffer.from('other'), disk);
    expect(synced).toEqual([folder, folder]);
  });

  test('nobody gets a key whose folder could not be brought to disk', async () => {
    const path = join(folder, 'key');
    const disk = { link, syncFolder: failing('EIO') };
    await expect(openKeyFile(path, () => Buffer.from('key'), disk)).rejects.toThrow('not on this disk');
    await expect(openKeyFile(path, () => Buffer.from('key'), disk)).rejects.toThrow('not on this disk');
  });
});
