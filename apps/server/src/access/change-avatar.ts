import type { ApiError } from '@voltdeck/contract/errors';
import type { FileId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import type { FileKey } from '../files/file-store.ts';
import { fileUrl } from '../files/file-url.ts';

/**
 * Sets the caller's portrait to one they uploaded as such, or removes it.
 * @returns its address, and the key of the replaced portrait, whose bytes are to be deleted after the commit.
 */
export async function changeAvatar(
  trx: Trx,
  caller: Caller,
  fileId: FileId | null,
  at: Instant,
): Promise<Result<{ avatar: string | null; replaced: FileKey | null }, ApiError>> {
  const next = fileId === null ? null : await ownPortrait(trx, caller, fileId);
  if (next === undefined) {
    return failed({ code: 'request.invalid', fields: [{ path: 'fileId', code: 'unknown_reference' }] });
  }
  const before = await trx
    .selectFrom('users')
    .select('avatar_file_id as fileId')
    .where('id', '=', caller.userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const avatar = next === null ? null : fileUrl(next);
  if (before.fileId === fileId) return ok({ avatar, replaced: null });
  await trx.updateTable('users').set({ avatar_file_id: fileId }).where('id', '=', caller.userId).execute();
  const replaced =
    before.fileId === null
      ? undefined
      : await trx.deleteFrom('files').where('id', '=', before.fileId).returning('key').executeTakeFirst();
  await audit(trx, caller, at, {
    action: 'user.avatar_change',
    recordKind: 'user',
    recordId: caller.userId,
    before,
    after: { fileId },
  });
  return ok({ avatar, replaced: replaced?.key ?? null });
}

function ownPortrait(trx: Trx, { userId }: Caller, fileId: FileId) {
  return trx
    .selectFrom('files')
    .select(['key', 'name'])
    .where('id', '=', fileId)
    .where('purpose', '=', 'avatar')
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
}
