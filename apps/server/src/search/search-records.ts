import type { AnswerOf } from '@voltdeck/contract/route';
import {
  type FoundKind,
  foundKinds,
  foundMatches,
  foundShownMax,
  type searchRecords as route,
  searchedText,
} from '@voltdeck/contract/search';
import { type Instant, secondMs } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { may } from '../caller/may.ts';
import { isOutOfTime } from '../database/is-database-away.ts';
import { searchConnections } from '../database/lanes.ts';
import type { Tables } from '../database/tables.generated.ts';
import { keepFrequentPieces } from '../http/frequent-pieces.ts';
import { type Batch, type BatchedWay, type FoundRow, foundMax, ranks, type Way } from './way.ts';
import { ways } from './ways.ts';

export type SearchAnswer = AnswerOf<typeof route>;
type FoundKindAnswer = SearchAnswer['kinds'][number];

export const searchLimits = {
  /** No query is begun after this. */
  wholeMsMax: 2 * secondMs,
  /** Queries at the same time, each on a connection of its own: people type while others work. */
  atOnce: searchConnections,
} as const;

type Task = { kind: FoundKind; way: Way };
/** What is asked in one statement: the ways of a batch, or a single one. */
type Step = { isBatch: true; tasks: { kind: FoundKind; way: BatchedWay }[] } | { isBatch: false; tasks: [Task] };
type Followed = { rows: FoundRow[]; total: number; isCut: boolean; totals: FoundKindAnswer['totals'] };
/** By task, in the order of the step; null where it took too long. */
type Answered = { kind: FoundKind; way: Way; followed: Followed | null };

/**
 * Records with the text in their number or name, five of a kind, exact matches first, with the number of matches; the
 * kind with the best match first. Every query walks an index up to a bound, so that ten million orders are searched like
 * ten, and none is waited for when it takes longer than the lane allows. Once `gone` aborts nothing more is asked: who
 * types on leaves each search behind, and has the next one wait for it.
 */
export async function searchRecords(
  db: Kysely<Tables>,
  caller: Caller,
  typed: string,
  { at, gone }: { at: Instant; gone: AbortSignal },
): Promise<SearchAnswer> {
  const text = searchedText(typed);
  await keepFrequentPieces(db, at);
  const tasks = foundKinds.flatMap((kind): Task[] => {
    const { permission, isFor, by } = ways[kind];
    return may(caller, permission) && isFor?.(caller) !== false ? by.map((way) => ({ kind, way })) : [];
  });
  const answered = await answerSteps(db, stepsOf(tasks), gone, (connection, step, deadline) =>
    follow(connection, caller, step, text, deadline),
  );
  // In the order of the ways of a kind, whichever was answered first.
  const of = (kind: FoundKind) =>
    ways[kind].by.flatMap((way) => answered.filter((one) => one.way === way && one.kind === kind));
  const kinds = foundKinds.flatMap((kind) =>
    answerOf(
      kind,
      of(kind).flatMap(({ followed }) => followed ?? []),
    ),
  );
  kinds.sort((a, b) => foundMatches.indexOf(a.match) - foundMatches.indexOf(b.match));
  return { kinds, unfinished: foundKinds.filter((kind) => of(kind).some(isUnfinished)) };
}

function stepsOf(tasks: readonly Task[]): Step[] {
  const steps: Step[] = [];
  const batches = new Map<Batch, Step & { isBatch: true }>();
  for (const { kind, way } of tasks) {
    if (way.batch === undefined) {
      steps.push({ isBatch: false, tasks: [{ kind, way }] });
      continue;
    }
    let batch = batches.get(way.batch);
    if (batch === undefined) {
      batch = { isBatch: true, tasks: [] };
      batches.set(way.batch, batch);
      steps.push(batch);
    }
    batch.tasks.push({ kind, way });
  }
  return steps;
}

