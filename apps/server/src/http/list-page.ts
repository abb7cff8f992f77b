import type { ApiError } from '@voltdeck/contract/errors';
import { listDepthMax } from '@voltdeck/contract/fields';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

export type Span = { limit: number; offset: number };

/** The rows of a page; refused beyond the depth that a list can be paged to. */
export function spanOf(query: { page: number; pageSize: number }): Result<Span, ApiError> {
  const offset = (query.page - 1) * query.pageSize;
  if (offset + query.pageSize > listDepthMax) return failed({ code: 'list.too_deep', params: { max: listDepthMax } });
  return ok({ limit: query.pageSize, offset });
}

export type Total = { total: number; totalIsAtLeast?: boolean };

/** Counts up to `listDepthMax` and then says "at least", so that a wide filter costs no more than a narrow one. */
export async function countUpTo<DB, TB extends keyof DB>(
  db: Kysely<Tables>,
  filtered: SelectQueryBuilder<DB, TB, object>,
): Promise<Total> {
  const { rows } = await countedUpTo(filtered).execute(db);
  return totalOf(rows[0]?.total ?? 0);
}

/** The statement of a bounded count: one row with its `total`, to be given to `totalOf`. */
export function countedUpTo<DB, TB extends keyof DB>(
  filtered: SelectQueryBuilder<DB, TB, object>,
): RawBuilder<{ total: number }> {
  const bounded = filtered
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    // A literal: PostgreSQL plans for the limit that it sees.
    .limit(sql.lit(listDepthMax + 1));
  return sql`select count(*) as total from (${bounded}) as counted`;
}

/** What a bounded count means. */
export function totalOf(counted: number): Total {
  return counted > listDepthMax ? { total: listDepthMax, totalIsAtLeast: true } : { total: counted };
}

/** "-createdAt" as its two parts. */
export function sortOf<Name extends string>(sort: Name | `-${Name}`): { name: Name; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { name: sort.slice(1) as Name, direction: 'desc' }
    : { name: sort as Name, direction: 'asc' };
}

/** A pattern for `ilike` that finds the text anywhere, its own % and _ taken as they are. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
