import type { ApiError } from '@voltdeck/contract/errors';
import { listDepthMax } from '@voltdeck/contract/fields';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

export type Span = { limit: number; offset: number };

/** The rows of a page; refused beyond the depth that a list pages to. */
export function spanOf(query: { page: number; pageSize: number }): Result<Span, ApiError> {
  const offset = (query.page - 1) * query.pageSize;
  if (offset + query.pageSize > listDepthMax) return failed({ code: 'list.too_deep', params: { max: listDepthMax } });
  return ok({ limit: query.pageSize, offset });
}

export type Total = { total: number; totalIsAtLeast?: boolean };

/**
 * A bounded count as a statement, so a wide filter costs no more than a narrow one: one row with its `total`, for
 * `totalOf`.
 */
export function countedUpTo<DB, TB extends keyof DB>(
  filtered: SelectQueryBuilder<DB, TB, object>,
  max: number = listDepthMax,
): RawBuilder<{ total: number }> {
  const bounded = filtered
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    // A literal, because PostgreSQL plans by the limit only where it can see it.
    .limit(sql.lit(max + 1));
  return sql`select count(*) as total from (${bounded}) as counted`;
}

/** The total that a bounded count stands for. */
export function totalOf(counted: number): Total {
  return counted > listDepthMax ? { total: listDepthMax, totalIsAtLeast: true } : { total: counted };
}

/** Splits "-createdAt" into name and direction. */
export function sortOf<Name extends string>(sort: Name | `-${Name}`): { name: Name; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { name: sort.slice(1) as Name, direction: 'desc' }
    : { name: sort as Name, direction: 'asc' };
}

/** A pattern for `ilike` that finds the text anywhere, with % and _ taken literally. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