/** Some at a time, each within its time, and none after the time of all or once nobody waits for them. */
async function answerSteps(
  db: Kysely<Tables>,
  steps: readonly Step[],
  gone: AbortSignal,
  answer: (connection: Kysely<Tables>, step: Step, deadline: AbortSignal) => Promise<Answered[]>,
): Promise<Answered[]> {
  const waiting = steps.values();
  const deadline = AbortSignal.any([gone, AbortSignal.timeout(searchLimits.wholeMsMax)]);
  const workers = Array.from({ length: searchLimits.atOnce }, () =>
    db.connection().execute(async (connection) => {
      const answered: Answered[] = [];
      for (const step of waiting) {
        answered.push(...(await answer(connection, step, deadline)));
      }
      return answered;
    }),
  );
  return (await Promise.all(workers)).flat();
}

const isUnfinished = ({ followed }: Answered) => followed === null || followed.isCut;
const unanswered = ({ tasks }: Step): Answered[] => tasks.map((task) => ({ ...task, followed: null }));

/** A batch that takes too long is asked way by way, so that only what is slow stays unfinished. */
async function follow(
  db: Kysely<Tables>,
  caller: Caller,
  step: Step,
  text: string,
  deadline: AbortSignal,
): Promise<Answered[]> {
  if (deadline.aborted) return unanswered(step);
  try {
    return step.isBatch
      ? await followBatch(db, caller, step.tasks, text)
      : [await followOne(db, caller, step.tasks[0], text)];
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    if (!step.isBatch) return unanswered(step);
    const answered: Answered[] = [];
    for (const task of step.tasks) {
      answered.push(...(await follow(db, caller, { isBatch: false, tasks: [task] }, text, deadline)));
    }
    return answered;
  }
}

/** Null where it takes too long. */
const inTime = <Value>(asked: Promise<Value>): Promise<Value | null> =>
  asked.catch((error) => {
    if (isOutOfTime(error)) return null;
    throw error;
  });

const nothing: Followed = { rows: [], total: 0, isCut: false, totals: [] };

function followed(way: Way, rows: readonly FoundRow[], isCut = false): Followed {
  return { rows: rows.slice(0, foundShownMax), total: rows.length, isCut, totals: totalsOf(way, rows, isCut) };
}

async function followOne(db: Kysely<Tables>, caller: Caller, { kind, way }: Task, text: string): Promise<Answered> {
  const query = way.find(db, caller, text);
  if (query === null) return { kind, way, followed: nothing };
  const all = await query.execute();
  const found = followed(
    way,
    all,
    all.length <= foundMax && query.isCut !== undefined && (await inTime(query.isCut())) !== false,
  );
  return {
    kind,
    way,
    followed: {
      ...found,
      rows: (await (way.batch === undefined ? way.tell?.(db, caller, found.rows) : null)) ?? found.rows,
    },
  };
}

async function followBatch(
  db: Kysely<Tables>,
  caller: Caller,
  tasks: readonly { kind: FoundKind; way: BatchedWay }[],
  text: string,
): Promise<Answered[]> {
  const queries = tasks.map(({ way }) => way.find(db, caller, text));
  const parts = queries.flatMap((query, index) =>
    query === null
      ? []
      : sql`select ${sql.lit(index)}::int as task, found.id, found.number, found.title, found.detail, found.rank
              from ${query} found`,
  );
  const { rows } =
    parts.length === 0
      ? { rows: [] }
      : await sql<FoundRow & { task: number }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return tasks.map(({ kind, way }, index) => {
    const own = rows.filter(({ task }) => task === index).toSorted((a, b) => a.rank - b.rank);
    return { kind, way, followed: followed(way, own) };
  });
}

/** What the lists of a way show of its rows: a list finds words only as they were typed. */
function totalsOf({ shownBy }: Way, rows: readonly FoundRow[], isCut: boolean): FoundKindAnswer['totals'] {
  return shownBy.flatMap(({ list, filter }) => {
    const total = rows.filter((row) => row.rank < ranks.words && (row.list ?? list) === list).length;
    if (total === 0) return [];
    return [{ list, filter, total: Math.min(total, foundMax), totalIsAtLeast: isCut || rows.length > foundMax }];
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
