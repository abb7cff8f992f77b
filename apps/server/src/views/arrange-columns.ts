import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { type arrangeColumns as route, viewLimits } from '@voltdeck/contract/views';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockOwnViews } from './queries.ts';

/** Saves or clears the caller's column arrangement of a list. */
export async function arrangeColumns(
  trx: Trx,
  { userId }: Caller,
  { list, choice }: BodyOf<typeof route>,
): Promise<Result<null, ApiError>> {
  if (choice === null) {
    await trx.deleteFrom('list_columns').where('user_id', '=', userId).where('list', '=', list).execute();
    return ok(null);
  }
  await lockOwnViews(trx, userId);
  const { others } = await trx
    .selectFrom('list_columns')
    .select(({ fn }) => fn.countAll<number>().as('others'))
    .where('user_id', '=', userId)
    .where('list', '<>', list)
    .executeTakeFirstOrThrow();
  if (others >= viewLimits.lists) {
    return failed({ code: 'request.invalid', fields: [{ path: 'list', code: 'too_many' }] });
  }
  const kept = JSON.stringify(choice);
  await trx
    .insertInto('list_columns')
    .values({ user_id: userId, list, choice: kept })
    .onConflict((conflict) => conflict.columns(['user_id', 'list']).doUpdateSet({ choice: kept }))
    .execute();
  return ok(null);
}
