import { dayMs, type Instant, instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { FileKey } from '../files/file-store.ts';

/** Bytes are stored before their row; a day is longer than any upload or export takes. */
const orphanAgeMs = dayMs;
const keysAtOnce = 500;

/**
 * Deletes bytes without a row in `files`, a day after they arrived: of uploads whose request broke off in between, and
 * of files whose row was deleted when the process ended. Unused portraits and pictures of feedback and sites are deleted
 * as well, since nobody manages those.
 * @returns how many were deleted.
 */
export async function sweepFiles({ database: { db }, files, now }: Pick<Context, 'database' | 'files' | 'now'>) {
  const before = instant(now() - orphanAgeMs);
  const unused = await deleteUnused(db, before);
  for (const key of unused) await files.delete(key);
  let orphans = 0;
  const sweep = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const known = await db.selectFrom('files').select('key').where('key', 'in', keys).execute();
    const named = new Set(known.map(({ key }) => key));
    for (const key of keys) {
      if (named.has(key)) continue;
      await files.delete(key);
      orphans += 1;
    }
  };
  let old: string[] = [];
  for await (const { key, keptAt } of files.list()) {
    if (keptAt >= before) continue;
    old.push(key);
    if (old.length < keysAtOnce) continue;
    await sweep(old);
    old = [];
  }
  await sweep(old);
  return { unused: unused.length, orphans, unfinished: await files.deleteUnfinished(before) };
}

async function deleteUnused(db: Kysely<Tables>, before: Instant): Promise<FileKey[]> {
  const deleted = await db
    .deleteFrom('files')
    .where('created_at', '<', before)
    .where((eb) =>
      eb.or([
        eb('purpose', '=', 'avatar').and(
          eb.not(eb.exists(eb.selectFrom('users').select('id').whereRef('avatar_file_id', '=', 'files.id'))),
        ),
        eb('purpose', '=', 'feedback').and(
          eb.not(
            eb.exists(eb.selectFrom('feedbacks').select('id').where(sql<boolean>`picture_keys @> array[files.key]`)),
          ),
        ),
        eb('purpose', '=', 'site').and(
          eb.not(eb.exists(eb.selectFrom('site_pictures').select('site_id').whereRef('file_id', '=', 'files.id'))),
        ),
      ]),
    )
    .returning('key')
    .execute();
  return deleted.map(({ key }) => key);
}
