import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { dayMs, hourMs, instant } from '@voltdeck/units/instant';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../database/test-database.ts';
import type { KeptBytes } from '../files/file-store.ts';
import { createLocalFileStore } from '../files/local-file-store.ts';
import { sweepFiles } from './sweep-files.ts';

const everyPath = async (below: string) =>
  (await readdir(below, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('the nightly sweep deletes bytes without a row, unfinished uploads and unused pictures, after a day', async () => {
  const below = await mkdtemp(join(tmpdir(), 'voltdeck-swept-'));
  onTestFinished(() => rm(below, { recursive: true, force: true }));
  const database = await freshDatabase();
  const files = createLocalFileStore(below);
  const keep = async (text: string): Promise<KeptBytes> => {
    const put = await files.put(Readable.from([Buffer.from(text)]), { bytesMax: 1_000 });
    if (!put.ok) throw new Error(put.error.code);
    return put.value;
  };
  const [named, orphan, young] = [await keep('named'), await keep('orphan'), await keep('young')];
  const [portrait, shown, fresh] = [await keep('a'), await keep('b'), await keep('c')];
  const [pictured, unpictured] = [await keep('d'), await keep('e')];
  const now = instant(Date.now());
  const rowOf = (bytes: KeptBytes, purpose: 'document' | 'avatar' | 'feedback' | 'site', ageMs: number) => ({
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
      rowOf(pictured, 'site', 2 * dayMs),
      rowOf(unpictured, 'site', 2 * dayMs),
    ])
    .execute();
  await database.db
    .insertInto('feedbacks')
    .values({ kind: 'other', description: 'x', picture_keys: [shown.key], created_at: now })
    .execute();
  const { id: siteId } = await database.db
    .insertInto('sites')
    .values({ name: 'x', region_code: '330106', address: 'x', longitude: 120, latitude: 30 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: fileId } = await database.db
    .selectFrom('files')
    .select('id')
    .where('key', '=', pictured.key)
    .executeTakeFirstOrThrow();
  await database.db
    .insertInto('site_pictures')
    .values({ site_id: siteId, place: 1, file_id: fileId, slot: 'sign' })
    .execute();
  const long = new Date(now - 2 * dayMs);
  const broken = files.put(
    (async function* () {
      yield Buffer.from('half');
      const [unfinished] = await everyPath(join(below, 'incoming'));
      if (unfinished === undefined) throw new Error('no unfinished file');
      await utimes(unfinished, long, long);
      expect(await sweepFiles({ database, files, now: () => now })).toEqual({ unused: 2, orphans: 1, unfinished: 1 });
    })(),
    { bytesMax: 100 },
  );
  for (const { key } of [named, orphan]) {
    await utimes(join(below, key.slice(0, 2), key.slice(2, 4), key), long, long);
  }
  // Its temporary name is gone, so it can no longer get the final one.
  await expect(broken).rejects.toThrow('ENOENT');
  expect(await files.open(orphan.key)).toBeNull();
  const left = (await everyPath(below)).map((path) => path.split('/').at(-1));
  expect(left.sort()).toEqual([named.key, young.key, shown.key, fresh.key, pictured.key].sort());
});
