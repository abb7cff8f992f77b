import type { FieldFault } from '@voltdeck/contract/errors';
import type { Language } from '@voltdeck/contract/languages';
import { type ListRoute, type partFields, type SummedIn, summedColumns } from '@voltdeck/contract/list';
import type { AnswerOf, QueryOf } from '@voltdeck/contract/route';
import type { SessionId } from '@voltdeck/units/id';
import { dayMs, type Instant, parseIso, parseShanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { atOneMoment } from '../database/transact.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { keepFrequentPieces } from './frequent-pieces.ts';
import type { KnownTotals } from './known-totals.ts';
import { countedUpTo, type Span, sortOf, type Total, totalOf } from './list-page.ts';
import { type ShownRows, shownRows, type Wanted } from './shown-rows.ts';

export type FilterOf<R> = Omit<QueryOf<R>, (typeof partFields)[number]>;
export type RowOf<R> = AnswerOf<R> extends { items: (infer Row)[] } ? Row : never;
/** The names that the contract sorts by, without the minus. */
type SortOf<R> = QueryOf<R> extends { sort?: infer S } ? Exclude<Extract<S, string>, `-${string}`> : never;
type ColumnsOf<R> = R extends { columns: infer ListColumns } ? ListColumns : never;

/** Who reads a list, and when. An export has no session, and its thread cannot open secrets. */
export type Asked = { caller: Caller; at: Instant; sessionId: SessionId | null; secrets: SecretBox | null };

/**
 * Several queries must not share a record. PostgreSQL reads each by its index in the order of the list, where a single
 * condition for all of them would make it read and sort every match.
 */
type Filtered<Query> = Query | readonly [Query, ...Query[]] | null;

type Sorts<Name extends string> = Readonly<Record<Name, RawBuilder<unknown>>>;

/** Where a list's rows come from. Its page, totals and exports are built from these parts. */
export type ListSource<R extends ListRoute, DB, TB extends keyof DB, Named, Row> = {
  route: R;
  /** Users of agents do not see it, whatever their position grants. */
  platformOnly?: true;
  /**
   * The records that match the filter within the caller's scope, from as few tables as possible; null matches nothing.
   */
  filtered(
    db: Kysely<Tables>,
    caller: Caller,
    filter: FilterOf<R>,
    at: Instant,
  ): Filtered<SelectQueryBuilder<DB, TB, object>> | Promise<Filtered<SelectQueryBuilder<DB, TB, object>>>;
  /** The column that breaks ties between equal sort values. */
  id: RawBuilder<unknown>;
  /** The expression of each sort. */
  sorts: Sorts<SortOf<R>> | ((asked: Asked) => Sorts<SortOf<R>>);
  /** Sorts by a column that may be null. Nulls come last, or first where the order is ascending. */
  sometimesAbsent?: readonly SortOf<R>[];
  toItem(row: Row, asked: Asked): RowOf<R>;
  /** Records never leave the list, so "at least" stays true for a minute without counting again. */
  neverShrinks?: true;
  /** A list that is added up from days: the most days, in China, that its `from` and `to` may span, or from `from` to now. */
  daysMax?(filter: FilterOf<R>): number;
  /** The text of a column in files, by key, where neither the row nor the column has its words. */
  texts?: Readonly<Record<string, (row: RowOf<R>, language: Language) => string | null>>;
  /** The sums that are kept of rows which the filter matches; null where they do not tell these rows apart. */
  kept?(caller: Caller, filter: FilterOf<R>, at: Instant): KeptTotals | null;
} & (
  | {
      /**
       * The rows as shown, unfiltered: `id` and `sorts` must mean the same here as in `filtered`. The statement is built
       * once a language for all callers, so it must have no parameters.
       */
      rows(db: Kysely<Tables>, read: { language: Language }): SelectQueryBuilder<Named, keyof Named, Row>;
    }
  | {
      /** The same for rows that depend on the caller. */
      rowsFor(db: Kysely<Tables>, asked: Asked): SelectQueryBuilder<Named, keyof Named, Row>;
    }
  | {
      /** For a partitioned table, where an id alone does not find its record: the filtered records as shown. */
      shown(filtered: SelectQueryBuilder<DB, TB, object>, asked: Asked): SelectQueryBuilder<Named, keyof Named, Row>;
    }
) &
  (SummedIn<ColumnsOf<R>> extends never
    ? object
    : {
        /** The expression of each summed column, over `filtered`. */
        sums: Readonly<Record<SummedIn<ColumnsOf<R>>, RawBuilder<unknown>>>;
      });

/** Sums that are kept of most rows of a list, so that its totals are those of any number of rows. */
export type KeptTotals = {
  /** Their number and the sum of each summed column; null where the kept sums are not whole. */
  read(db: Kysely<Tables>): Promise<Summed | null>;
  /** Which of the matching rows they leave out. */
  others: RawBuilder<boolean>;
};
type Summed = { total: number; sums: Record<string, number> };

/** A source with its types erased. */
export type AnySource = {
  route: ListRoute;
  platformOnly?: true;
  filtered(
    db: Kysely<Tables>,
    caller: Caller,
    // biome-ignore lint/suspicious/noExplicitAny: tables and filters are each source's own
    filter: any,
    at: Instant,
  ): Filtered<AnyQuery> | Promise<Filtered<AnyQuery>>;
  id: RawBuilder<unknown>;
  sorts: Sorts<string> | ((asked: Asked) => Sorts<string>);
  sometimesAbsent?: readonly string[];
  sums?: Readonly<Record<string, RawBuilder<unknown>>>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  rows?(db: Kysely<Tables>, read: { language: Language }): SelectQueryBuilder<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  rowsFor?(db: Kysely<Tables>, asked: Asked): SelectQueryBuilder<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  shown?(filtered: AnyQuery, asked: Asked): SelectQueryBuilder<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  toItem(row: any, asked: Asked): unknown;
  neverShrinks?: true;
  daysMax?: FileSource['daysMax'];
  texts?: FileSource['texts'];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  kept?(caller: Caller, filter: any, at: Instant): KeptTotals | null;
};
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyQuery = SelectQueryBuilder<any, any, object>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyRow = any;

export function listSource<R extends ListRoute, DB, TB extends keyof DB, Named, Row>(
  source: ListSource<R, DB, TB, Named, Row>,
): ListSource<R, DB, TB, Named, Row> {
  return source;
}

type Order = {
  by: RawBuilder<unknown>;
  direction: 'asc' | 'desc';
  mayBeAbsent: boolean;
  /** The same order by other names of the value and the id. */
  clauseOf(by: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown>;
};

function orderOf({ route, sorts, sometimesAbsent = [] }: AnySource, asked: Asked, sort: string | undefined): Order {
  const { name, direction } = sortOf(sort ?? route.first);
  const by = (typeof sorts === 'function' ? sorts(asked) : sorts)[name];
  if (by === undefined) throw new RangeError(`a list is not sorted by ${name}`);
  const mayBeAbsent = sometimesAbsent.includes(name);
  // An index without nulls serves the order only if the statement does not mention nulls.
  const absent = !mayBeAbsent ? '' : direction === 'desc' ? ' nulls last' : ' nulls first';
  const clauseOf: Order['clauseOf'] = (value, id) =>
    sql`${value} ${sql.raw(direction + absent)}, ${id} ${sql.raw(direction)}`;
  return { by, direction, mayBeAbsent, clauseOf };
}

async function filteredOf(
  source: AnySource,
  db: Kysely<Tables>,
  { caller, at }: Asked,
  filter: object,
): Promise<Filtered<AnyQuery>> {
  await keepFrequentPieces(db, at);
  return source.filtered(db, caller, filter, at);
}

type Parts = readonly [AnyQuery, ...AnyQuery[]];

const partsOf = (filtered: AnyQuery | Parts): Parts => ('execute' in filtered ? [filtered] : filtered);

/** Selects from every part, one after another. */
function inAllOf(parts: Parts, select: (part: AnyQuery) => AnyQuery): AnyQuery {
  const [first, ...others] = parts;
  return others.reduce((all, part) => all.unionAll(select(part)), select(first));
}

const eachOnce = (parts: Parts): AnyQuery => inAllOf(parts, (part) => part.clearSelect().select(sql`1`.as('one')));

/** The ids of one stretch. Each part is read only as far as the stretch reaches. */
function idsOf({ id }: AnySource, parts: Parts, { by, clauseOf }: Order, { limit, offset }: Span): Expression<unknown> {
  // Literals: PostgreSQL plans by the limit only where it can see it.
  const beginning = (part: AnyQuery, reach: number) => part.orderBy(clauseOf(by, id)).limit(sql.lit(reach));
  const [only, ...others] = parts;
  if (others.length === 0) return beginning(only.select(id.as('id')), limit).offset(sql.lit(offset));
  const beginnings = parts.map((part) => beginning(part.select([id.as('id'), by.as('place')]), offset + limit));
  return sql`(select id from (${sql.join(beginnings, sql` union all `)}) as found
    order by ${clauseOf(sql.ref('place'), sql.ref('id'))} limit ${sql.lit(limit)} offset ${sql.lit(offset)})`;
}

const builtOnce = new WeakMap<AnySource, Map<Language, ShownRows>>();

function shownOnce(
  source: AnySource,
  db: Kysely<Tables>,
  language: Language,
  rows: NonNullable<AnySource['rows']>,
): ShownRows {
  const ofSource = builtOnce.get(source) ?? new Map<Language, ShownRows>();
  builtOnce.set(source, ofSource);
  const built = ofSource.get(language) ?? shownRows(() => rows(db, { language }));
  ofSource.set(language, built);
  return built;
}

/** One stretch of the filtered rows, with additional columns. Ids are selected before anything is joined to them. */
async function readRows(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  parts: Parts,
  order: Order,
  span: Span,
  columns: Wanted['columns'] = [],
): Promise<AnyRow[]> {
  const clause = order.clauseOf(order.by, source.id);
  const more = columns as never;
  if (source.shown !== undefined) {
    const [all, ...others] = parts;
    if (others.length > 0) throw new Error(`${source.route.name} has several parts, which shown does not support`);
    const shown = source.shown(all, asked).orderBy(clause).limit(sql.lit(span.limit)).offset(sql.lit(span.offset));
    return shown.select(more).execute();
  }
  const where = sql<boolean>`${source.id} in ${idsOf(source, parts, order, span)}`;
  if (source.rows !== undefined) {
    const { rows } = await shownOnce(
      source,
      db,
      asked.caller.language,
      source.rows,
    )({ where, order: clause, columns }).execute(db);
    return rows;
  }
  if (source.rowsFor === undefined) throw new Error(`${source.route.name} has neither rows nor shown`);
  return source.rowsFor(db, asked).where(where).orderBy(clause).select(more).execute();
}

export type PageWanted = { filter: object; sort: string | undefined; span: Span; total: 'none' | undefined };
export type ListPage = {
  items: unknown[];
  total: number | null;
  totalIsAtLeast?: boolean;
  sums?: Record<string, number> | null;
};

/** One page with its total in one statement; without the total where none is requested, unless it is already known. */
export async function readPage(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  { filter, sort, span, total: wanted }: PageWanted,
  known: KnownTotals,
): Promise<ListPage> {
  const filtered = await filteredOf(source, db, asked, filter);
  if (filtered === null) return { items: [], total: 0 };
  const parts = partsOf(filtered);
  const { caller, at } = asked;
  const name = source.neverShrinks === true ? nameOf(source, caller, filter) : null;
  const isAtLimit = name !== null && known.isAtLimit(name, at);
  const isCounted = wanted !== 'none' && !isAtLimit;
  const counted = isCounted ? [sql`(${countedUpTo(eachOnce(parts))}) as list_total`] : [];
  const rows = await readRows(source, db, asked, parts, orderOf(source, asked, sort), span, counted);
  const items = rows.map((row) => source.toItem(row, asked));
  // A page that is not full is the last one, so the total is known.
  if (items.length < span.limit && (items.length > 0 || span.offset === 0)) {
    return { items, total: span.offset + items.length };
  }
  if (isAtLimit) return { items, ...totalOf(Number.POSITIVE_INFINITY) };
  if (!isCounted) return { items, total: null };
  const total = totalOf(rows[0]?.list_total ?? (await count(db, parts)));
  if (name !== null && total.totalIsAtLeast === true) known.rememberAtLimit(name, at);
  return { items, ...total };
}

/** The same key for the same records, for every caller with the same scope who finds as much by a part of a number. */
function nameOf({ route }: AnySource, caller: Caller, filter: object): string {
  return JSON.stringify([route.name, caller.agents, caller.customerId, caller.dividerId, seesPersonal(caller), filter]);
}

export type ListTotals = Total & { sums: Record<string, number> | null };

/** How many rows beside kept sums are added up: they are some percent of a list of tens of millions. */
const besideKeptMax = 1_000_000;

/**
 * How many rows match the filter and their sums: from the sums that the list keeps, which take no longer for more rows,
 * else where there are no more than `max` of them.
 */
export async function readTotals(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  filter: object,
  { max = source.route.countedMax, besideMax = besideKeptMax }: { max?: number; besideMax?: number } = {},
): Promise<ListTotals> {
  const keys = summedColumns(source.route.columns);
  const filtered = await filteredOf(source, db, asked, filter);
  if (filtered === null) return { total: 0, sums: Object.fromEntries(keys.map((key) => [key, 0])) };
  const parts = partsOf(filtered);
  const kept = await addToKept(source, db, asked, { filter, parts, besideMax });
  return kept ?? (await addUp(source, db, parts, max)) ?? { ...beyond(max), sums: null };
}

const beyond = (max: number) => ({ total: max, totalIsAtLeast: true });

/** Kept sums and the rows beside them, of one moment; null where none are kept, or too many rows are beside them. */
async function addToKept(
  source: AnySource,
  db: Kysely<Tables>,
  { caller, at }: Asked,
  { filter, parts, besideMax }: { filter: object; parts: Parts; besideMax: number },
): Promise<Summed | null> {
  const kept = source.kept?.(caller, filter, at) ?? null;
  if (kept === null) return null;
  const [first, ...more] = parts;
  const others: Parts = [first.where(kept.others), ...more.map((part) => part.where(kept.others))];
  return atOneMoment(db, async (trx) => {
    const known = await kept.read(trx);
    const added = known === null ? null : await addUp(source, trx, others, besideMax);
    if (known === null || added === null) return null;
    const sums = Object.entries(added.sums).map(([key, sum]) => [key, sum + (known.sums[key] ?? 0)]);
    return { total: known.total + added.total, sums: Object.fromEntries(sums) };
  });
}

/** The number of rows and the sums of their summed columns; null where there are more than `max`. */
async function addUp(source: AnySource, db: Kysely<Tables>, parts: Parts, max: number): Promise<Summed | null> {
  const keys = summedColumns(source.route.columns);
  const summed = keys.map((key) => sql`${source.sums?.[key]} as ${sql.ref(key)}`);
  const bounded = (
    summed.length === 0
      ? eachOnce(parts)
      : inAllOf(parts, (part) => part.clearSelect().select(sql.join(summed) as never))
  ).limit(sql.lit(max + 1));
  const columns = [
    sql`count(*)::integer as total`,
    ...keys.map((key) => sql`coalesce(sum(${sql.ref(key)}), 0)::bigint as ${sql.ref(key)}`),
  ];
  const { rows } = await sql<{ total: number } & Record<string, number>>`
    select ${sql.join(columns)} from (${bounded}) as counted`.execute(db);
  const { total = 0, ...added } = rows[0] ?? {};
  return total > max ? null : { total, sums: added };
}

/** What an export is written from. */
export type FileSource = {
  route: Pick<ListRoute, 'name' | 'query' | 'answer' | 'columns' | 'exportPermission' | 'file'>;
  platformOnly?: true;
  /** How many rows match the filter, counted up to `max` + 1. */
  count(db: Kysely<Tables>, asked: Asked, filter: object, max: number): Promise<number>;
  /** All matching rows, in the requested order. */
  batches(
    db: Kysely<Tables>,
    asked: Asked,
    filter: object,
    sort: string | undefined,
  ): AsyncIterable<readonly unknown[]>;
  // biome-ignore lint/suspicious/noExplicitAny: filters are each source's own
  daysMax?(filter: any): number;
  /** The text of a column by key, where neither the row nor the column has its words. */
  texts?: Readonly<Record<string, (row: never, language: Language) => string | null>>;
};

export function fileSourceOf(source: AnySource): FileSource {
  const { route, platformOnly, daysMax, texts } = source;
  return {
    route,
    ...(texts === undefined ? {} : { texts }),
    ...(platformOnly === undefined ? {} : { platformOnly }),
    ...(daysMax === undefined ? {} : { daysMax }),
    count: (db, asked, filter, max) => countRows(source, db, asked, filter, max),
    batches: (db, asked, filter, sort) => readBatches(source, db, asked, filter, sort),
  };
}

/** Why a filter's period is refused: it spans more days than the list adds up. */
export function whyTooLong({ daysMax }: Pick<FileSource, 'daysMax'>, filter: object, at: Instant): FieldFault | null {
  if (daysMax === undefined) return null;
  const { from, to } = filter as { from?: string; to?: string };
  const first = from === undefined ? null : momentOf(from);
  const last = (to === undefined ? null : momentOf(to)) ?? at;
  const max = daysMax(filter);
  if (first === null || shanghaiDayStart(last) - shanghaiDayStart(first) < max * dayMs) return null;
  return { path: to === undefined ? 'from' : 'to', code: 'period_too_long', params: { max } };
}

async function countRows(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  filter: object,
  max: number,
): Promise<number> {
  const filtered = await filteredOf(source, db, asked, filter);
  return filtered === null ? 0 : count(db, partsOf(filtered), max);
}

async function count(db: Kysely<Tables>, parts: Parts, max?: number): Promise<number> {
  const { rows } = await countedUpTo(eachOnce(parts), max).execute(db);
  return rows[0]?.total ?? 0;
}

/** Rows per statement of an export: some ten milliseconds. */
export const batchRows = 1_000;

/** Where the reading of a list has got to: the sort value and the id, as PostgreSQL writes them. */
type Place = { value: string | null; valueType: string; id: string; idType: string };
type Placed = { [Field in keyof Place as `place_${Field}`]: Place[Field] };

/** Every matching row, once. Rows that are added up are read at one moment, since sums move while a file is written. */
async function* readBatches(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  filter: object,
  sort: string | undefined,
): AsyncGenerator<readonly unknown[]> {
  if (!source.route.sumsInPage && source.daysMax === undefined) {
    yield* readAsTheyAre(source, db, asked, filter, sort);
    return;
  }
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    yield* readAsTheyAre(source, trx, asked, filter, sort);
  } finally {
    await trx.rollback().execute();
  }
}

/**
 * Every matching row as it is when its batch is read, so that no transaction stays open while a file is written. Rows
 * added beyond the current place are included; rows that stop matching meanwhile may be missing. A row that gets its
 * sort value meanwhile, such as an order that ends, stays where it was when the reading began.
 */
async function* readAsTheyAre(
  source: AnySource,
  db: Kysely<Tables>,
  asked: Asked,
  filter: object,
  sort: string | undefined,
): AsyncGenerator<readonly unknown[]> {
  const filtered = await filteredOf(source, db, asked, filter);
  if (filtered === null) return;
  const parts = partsOf(filtered);
  const order = orderOf(source, asked, sort);
  const reading = { source, db, asked, parts, order };
  if (!order.mayBeAbsent) {
    yield* readInOrder(reading);
    return;
  }
  const absent = await idsWithoutValue(reading);
  const present = { ...reading, parts: narrowed(parts, sql`${order.by} is not null`), besides: new Set(absent.ids) };
  if (order.direction === 'desc') yield* readInOrder(present);
  for (let at = 0; at < absent.ids.length; at += batchRows) {
    const ids = absent.ids.slice(at, at + batchRows);
    const these = sql<boolean>`${source.id} = any(cast(${ids} as ${sql.raw(absent.type)}[]))`;
    const rows = await readRows(source, db, asked, narrowed(parts, these), order, { limit: batchRows, offset: 0 });
    yield rows.map((row) => source.toItem(row, asked));
  }
  if (order.direction === 'asc') yield* readInOrder(present);
}

type Reading = {
  source: AnySource;
  db: Kysely<Tables>;
  asked: Asked;
  parts: Parts;
  order: Order;
  /** Ids of rows that are written elsewhere. */
  besides?: ReadonlySet<string>;
};

/** The rows that have a sort value, batch by batch. */
async function* readInOrder({ source, db, asked, parts, order, besides }: Reading): AsyncGenerator<readonly unknown[]> {
  const { id } = source;
  const { by, direction } = order;
  const beyond = sql.raw(direction === 'desc' ? '<' : '>');
  const placed = [
    sql`${by}::text as "place_value"`,
    sql`pg_typeof(${by})::text as "place_valueType"`,
    sql`${id}::text as "place_id"`,
    sql`pg_typeof(${id})::text as "place_idType"`,
  ];
  const behind = (place: Place) =>
    sql<boolean>`(${by}, ${id}) ${beyond} (${cast(place.value, place.valueType)}, ${cast(place.id, place.idType)})`;
  let place: Place | null = null;
  for (;;) {
    const left = place === null ? parts : narrowed(parts, behind(place));
    const stretch = { limit: batchRows, offset: 0 };
    const rows: Placed[] = await readRows(source, db, asked, left, order, stretch, placed);
    const last = rows.at(-1);
    if (last === undefined) break;
    const own = besides === undefined ? rows : rows.filter(({ place_id }) => !besides.has(place_id));
    yield own.map((row) => source.toItem(row, asked));
    if (rows.length < batchRows) break;
    place = {
      value: last.place_value,
      valueType: last.place_valueType,
      id: last.place_id,
      idType: last.place_idType,
    };
  }
}

/** The rows without a sort value, by id: of orders, those that have not begun or ended. */
async function idsWithoutValue({
  source: { id },
  db,
  parts,
  order,
}: Reading): Promise<{ ids: string[]; type: string }> {
  const absent = inAllOf(narrowed(parts, sql`${order.by} is null`), (part) =>
    part.clearSelect().select([sql`${id}`.as('id')]),
  );
  const { rows } = await sql<{ id: string; type: string }>`
    select id::text as id, pg_typeof(id)::text as type from (${absent}) as found
     order by found.id ${sql.raw(order.direction)}`.execute(db);
  return { ids: rows.map((row) => row.id), type: rows[0]?.type ?? 'bigint' };
}

function narrowed([first, ...others]: Parts, condition: RawBuilder<boolean>): Parts {
  return [first.where(condition), ...others.map((part) => part.where(condition))];
}

/** PostgreSQL named the type itself. */
function cast(text: string | null, type: string): RawBuilder<unknown> {
  return sql`cast(${text} as ${sql.raw(type)})`;
}

/** An instant, or the beginning of a day in China. */
const momentOf = (moment: string): Instant | null => parseIso(moment) ?? parseShanghaiDate(moment);
