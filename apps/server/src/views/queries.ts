import type { AnswerOf } from '@voltdeck/contract/route';
import type { ColumnChoice, FilterSet, getListViews } from '@voltdeck/contract/views';
import type { FilterSetId, UserId } from '@voltdeck/units/id';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import type { Trx } from '../database/transact.ts';

function filterSetsOf(db: Kysely<Tables>, userId: UserId) {
  return db
    .selectFrom('filter_sets')
    .select(['id', 'list', 'name', 'query', 'is_first as isFirst'])
    .where('user_id', '=', userId);
}

export async function listViewsOf(db: Kysely<Tables>, userId: UserId): Promise<AnswerOf<typeof getListViews>> {
  const [columns, filterSets] = await Promise.all([
    db.selectFrom('list_columns').select(['list', 'choice']).where('user_id', '=', userId).orderBy('list').execute(),
    filterSetsOf(db, userId).orderBy('list').orderBy('id').execute(),
  ]);
  return { columns: columns.map(({ list, choice }) => ({ list, choice: choice as ColumnChoice })), filterSets };
}

export async function findFilterSet(db: Kysely<Tables>, userId: UserId, id: FilterSetId): Promise<FilterSet | null> {
  const row = await filterSetsOf(db, userId).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Limits and names apply per user, whose own calls take turns. */
export async function lockOwnViews(trx: Trx, userId: UserId): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
}
