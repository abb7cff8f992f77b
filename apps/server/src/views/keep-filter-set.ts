import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { type FilterSet, type keepFilterSet as route, viewLimits } from '@voltdeck/contract/views';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Trx } from '../database/transact.ts';
import { lockOwnViews } from './queries.ts';

/** Saves filters of a list under a name; replaces a set of the same name. */
export async function keepFilterSet(
  trx: Trx,
  { userId }: Caller,
  { list, name, query }: BodyOf<typeof route>,
): Promise<Result<FilterSet, ApiError>> {
  await lockOwnViews(trx, userId);
  const others = await trx
    .selectFrom('filter_sets')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(sql<number>`count(*) filter (where list = ${list})`.as('ofList'))
    .where('user_id', '=', userId)
    .where((its) => its.not(its.and({ list, name })))
    .executeTakeFirstOrThrow();
  if (others.all >= viewLimits.filterSets || others.ofList >= viewLimits.filterSetsOfList) {
    return failed({ code: 'request.invalid', fields: [{ path: 'name', code: 'too_many' }] });
  }
  const kept = await trx
    .insertInto('filter_sets')
    .values({ user_id: userId, list, name, query })
    .onConflict((conflict) => conflict.constraint('filter_sets_name').doUpdateSet({ query }))
    .returning(['id', 'list', 'name', 'query', 'is_first as isFirst'])
    .executeTakeFirstOrThrow();
  return ok(kept);
}
