import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalFileStore } from './local-file-store.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bytesOf = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const everyPath = async (below: string) =>
  (await readdir(below, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the file store', () => {
  test('the file store keeps bytes under an unguessable key, readable by the server alone', async () => {
    const files = createLocalFileStore(folder);
    const put = await files.put(bytesOf('one ', 'two'), { bytesMax: 7 });
    if (!put.ok) throw new Error('refused');
    const { key, sizeBytes, sha256 } = put.value;
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(sizeBytes).toBe(7);
    expect(sha256).toEqual(createHash('sha256').update('one two').digest());
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, key.slice(0, 2)))).mode & 0o777).toBe(0o700);
    const content = await files.open(key);
    if (content === null) throw new Error('not there');
    expect((await buffer(content)).toString()).toBe('one two');
    await files.delete(key);
    expect(await files.open(key)).toBeNull();
    await files.delete(key);
  });

  test('the file store stops reading at the limit and leaves nothing', async () => {
    const below = join(folder, 'limited');
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield Buffer.alloc(1_000);
      }
    }
    const put = await createLocalFileStore(below).put(endless(), { bytesMax: 10_000 });
    expect(put).toEqual({ ok: false, error: { code: 'too_large' } });
    expect(read).toBe(11);
    expect(await everyPath(below)).toEqual([]);
  });

  test('the file store keeps nothing of a broken transfer', async () => {
    const below = join(folder, 'broken');
    async function* breaking() {
      yield Buffer.from('half');
      throw new Error('connection lost');
    }
    await expect(createLocalFileStore(below).put(breaking(), { bytesMax: 10_000 })).rejects.toThrow('connection lost');
    expect(await everyPath(below)).toEqual([]);
  });

  test.each(['../../etc/passwd', '..', '', 'A'.repeat(32), `${'a'.repeat(31)}/`, `${'a'.repeat(32)}\n`])(
    'the file store never accepts %j as a key',
    async (key) => {
      const files = createLocalFileStore(folder);
      expect(await files.open(key)).toBeNull();
      await expect(files.delete(key)).rejects.toThrow('not a key');
    },
  );
});
