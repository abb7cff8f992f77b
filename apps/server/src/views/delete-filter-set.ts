import type { ApiError } from '@voltdeck/contract/errors';
import type { FilterSetId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';

/** Deletes a filter set of the caller. */
export async function deleteFilterSet(trx: Trx, { userId }: Caller, id: FilterSetId): Promise<Result<null, ApiError>> {
  const deleted = await trx
    .deleteFrom('filter_sets')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return deleted === undefined ? failed({ code: 'record.not_found' }) : ok(null);
}
