import type { FoundFilter, FoundList } from '@voltdeck/contract/search';
import { type AliasableExpression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import { beginsWith, contains, endsWith, hasPart } from '../http/part-of-text.ts';
import { endingDigits } from '../personal/mask-text.ts';
import { seesPersonal } from '../personal/sees-personal.ts';

/** How a text is found in another one, the best first: `words` are somewhere in it, but not as they were typed. */
export const ranks = { whole: 0, beginning: 1, part: 2, words: 3 } as const;

export type FoundRow = {
  id: number;
  number: string;
  title: string;
  detail: string;
  rank: number;
  /** The list that shows it, where the lists of a kind show some of its states each. */
  list?: FoundList;
};

/** More matches than this of a way are shown as "at least": the list has a page for them. */
export const foundMax = 200;
/**
 * How many matching records are looked at. A text that matches more is too short to mean one record; the whole number
 * always finds it.
 */
const candidatesMax = 2_000;
/** Where others' records are left out of them. */
const candidatesOfScopeMax = 5_000;
export const looked = sql.lit(candidatesMax);
export const lookedBy = ({ agents }: Caller) => (agents === 'all' ? candidatesMax : candidatesOfScopeMax);

/** Words beyond these are not looked for. */
const wordsMax = 6;
/** No name has a number that is longer than a phone's. */
const numberInNameMax = 11;

export type Search = {
  execute(): Promise<FoundRow[]>;
  /** Whether more records match than were checked against the caller's scope, so that some of theirs may be missing. */
  isCut?(): Promise<boolean>;
};
export type SearchQuery = Search & AliasableExpression<FoundRow>;

/** Ways whose queries take little are asked in one statement for all of their batch. */
export type Batch = 'receipts' | 'small';

type Shown = {
  /** The lists and the filter that find the same; empty where no list can. */
  shownBy: readonly { list: FoundList; filter: FoundFilter }[];
};

/** One query that finds records of a kind. */
export type Way = BatchedWay | SingleWay;

export type BatchedWay = Shown & {
  batch: Batch;
  find(db: Kysely<Tables>, caller: Caller, text: string): SearchQuery | null;
};

type SingleWay = Shown & {
  batch?: never;
  /** Null where the text cannot match. */
  find(db: Kysely<Tables>, caller: Caller, text: string): Search | null;
  /** Adds details to the rows that are shown. */
  tell?(db: Kysely<Tables>, caller: Caller, rows: readonly FoundRow[]): Promise<FoundRow[]>;
};

type Find<S extends Search> = (db: Kysely<Tables>, caller: Caller, text: string) => S | null;
type Found<S extends Search> = Shown & { find: Find<S> };

/** A way by words, of any script. */
export function byName<S extends Search>(list: FoundList, filter: FoundFilter, find: Find<S>): Found<S> {
  return { shownBy: [{ list, filter }], find };
}

/** A way by a number, which has Latin letters and digits only. */
export function byNumber<S extends Search>(find: Find<S>, ...shownBy: Way['shownBy']): Found<S> {
  return {
    shownBy,
    find: (db, caller, text) => (text.length < 3 || !/^[\x21-\x7e]+$/.test(text) ? null : find(db, caller, text)),
  };
}

/** Ways to records of which there are few enough to look through all of them. */
export const ofFew = (found: readonly Found<SearchQuery>[]): readonly Way[] =>
  found.map((way) => ({ ...way, batch: 'small' }));

const receiptForm = /^[A-Z]?\d{4,20}$/;
const receiptLength = 21;
/** Eight digits of a receipt are its day. */
const receiptBeginningMin = 9;

/** A part of a receipt's number: what is read out, and the condition for the table of receipts. */
export type Receipt = { part: string; isOf(table: string): RawBuilder<boolean> };

/**
 * The receipts with this letter (`receiptNumber`) that a text may mean; people also read them out without it. Null where
 * it means others.
 */
export function receiptOf(letter: string, text: string): Receipt | null {
  const typed = text.toUpperCase();
  if (!receiptForm.test(typed)) return null;
  const isBare = /^\d/.test(typed);
  if (!isBare && !typed.startsWith(letter)) return null;
  const part = isBare && typed.length === receiptLength - 1 ? letter + typed : typed;
  const beginning = !isBare ? part : typed.length < receiptBeginningMin ? null : letter + typed;
  const length = receiptLength;
  return { part, isOf: (table) => isIn(`${table}.id`, idsNumbered(table, 'number', part, { beginning, length })) };
}

/** The words of a text; empty where none is long enough to be looked for, or where it is a number and no name. */
export function wordsOf(text: string): string[] {
  if (text.length > numberInNameMax && /^\d+$/.test(text)) return [];
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.some((word) => [...word].length > 1) ? words.slice(0, wordsMax) : [];
}

/** Whether the column has all words of the text, by its pieces where they are indexed. */
export function hasWords(text: string, column: string, isIndexed = true): RawBuilder<boolean> {
  const each = wordsOf(text).map((word) => (isIndexed ? hasPart(column, 'name', word) : contains(column, word)));
  return each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` and `)})`;
}

/**
 * Whether the columns of a table together have all words of the text. Each column is read by its index: a condition for
 * several would make the pieces of every match anew.
 */
export function hasWordsIn(text: string, table: string, columns: readonly string[]): RawBuilder<boolean> {
  const each = wordsOf(text).map((word) => {
    const found = columns.map(
      (column) => sql`select id from ${sql.table(table)} where ${hasPart(`${table}.${column}`, 'name', word)}`,
    );
    return isIn(`${table}.id`, sql`(${sql.join(found, sql` union `)})`);
  });
  return each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` and `)})`;
}

