import type { ApiError } from '@voltdeck/contract/errors';
import type { GroupId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { audit } from '../caller/audit.ts';
import type { Caller } from '../caller/caller.ts';
import { isReferredTo } from '../database/is-referred-to.ts';
import type { Trx } from '../database/transact.ts';
import { lockGroup } from './lock-group.ts';
import { findGroup } from './queries.ts';

/** Deletes a group that nobody was ever named in and no money ever reached. */
export async function deleteGroup(trx: Trx, caller: Caller, id: GroupId, at: Instant): Promise<Result<null, ApiError>> {
  const locked = await lockGroup(trx, caller, id, 'update');
  if (!locked.ok) return locked;
  const before = await findGroup(trx, caller, id);
  if (await isReferredTo(trx, 'groups', id, { besides: [{ table: 'movements', column: 'group_id' }] })) {
    return failed({ code: 'group.has_records' });
  }
  await trx.deleteFrom('groups').where('id', '=', id).execute();
  await audit(trx, caller, at, { action: 'group.delete', recordKind: 'group', recordId: id, before });
  return ok(null);
}
