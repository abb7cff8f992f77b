import type { AnswerOf } from '@voltdeck/contract/route';
import {
  type FoundKind,
  foundKinds,
  foundMatches,
  foundShownMax,
  type searchRecords as route,
} from '@voltdeck/contract/search';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { isOutOfTime } from '../database/is-database-away.ts';
import type { Tables } from '../database/tables.generated.ts';
import { keepFrequentPieces } from '../http/frequent-pieces.ts';
import { type FoundRow, foundMax, ranks, type Way } from './way.ts';
import { ways } from './ways.ts';

export type SearchAnswer = AnswerOf<typeof route>;
type FoundKindAnswer = SearchAnswer['kinds'][number];

export const searchLimits = {
  /** A query that takes longer is given up, and its kind said to be unfinished. */
  statementMsMax: secondMs,
  /** No query is begun after this. */
  wholeMsMax: 2 * secondMs,
  /** Queries at the same time, each on a connection of its own: people type while others work. */
  atOnce: 3,
} as const;

type Task = { kind: FoundKind; way: Way };
type Followed = { rows: FoundRow[]; total: number; totals: FoundKindAnswer['totals'] };

/**
 * Records with the text in their number or name, five of a kind, exact matches first, with the number of matches; the
 * kind with the best match first. Every query walks an index up to a bound, so that ten million orders are searched like
 * ten, and none is waited for when it takes too long.
 */
export async function searchRecords(
  db: Kysely<Tables>,
  caller: Caller,
  text: string,
  at: Instant,
): Promise<SearchAnswer> {
  await keepFrequentPieces(db, at);
  const tasks = foundKinds.flatMap((kind): Task[] => {
    const { permission, isFor, by } = ways[kind];
    return may(caller, permission) && isFor?.(caller) !== false ? by.map((way) => ({ kind, way })) : [];
  });
  const answered = await answerTasks(db, tasks, (connection, { way }) => follow(connection, caller, way, text));
  const of = (kind: FoundKind) =>
    tasks.flatMap((task) => answered.filter((one) => one.task === task && task.kind === kind));
  const kinds = foundKinds.flatMap((kind) =>
    answerOf(
      kind,
      of(kind).flatMap(({ followed }) => followed ?? []),
    ),
  );
  kinds.sort((a, b) => foundMatches.indexOf(a.match) - foundMatches.indexOf(b.match));
  return { kinds, unfinished: foundKinds.filter((kind) => of(kind).some(({ followed }) => followed === null)) };
}

type Answered = { task: Task; followed: Followed | null };

/** Some at a time, each within its time, and none after the time of all; null for those that took too long. */
async function answerTasks(
  db: Kysely<Tables>,
  tasks: readonly Task[],
  answer: (connection: Kysely<Tables>, task: Task) => Promise<Followed | null>,
): Promise<Answered[]> {
  const waiting = tasks.values();
  const deadline = AbortSignal.timeout(searchLimits.wholeMsMax);
  const lanes = Array.from({ length: searchLimits.atOnce }, () =>
    withinTime(db, async (connection) => {
      const answered: Answered[] = [];
      for (const task of waiting) {
        answered.push({ task, followed: deadline.aborted ? null : await answer(connection, task) });
      }
      return answered;
    }),
  );
  return (await Promise.all(lanes)).flat();
}

/** Works on a connection whose statements end after the time of a search's. */
async function withinTime<Value>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<Value>,
): Promise<Value> {
  return db.connection().execute(async (connection) => {
    await sql`select set_config('statement_timeout', ${String(searchLimits.statementMsMax)}, false)`.execute(
      connection,
    );
    try {
      return await work(connection);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

/** Null where it took too long. */
async function follow(db: Kysely<Tables>, caller: Caller, way: Way, text: string): Promise<Followed | null> {
  const query = way.find(db, caller, text);
  if (query === null) return { rows: [], total: 0, totals: [] };
  try {
    const rows = await query.execute();
    const shown = rows.slice(0, foundShownMax);
    const total = rows.length;
    return { rows: (await way.tell?.(db, caller, shown)) ?? shown, total, totals: totalsOf(way, rows) };
  } catch (error) {
    if (isOutOfTime(error)) return null;
    throw error;
  }
}

/** What the lists of a way show of its rows: a list finds words only as they were typed. */
function totalsOf({ shownBy }: Way, rows: readonly FoundRow[]): FoundKindAnswer['totals'] {
  return shownBy.flatMap(({ list, filter }) => {
    const total = rows.filter((row) => row.rank < ranks.words && (row.list ?? list) === list).length;
    if (total === 0) return [];
    return [{ list, filter, total: Math.min(total, foundMax), totalIsAtLeast: rows.length > foundMax }];
  });
}

function answerOf(kind: FoundKind, found: readonly Followed[]): FoundKindAnswer[] {
  const seen = new Set<number>();
  const rows = found
    .flatMap((one) => one.rows)
    .sort((a, b) => Math.min(a.rank, ranks.part) - Math.min(b.rank, ranks.part))
    // A record that two queries find is shown once.
    .filter(({ id }) => !seen.has(id) && seen.add(id));
  const [best] = rows;
  if (best === undefined) return [];
  const items = rows.slice(0, foundShownMax).map(({ id, number, title, detail }) => ({ id, number, title, detail }));
  const hasMore = rows.length > items.length || found.some(({ rows: shown, total }) => total > shown.length);
  const match = foundMatches[Math.min(best.rank, ranks.part)] ?? 'part';
  return [{ kind, match, items, hasMore, totals: found.flatMap(({ totals }) => totals) }];
}
