import type { ApiError } from '@voltdeck/contract/errors';
import type { changeFile as route, StoredFile } from '@voltdeck/contract/files';
import type { BodyOf } from '@voltdeck/contract/route';
import type { FileId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, type Result } from '@voltdeck/units/result';
import { audit } from '../../caller/audit.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Trx } from '../../database/transact.ts';
import { nameFor } from '../../http/clean-name.ts';
import { found } from '../../http/found.ts';
import { findFile } from './queries.ts';

/** Renames or describes a file. Published addresses keep working, because the key finds it. */
export async function changeFile(
  trx: Trx,
  caller: Caller,
  id: FileId,
  form: BodyOf<typeof route>,
  at: Instant,
): Promise<Result<StoredFile, ApiError>> {
  const before = await findFile(trx, caller, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const after = { name: nameFor(before.contentType, form.name), description: form.description };
  await trx.updateTable('files').set(after).where('id', '=', id).execute();
  await audit(trx, caller, at, {
    action: 'file.change',
    recordKind: 'file',
    recordId: id,
    before: { name: before.name, description: before.description },
    after,
  });
  return found(await findFile(trx, caller, id));
}
