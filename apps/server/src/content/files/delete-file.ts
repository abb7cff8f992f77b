import type { ApiError } from '@voltdeck/contract/errors';
import type { FileId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import type { FileKey } from '../../files/file-store.ts';
import { findFile } from './queries.ts';

/**
 * Deletes a file that no advert, article, site, portrait, agent or feedback uses.
 * @returns the key of the bytes to delete after the commit.
 */
export async function deleteFile(
  trx: Trx,
  caller: Caller,
  id: FileId,
  at: Instant,
): Promise<Result<{ key: FileKey }, ApiError>> {
  const before = await findFile(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const { key, name, purpose } = before;
  // A request that is about to use it holds a lock on the row until it is done.
  await trx.selectFrom('files').select('id').where('id', '=', id).forUpdate().execute();
  const used = await trx
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('adverts').select('id').where('picture_file_id', '=', id)).as('byAdvert'),
      eb.exists(eb.selectFrom('users').select('id').where('avatar_file_id', '=', id)).as('byUser'),
      eb.exists(eb.selectFrom('agents').select('id').where('licence_file_id', '=', id)).as('byAgent'),
      eb.exists(eb.selectFrom('grid_bills').select('id').where('file_id', '=', id)).as('byGridBill'),
      eb.exists(eb.selectFrom('site_pictures').select('site_id').where('file_id', '=', id)).as('bySite'),
      eb.exists(eb.selectFrom('articles').select('id').where('content', 'like', `%/${key}/%`)).as('byArticle'),
      eb
        .exists(eb.selectFrom('feedbacks').select('id').where(sql<boolean>`picture_keys @> array[${key}]::text[]`))
        .as('byFeedback'),
    ])
    .executeTakeFirstOrThrow();
  if (Object.values(used).some((is) => is)) return failed({ code: 'file.in_use' });
  await trx.deleteFrom('files').where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'file.delete',
    recordKind: 'file',
    recordId: id,
    before: { name, purpose, description: before.description, sizeBytes: before.sizeBytes },
  });
  return ok({ key });
}