/** How the text is found in a name. */
export function rankIn(column: string, text: string): RawBuilder<number> {
  const name = sql`lower(${sql.ref(column)})`;
  const wanted = text.toLowerCase();
  return sql<number>`case when ${name} = ${wanted} then ${sql.lit(ranks.whole)}
                          when starts_with(${name}, ${wanted}) then ${sql.lit(ranks.beginning)}
                          when strpos(${name}, ${wanted}) > 0 then ${sql.lit(ranks.part)}
                          else ${sql.lit(ranks.words)} end`;
}

/** `query` searches the `candidates`, the first `lookedBy` of all, for those in the caller's scope. */
export function amongFirst(
  db: Kysely<Tables>,
  caller: Caller,
  candidates: AliasableExpression<object>,
  query: Search,
): Search {
  const execute = () => query.execute();
  if (caller.agents === 'all') return { execute };
  return {
    execute,
    async isCut() {
      const { rows } = await sql`select 1 from ${candidates} as seen offset ${sql.lit(lookedBy(caller) - 1)}`.execute(
        db,
      );
      return rows.length > 0;
    },
  };
}

/** The `candidates` that are shown, best first, then by title. */
export function bestOf(db: Kysely<Tables>, candidates: AliasableExpression<FoundRow>): SearchQuery {
  return db
    .selectFrom(candidates.as('found'))
    .select(['found.id', 'found.number', 'found.title', 'found.detail', 'found.rank'])
    .orderBy('found.rank')
    .orderBy('found.title')
    .orderBy('found.id')
    .limit(foundMax + 1);
}

/** The same, the latest number first: numbers begin with their time. */
export function latestOf(db: Kysely<Tables>, candidates: AliasableExpression<FoundRow>): SearchQuery {
  return db
    .selectFrom(candidates.as('found'))
    .select(['found.id', 'found.number', 'found.title', 'found.detail', 'found.rank'])
    .orderBy('found.rank')
    .orderBy('found.title', 'desc')
    .orderBy('found.id', 'desc')
    .limit(foundMax + 1);
}

/**
 * The ids of a table's records whose number is the text, or begins or ends with it, each by an index of the column or
 * of the reversed column, up to a bound.
 */
export function idsNumbered(
  table: string,
  column: string,
  text: string,
  {
    beginning = text,
    length = Number.POSITIVE_INFINITY,
  }: {
    /** What a number begins with that is read out as the text; null where none can be. */
    beginning?: string | null;
    /** Of every number: a text as long is a whole one. */
    length?: number;
  } = {},
): RawBuilder<number> {
  const from = sql`select id from ${sql.table(table)}`;
  const whole = sql`${from} where ${sql.ref(column)} = ${text}`;
  if (text.length >= length) return sql`(${whole})`;
  // Some of them may be others'.
  const most = sql.lit(candidatesOfScopeMax);
  const last = sql<number>`(${from} where ${endsWith(column, text)} limit ${most})`;
  if (beginning === null) return last;
  return sql`((${from} where ${beginsWith(column, beginning)} order by ${sql.ref(column)} desc limit ${most})
    union ${last})`;
}

/**
 * The same for what leads to a person. Callers who see it masked must give all of it, or the four visible last
 * characters of a long one (`findsPersonal`).
 */
export function idsOfPerson(caller: Caller, table: string, column: string, text: string): RawBuilder<number> {
  if (seesPersonal(caller)) return idsNumbered(table, column, text);
  const from = sql`select id from ${sql.table(table)}`;
  const whole = sql`${from} where ${sql.ref(column)} = ${text}`;
  if (text.length !== endingDigits.shown) return sql`(${whole})`;
  return sql`((${whole}) union (${from} where ${endsWith(column, text)}
    and length(${sql.ref(column)}) >= ${sql.lit(endingDigits.lengthMin)} limit ${sql.lit(candidatesOfScopeMax)}))`;
}

export const isIn = (column: string, ids: RawBuilder<number>) => sql<boolean>`${sql.ref(column)} in ${ids}`;
export const noDetail = sql<string>`''`.as('detail');
