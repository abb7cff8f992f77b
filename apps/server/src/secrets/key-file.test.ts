import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openKeyFile } from './key-file.ts';

const linking = vi.hoisted(() => ({ refusedBy: null as string | null }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const link: typeof real.link = (from, to) =>
    linking.refusedBy === null
      ? real.link(from, to)
      : Promise.reject(Object.assign(new Error('no hard links here'), { code: linking.refusedBy }));
  return { ...real, link };
});

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
    linking.refusedBy = code;
    const first = await openKeyFile(path, () => randomBytes(32)).finally(() => {
      linking.refusedBy = null;
    });
    expect(await openKeyFile(path, () => randomBytes(32))).toEqual(first);
    expect(await readdir(folder)).toEqual(['key']);
  },
);
