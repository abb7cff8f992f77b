import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: columns are each list's own
type AnyRow = any;
// biome-ignore lint/suspicious/noExplicitAny: tables too
type AnyRows = SelectQueryBuilder<any, any, any>;

/** Which rows to show, in what order, and additional columns. */
export type Wanted = {
  where: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  columns: readonly RawBuilder<unknown>[];
};
export type ShownRows = (wanted: Wanted) => RawBuilder<AnyRow>;

const gap = '{gap}';

/**
 * The compiled statement of a list's rows, with gaps for which rows, their order and additional columns. Columns and
 * joins are the same on every page, and compiling them again took more of the server's time than anything else on it.
 */
export function shownRows(rows: () => AnyRows): ShownRows {
  const open = sql.raw(gap) as never;
  const { sql: text, parameters } = rows().select(open).where(open).orderBy(open).compile();
  const [begin, beforeWhere, beforeOrder, end] = text.split(/,? \{gap\}/).map((piece) => sql.raw(piece));
  if (parameters.length > 0 || begin === undefined || end === undefined) {
    throw new Error(`rows that are built once have no parameters: ${text}`);
  }
  return ({ where, order, columns }) => {
    const beside = columns.map((column) => sql`, ${column}`);
    return sql`${begin}${sql.join(beside, sql``)}${beforeWhere} ${where}${beforeOrder} ${order}${end}`;
  };
}
