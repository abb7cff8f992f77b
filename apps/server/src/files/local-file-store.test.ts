import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { dayMs, hourMs, instant } from '@voltdeck/units/instant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { KeptBytes } from './file-store.ts';
import { createLocalFileStore } from './local-file-store.ts';
import { sweepFiles } from './sweep-files.ts';

let folder = '';
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltdeck-files-'));
  database = await freshDatabase();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bytesOf = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const everyPath = async (below: string) =>
  (await readdir(below, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function kept(text: string, files = createLocalFileStore(folder)) {
  const put = await files.put(bytesOf(text), { bytesMax: 1_000 });
  if (!put.ok) throw new Error(put.error.code);
  return put.value;
}

describe('the file store', () => {
  test('keeps bytes under a key nobody can guess, readable by the server alone', async () => {
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

  test('stops reading at the limit and leaves nothing', async () => {
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

  test('leaves nothing of what broke off', async () => {
    const below = join(folder, 'broken');
    async function* breaking() {
      yield Buffer.from('half');
      throw new Error('connection lost');
    }
    await expect(createLocalFileStore(below).put(breaking(), { bytesMax: 10_000 })).rejects.toThrow('connection lost');
    expect(await everyPath(below)).toEqual([]);
  });

  test.each(['../../etc/passwd', '..', '', 'A'.repeat(32), `${'a'.repeat(31)}/`, `${'a'.repeat(32)}\n`])(
    'never takes %j for a key',
    async (key) => {
      const files = createLocalFileStore(folder);
      expect(await files.open(key)).toBeNull();
      await expect(files.delete(key)).rejects.toThrow('not a key');
    },
  );
});

describe('the nightly sweep', () => {
  test('deletes bytes without a row, uploads without an end and pictures nobody used, a day later', async () => {
    const below = join(folder, 'swept');
    const files = createLocalFileStore(below);
    const [named, orphan, young] = [
      await kept('named', files),
      await kept('orphan', files),
      await kept('young', files),
    ];
    const [portrait, shown, fresh] = [await kept('a', files), await kept('b', files), await kept('c', files)];
    const now = instant(Date.now());
    const rowOf = (bytes: KeptBytes, purpose: 'document' | 'avatar' | 'feedback', ageMs: number) => ({
      key: bytes.key,
      name: 'named',
      content_type: 'image/png',
      size_bytes: bytes.sizeBytes,
      sha256: bytes.sha256,
      purpose,
      public: false,
      created_at: instant(now - ageMs),
    });
    await database.db
      .insertInto('files')
      .values([
        rowOf(named, 'document', 2 * dayMs),
        rowOf(portrait, 'avatar', 2 * dayMs),
        rowOf(shown, 'feedback', 2 * dayMs),
        rowOf(fresh, 'feedback', hourMs),
      ])
      .execute();
    await database.db
      .insertInto('feedbacks')
      .values({ kind: 'other', description: 'x', picture_keys: [shown.key], created_at: now })
      .execute();
    const long = new Date(now - 2 * dayMs);
    const broken = files.put(
      (async function* () {
        yield Buffer.from('half');
        const [unfinished] = await everyPath(join(below, 'incoming'));
        if (unfinished === undefined) throw new Error('no unfinished file');
        await utimes(unfinished, long, long);
        expect(await sweepFiles({ database, files, now: () => now })).toEqual({ unused: 1, orphans: 1, unfinished: 1 });
      })(),
      { bytesMax: 100 },
    );
    for (const { key } of [named, orphan]) {
      await utimes(join(below, key.slice(0, 2), key.slice(2, 4), key), long, long);
    }
    // Its name is gone by now, so that it cannot be given the final one.
    await expect(broken).rejects.toThrow('ENOENT');
    expect(await files.open(orphan.key)).toBeNull();
    const left = (await everyPath(below)).map((path) => path.split('/').at(-1));
    expect(left.sort()).toEqual([named.key, young.key, shown.key, fresh.key].sort());
  });
});
