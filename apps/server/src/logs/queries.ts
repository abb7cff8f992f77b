import {
  type Conversation,
  conversationMax,
  exchangeDirections,
  type getConversation,
  type InteractionLog,
  type listInteractionLogs,
  logKeyPattern,
} from '@voltdeck/contract/logs';
import type { QueryOf } from '@voltdeck/contract/route';
import { dayMs, type Instant, instant, minuteMs, parseIso, secondMs, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { keptDays } from '../database/kept-days.ts';
import type { Tables } from '../database/tables.generated.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import { type LogFilter, type LogsQuery, stationsOf, whereFiltered, withoutHeartbeats } from './filter-logs.ts';
import { type Batch, type Found, lookBack } from './look-back.ts';

type ListQuery = QueryOf<typeof listInteractionLogs>;
type Page = { items: InteractionLog[]; nextBefore: string | null };

/** Older rows are about to be dropped, a day at a time. */
const reachMs = (keptDays.interactionLogs + 2) * dayMs;
/** A frame may have 256 KiB, so a thousand rows may exceed the memory of their reader. */
const bytesMax = { batch: 4 * 1024 * 1024, conversation: 16 * 1024 * 1024 } as const;
/** A slower page is answered with the rows found so far. */
const pageLimitMs = 6 * secondMs;

/** Newest first, from where `before` left off. */
export async function listLogPage(db: Kysely<Tables>, caller: Caller, query: ListQuery, now: Instant): Promise<Page> {
  const { before, pageSize, ...filter } = query;
  const source = await openLogs(db, caller, filter, now);
  if (source === null) return { items: [], nextBefore: null };
  const beganAt = performance.now();
  const rows: Row[] = [];
  for await (const batch of source.newestFirst(before === undefined ? null : readKey(before), pageSize + 1)) {
    rows.push(...batch.rows);
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    if (rows.length > pageSize && last !== undefined) return { items: page.map(toLog), nextBefore: keyOf(last) };
    if (batch.isLast) break;
    if (performance.now() - beganAt > pageLimitMs) {
      return { items: page.map(toLog), nextBefore: keyOf({ at: batch.reachedAt, id: 0 }) };
    }
  }
  return { items: rows.map(toLog), nextBefore: null };
}

/** The rows of the log that match a filter within the caller's scope. */
export type LogSource = {
  /** In no particular order. */
  all(): LogsQuery;
  /** After `before`, at most `limit` rows a batch, and fewer where they are long. */
  newestFirst(before: Key | null, limit: number): AsyncGenerator<Batch<Row>, void>;
};

/** Null when nothing can match. */
export async function openLogs(
  db: Kysely<Tables>,
  caller: Caller,
  filter: LogFilter,
  now: Instant,
): Promise<LogSource | null> {
  const stationIds = await stationsOf(db, caller, filter);
  if (stationIds !== null && stationIds.length === 0) return null;
  const from = filter.from === undefined ? null : parseIso(filter.from);
  const to = filter.to === undefined ? null : parseIso(filter.to);
  const oldest = instant(Math.max(now - reachMs, from ?? 0));
  // A frame may be a moment younger than the request.
  const newest = instant(Math.min(to === null ? Infinity : to + 1, now + minuteMs));
  const within = (start: Instant, end: Instant) => {
    const query = whereFiltered(sinceOwn(logsOf(db), caller), filter, seesPersonal(caller))
      .where('log.at', '>=', start)
      .where('log.at', '<', end);
    return stationIds === null ? query : query.where('log.station_id', 'in', stationIds);
  };
  return {
    all: () => within(oldest, newest),
    newestFirst: (before, limit) => {
      const until = instant(before === null ? newest : Math.min(newest, before.at + 1));
      return lookBack({ from: oldest, until, before, limit }, (stretch) => {
        const query = within(stretch.start, stretch.end).orderBy('log.at', 'desc').orderBy('log.id', 'desc');
        const wanted = stretch.before === null ? query : query.where(behind(stretch.before));
        return readFitting(wanted, { rows: stretch.limit, bytes: bytesMax.batch });
      });
    },
  };
}

function behind({ at, id }: Key) {
  return sql<boolean>`(log.at, log.id) < (to_timestamp(${at} / 1000.0), ${id})`;
}

/** One row by its key; null for one that does not exist or is out of scope. */
export async function findLog(db: Kysely<Tables>, caller: Caller, key: string): Promise<InteractionLog | null> {
  const wanted = readKey(key);
  if (wanted === null) return null;
  const query = logsOf(db).where('log.at', '=', wanted.at).where(sql<boolean>`log.id = ${wanted.id}`);
  const [row] = await readRows(scopedLogs(query, caller));
  return row === undefined ? null : toLog(row);
}

/** What a station and we said to each other, oldest first; null for a station out of scope. */
export async function findConversation(
  db: Kysely<Tables>,
  caller: Caller,
  asked: QueryOf<typeof getConversation>,
): Promise<Conversation | null> {
  const station = await scoped(db.selectFrom('stations'), caller, 'stations.agent_id')
    .select(['stations.id', 'stations.number', 'stations.protocol'])
    .where('stations.id', '=', asked.stationId)
    .executeTakeFirst();
  if (station === undefined) return null;
  const [from, to] = [instant(Date.parse(asked.from)), instant(Date.parse(asked.to))];
  let query = sinceOwn(logsOf(db), caller)
    .where('log.station_id', '=', station.id)
    .where('log.at', '>=', from)
    .where('log.at', '<=', to);
  if (asked.hideHeartbeats === true) query = withoutHeartbeats(query);
  const { rows, isCut } = await readFitting(query.orderBy('log.at').orderBy('log.id'), {
    rows: conversationMax,
    bytes: bytesMax.conversation,
  });
  return {
    version: 1,
    protocol: station.protocol as Conversation['protocol'],
    stationNumber: station.number,
    from: toIso(from),
    to: toIso(to),
    isCut,
    exchanges: rows.map(toLog),
  };
}

export function logsOf(db: Kysely<Tables>): LogsQuery {
  return db.selectFrom('interaction_logs as log') as unknown as LogsQuery;
}

/** Without what stations said while they belonged to somebody else, whose riders it names. */
export function sinceOwn(query: LogsQuery, caller: Caller): LogsQuery {
  const { agents } = caller;
  if (agents === 'all') return query;
  return query.where(
    sql<boolean>`not exists (
      select from station_places p
       where p.station_id = log.station_id and (p.agent_id = any(${[...agents]}::bigint[])) is not true
         and coalesce((select min(later.from_at) from station_places later
                        where later.station_id = p.station_id and later.from_at > p.from_at), 'infinity') > log.at)`,
  );
}

function scopedLogs(query: LogsQuery, caller: Caller): LogsQuery {
  if (caller.agents === 'all') return query;
  return sinceOwn(query, caller).where(({ exists, selectFrom }) =>
    exists(
      scoped(selectFrom('stations'), caller, 'stations.agent_id')
        .select('stations.id')
        .whereRef('stations.id', '=', 'log.station_id'),
    ),
  );
}

/** The first rows within these limits, but at least one. */
async function readFitting(query: LogsQuery, max: { rows: number; bytes: number }): Promise<Found<Row>> {
  // Lengths are known without reading the texts.
  const lengths = await query
    .select(['log.at', sql<number>`octet_length(log.request) + coalesce(octet_length(log.answer), 0)`.as('bytes')])
    .limit(max.rows + 1)
    .execute();
  let bytes = 0;
  let fitting = 0;
  for (const length of lengths.slice(0, max.rows)) {
    bytes += length.bytes;
    if (fitting > 0 && bytes > max.bytes) break;
    fitting += 1;
  }
  const [first, last] = [lengths[0], lengths[fitting - 1]];
  if (first === undefined || last === undefined) return { rows: [], isCut: false };
  // Stops at the oldest of these, instead of reading it all again.
  const oldest = instant(Math.min(first.at, last.at));
  const rows = await readRows(query.where('log.at', '>=', oldest).limit(fitting));
  return { rows, isCut: fitting < lengths.length };
}

/** The rows with their stations' numbers, in the order of the query. */
export async function readRows(query: LogsQuery) {
  return query
    .innerJoin('stations', 'stations.id', 'log.station_id')
    .select([
      'log.id',
      'log.at',
      'log.station_id as stationId',
      'stations.number as stationNumber',
      'log.protocol',
      'log.direction',
      'log.action',
      'log.message_id as messageId',
      'log.request',
      'log.answer',
      'log.latency_ms as latencyMs',
      'log.fault',
    ])
    .execute();
}

export type Row = Awaited<ReturnType<typeof readRows>>[number];

export type Key = { at: Instant; id: number };

/** The last instant of a timestamp with a four-digit year. */
const latestAt = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** `{at}_{id}` of a row; null for anything else. */
function readKey(text: string): Key | null {
  const match = logKeyPattern.exec(text);
  if (match === null || Number(match[1]) > latestAt) return null;
  return { at: instant(Number(match[1])), id: Number(match[2]) };
}

export function keyOf({ at, id }: { at: Instant; id: number }): string {
  return `${at}_${id}`;
}

export function toLog(row: Row): InteractionLog {
  return {
    ...row,
    id: String(row.id),
    key: keyOf(row),
    at: toIso(row.at),
    protocol: row.protocol as InteractionLog['protocol'],
    direction: exchangeDirections.find((known) => known === row.direction) ?? 'from-station',
  };
}
