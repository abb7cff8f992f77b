import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openKeyFile } from './key-file.ts';

const linking = vi.hoisted(() => ({ refusedBy: null as string | null }));
const syncing = vi.hoisted(() => ({ failsWith: null as string | null, folders: [] as string[] }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const link: typeof real.link = (from, to) =>
    linking.refusedBy === null
      ? real.link(from, to)
      : Promise.reject(Object.assign(new Error('no hard links here'), { code: linking.refusedBy }));
  const openReally = real.open;
  const open: typeof real.open = async (path, flags, mode) => {
    const handle = await openReally(path, flags, mode);
    if (flags !== 'r') return handle;
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      syncing.folders.push(String(path));
      if (syncing.failsWith !== null) throw Object.assign(new Error('no sync here'), { code: syncing.failsWith });
      await sync();
    };
    return handle;
  };
  return { ...real, link, open };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-keys-'));
  syncing.folders = [];
  syncing.failsWith = null;
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

describe('a power cut', () => {
  test('the folder is on disk before the start that makes the key gets it, and before a later one does', async () => {
    const path = join(folder, 'key');
    await openKeyFile(path, () => Buffer.from('key'));
    expect(syncing.folders).toEqual([folder]);
    // The first may have been killed between the two.
    await openKeyFile(path, () => Buffer.from('other'));
    expect(syncing.folders).toEqual([folder, folder]);
  });

  test('nobody gets a key whose folder could not be brought to disk', async () => {
    const path = join(folder, 'key');
    syncing.failsWith = 'EIO';
    await expect(openKeyFile(path, () => Buffer.from('key'))).rejects.toThrow('no sync here');
    await expect(openKeyFile(path, () => Buffer.from('key'))).rejects.toThrow('no sync here');
  });

  test.each(['EINVAL', 'EBADF', 'ENOTSUP'])(
    'a disk that answers %s to the sync of a folder gets its key',
    async (code) => {
      syncing.failsWith = code;
      expect(await openKeyFile(join(folder, 'key'), () => Buffer.from('key'))).toEqual(Buffer.from('key'));
    },
  );
});
