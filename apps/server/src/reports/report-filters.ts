import type { getReportFilters } from '@voltdeck/contract/reports';
import type { AnswerOf } from '@voltdeck/contract/route';
import type { Kysely } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { mayCall } from '../http/bind.ts';
import { isFor } from '../http/bind-lists.ts';
import { exportableLists } from '../tasks/exportable-lists.ts';
import { listOfScreen } from '../tasks/list-of-screen.ts';

/** The caller's saved filters of lists that they may export. */
export async function reportFiltersOf(
  db: Kysely<Tables>,
  caller: Caller,
): Promise<AnswerOf<typeof getReportFilters>['items']> {
  const sets = await db
    .selectFrom('filter_sets')
    .select(['id', 'list', 'name'])
    .where('user_id', '=', caller.userId)
    .orderBy('list')
    .orderBy('id')
    .execute();
  return sets.flatMap(({ list: screen, ...set }) => {
    const list = listOfScreen(screen);
    if (list === null) return [];
    const exportable = exportableLists[list];
    return mayCall(exportable, caller) && isFor(exportable, caller) ? [{ ...set, list }] : [];
  });
}
