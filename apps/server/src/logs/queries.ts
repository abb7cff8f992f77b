import {
  type Conversation,
  conversationMax,
  exchangeDirections,
  type getConversation,
  type InteractionLog,
  type listInteractionLogs,
} from '@voltdeck/contract/logs';
import type { QueryOf } from '@voltdeck/contract/route';
import type { StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { scoped } from '../access/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { type LogFilter, type LogsQuery, stationsOf, whereFiltered, withoutHeartbeats } from './filter-logs.ts';

type ListQuery = QueryOf<typeof listInteractionLogs>;
type Page = { items: InteractionLog[]; nextBefore: string | null };

/** The log is looked through backwards in growing stretches, since it is indexed by time only coarsely. */
const stretchesMs = [2 * minuteMs, 15 * minuteMs, 2 * hourMs, 12 * hourMs, 3 * dayMs, 40 * dayMs];
const oldestMs = stretchesMs.reduce((sum, stretch) => sum + stretch, 0);

/** Newest first, from where `before` left off. */
export async function listLogPage(db: Kysely<Tables>, caller: Caller, filter: ListQuery, now: Instant): Promise<Page> {
  const stationIds = await stationsOf(db, caller, filter);
  if (stationIds !== null && stationIds.length === 0) return { items: [], nextBefore: null };
  const cursor = filter.before === undefined ? null : readKey(filter.before);
  const until = instant(Math.min(upperEnd(filter, now), cursor === null ? Number.MAX_SAFE_INTEGER : cursor.at + 1));
  const from = instant(Math.max(until - oldestMs, filter.from === undefined ? 0 : (parseIso(filter.from) ?? 0)));

  const rows: Row[] = [];
  let stretchEnd = until;
  // A few stations are found through their own index at once.
  const stretches = stationIds !== null && stationIds.length <= 20 ? [oldestMs] : stretchesMs;
  for (const stretch of stretches) {
    const stretchStart = instant(Math.max(from, stretchEnd - stretch));
    const wanted = filter.pageSize + 1 - rows.length;
    rows.push(...(await readStretch(db, filter, stationIds, cursor, stretchStart, stretchEnd, wanted)));
    if (rows.length > filter.pageSize || stretchStart <= from) break;
    stretchEnd = stretchStart;
  }
  const page = rows.slice(0, filter.pageSize);
  const last = page.at(-1);
  return {
    items: page.map(toLog),
    nextBefore: rows.length > filter.pageSize && last !== undefined ? keyOf(last) : null,
  };
}

/** Rows from `start` up to, but without, `end`. */
function readStretch(
  db: Kysely<Tables>,
  filter: LogFilter,
  stationIds: readonly StationId[] | null,
  cursor: Key | null,
  start: Instant,
  end: Instant,
  limit: number,
): Promise<Row[]> {
  let query = whereFiltered(logsOf(db), filter).where('log.at', '>=', start).where('log.at', '<', end);
  if (stationIds !== null) query = query.where('log.station_id', 'in', stationIds);
  if (cursor !== null) {
    query = query.where(sql<boolean>`(log.at, log.id) < (to_timestamp(${cursor.at} / 1000.0), ${cursor.id})`);
  }
  return readRows(query.orderBy('log.at', 'desc').orderBy('log.id', 'desc').limit(limit));
}

/** One row by its key; null for one that is not there or not the caller's. */
export async function findLog(db: Kysely<Tables>, caller: Caller, key: string): Promise<InteractionLog | null> {
  const wanted = readKey(key);
  if (wanted === null) return null;
  const query = logsOf(db).where('log.at', '=', wanted.at).where(sql<boolean>`log.id = ${wanted.id}`);
  const [row] = await readRows(scopedLogs(query, caller));
  return row === undefined ? null : toLog(row);
}

/** What a station and we said to each other, oldest first; null for a station that is not the caller's. */
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
  let query = logsOf(db).where('log.station_id', '=', station.id).where('log.at', '>=', from).where('log.at', '<=', to);
  if (asked.hideHeartbeats === true) query = withoutHeartbeats(query);
  const rows = await readRows(
    query
      .orderBy('log.at')
      .orderBy('log.id')
      .limit(conversationMax + 1),
  );
  return {
    version: 1,
    protocol: station.protocol as Conversation['protocol'],
    stationNumber: station.number,
    from: toIso(from),
    to: toIso(to),
    isCut: rows.length > conversationMax,
    exchanges: rows.slice(0, conversationMax).map(toLog),
  };
}

export function logsOf(db: Kysely<Tables>): LogsQuery {
  return db.selectFrom('interaction_logs as log') as unknown as LogsQuery;
}

function scopedLogs(query: LogsQuery, caller: Caller): LogsQuery {
  if (caller.agents === 'all') return query;
  return query.where(({ exists, selectFrom }) =>
    exists(
      scoped(selectFrom('stations'), caller, 'stations.agent_id')
        .select('stations.id')
        .whereRef('stations.id', '=', 'log.station_id'),
    ),
  );
}

/** The rows with the numbers of their stations, in the order of the query. */
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

function upperEnd(filter: Pick<LogFilter, 'to'>, now: Instant): number {
  const to = filter.to === undefined ? null : parseIso(filter.to);
  // A frame may be a moment younger than the question.
  return to === null ? now + minuteMs : to;
}

type Key = { at: Instant; id: number };

/** `{at}_{id}` of a row; null for anything else. */
function readKey(text: string): Key | null {
  const match = /^(\d{1,15})_(\d{1,15})$/.exec(text);
  return match === null ? null : { at: instant(Number(match[1])), id: Number(match[2]) };
}

export function keyOf({ at, id }: { at: Instant; id: number }): string {
  return `${at}_${id}`;
}

function toLog(row: Row): InteractionLog {
  return {
    ...row,
    id: String(row.id),
    key: keyOf(row),
    at: toIso(row.at),
    protocol: row.protocol as InteractionLog['protocol'],
    direction: exchangeDirections.find((known) => known === row.direction) ?? 'from-station',
  };
}
