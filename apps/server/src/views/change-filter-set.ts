import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import type { FilterSet, changeFilterSet as route } from '@voltdeck/contract/views';
import type { FilterSetId } from '@voltdeck/units/id';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { findFilterSet, lockOwnViews } from './queries.ts';

/** Renames a filter set of the caller, or makes it its list's default. */
export async function changeFilterSet(
  trx: Trx,
  { userId }: Caller,
  id: FilterSetId,
  change: BodyOf<typeof route>,
): Promise<Result<FilterSet, ApiError>> {
  await lockOwnViews(trx, userId);
  const before = await findFilterSet(trx, userId, id);
  if (before === null) return failed({ code: 'record.not_found' });
  const after = { ...before, name: change.name ?? before.name, isFirst: change.isFirst ?? before.isFirst };
  const ofList = () => trx.selectFrom('filter_sets').where('user_id', '=', userId).where('list', '=', before.list);
  const taken = await ofList().select('id').where('name', '=', after.name).where('id', '<>', id).executeTakeFirst();
  if (taken !== undefined) return failed({ code: 'request.invalid', fields: [{ path: 'name', code: 'taken' }] });
  if (after.isFirst) {
    await trx
      .updateTable('filter_sets')
      .set({ is_first: false })
      .where('user_id', '=', userId)
      .where('list', '=', before.list)
      .where('id', '<>', id)
      .execute();
  }
  await trx
    .updateTable('filter_sets')
    .set({ name: after.name, is_first: after.isFirst })
    .where('id', '=', id)
    .execute();
  return ok(after);
}
