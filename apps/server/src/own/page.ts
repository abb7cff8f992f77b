import { type Instant, instant } from '@voltdeck/units/instant';
import { type ReferenceExpression, type SelectQueryBuilder, sql } from 'kysely';

type PageQuery = { after?: string | undefined; limit: number };

/** A page of records by their time, the newest first: however deep, it costs what the first one costs. */
export function pageBy<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { after, limit }: PageQuery,
  columns: { at: ReferenceExpression<DB, TB> & string; id: ReferenceExpression<DB, TB> & string },
): SelectQueryBuilder<DB, TB, O> {
  const from = after === undefined ? null : readPlace(after);
  const rest =
    from === null
      ? query
      : query.where(
          sql<boolean>`(${sql.ref(columns.at)}, ${sql.ref(columns.id)}) < (to_timestamp(${from.at} / 1000.0), ${from.id}::bigint)`,
        );
  return rest
    .orderBy(columns.at, 'desc')
    .orderBy(columns.id, 'desc')
    .limit(limit + 1);
}

/** The page of what `pageBy` found, which is one more than the page holds where there is another one. */
export function toPage<Row extends { id: number }, Item>(
  rows: readonly Row[],
  { limit }: PageQuery,
  at: (row: Row) => Instant,
  toItem: (row: Row) => Item,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    next: rows.length > limit && last !== undefined ? `${at(last)}-${last.id}` : null,
  };
}

/** The contract has checked its form. */
function readPlace(text: string): { at: Instant; id: number } {
  const [at = '0', id = '0'] = text.split('-');
  return { at: instant(Number(at)), id: Number(id) };
}
