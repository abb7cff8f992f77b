import { exchangeDirections, type InteractionLog, type listInteractionLogs } from '@voltdeck/contract/logs';
import type { QueryOf } from '@voltdeck/contract/route';
import { heartbeatAction as ocppHeartbeat } from '@voltdeck/ocpp16/messages/actions';
import type { StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, parseIso, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { scoped } from '../access/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';

type Filter = QueryOf<typeof listInteractionLogs>;
type Page = { items: InteractionLog[]; nextBefore: string | null };

/** What a station says only to be heard, in the words of each protocol. */
const heartbeatActions = [ocppHeartbeat];
/** More stations than this in one filter is no filter. */
const stationsMax = 1_000;
/** The log is looked through backwards in growing stretches, since it is indexed by time only coarsely. */
const stretchesMs = [2 * minuteMs, 15 * minuteMs, 2 * hourMs, 12 * hourMs, 3 * dayMs, 40 * dayMs];
const oldestMs = stretchesMs.reduce((sum, stretch) => sum + stretch, 0);

/** Newest first, from where `before` left off. */
export async function listLogPage(db: Kysely<Tables>, caller: Caller, filter: Filter, now: Instant): Promise<Page> {
  const stationIds = await stationsOf(db, caller, filter);
  if (stationIds !== null && stationIds.length === 0) return { items: [], nextBefore: null };
  const cursor = readCursor(filter.before);
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
    nextBefore: rows.length > filter.pageSize && last !== undefined ? `${last.at}_${last.id}` : null,
  };
}

type Row = Awaited<ReturnType<typeof readStretch>>[number];

/** Rows from `start` up to, but without, `end`. */
function readStretch(
  db: Kysely<Tables>,
  filter: Filter,
  stationIds: readonly StationId[] | null,
  cursor: Cursor | null,
  start: Instant,
  end: Instant,
  limit: number,
) {
  let query = db
    .selectFrom('interaction_logs as log')
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
    .where('log.at', '>=', start)
    .where('log.at', '<', end);
  if (stationIds !== null) query = query.where('log.station_id', 'in', stationIds);
  if (filter.direction !== undefined) query = query.where('log.direction', 'in', filter.direction);
  if (filter.protocol !== undefined) query = query.where('log.protocol', 'in', filter.protocol);
  if (filter.action !== undefined) query = query.where('log.action', 'ilike', containing(filter.action));
  if (filter.hideHeartbeats === true) {
    query = query.where((eb) => eb.or([eb('log.action', 'is', null), eb('log.action', 'not in', heartbeatActions)]));
  }
  if (filter.text !== undefined) {
    const pattern = containing(filter.text);
    query = query.where((eb) => eb.or([eb('log.request', 'ilike', pattern), eb('log.answer', 'ilike', pattern)]));
  }
  if (cursor !== null) {
    query = query.where(sql<boolean>`(log.at, log.id) < (to_timestamp(${cursor.at} / 1000.0), ${cursor.id})`);
  }
  return query.orderBy('log.at', 'desc').orderBy('log.id', 'desc').limit(limit).execute();
}

/** The stations that may appear: null for all of them. */
async function stationsOf(db: Kysely<Tables>, caller: Caller, filter: Filter): Promise<StationId[] | null> {
  if (caller.agents === 'all' && filter.stationNumber === undefined) {
    return filter.stationId === undefined ? null : [filter.stationId];
  }
  let query = scoped(db.selectFrom('stations'), caller, 'stations.agent_id').select('id');
  if (filter.stationId !== undefined) query = query.where('id', '=', filter.stationId);
  if (filter.stationNumber !== undefined) query = query.where('number', 'ilike', containing(filter.stationNumber));
  const limited = filter.stationNumber === undefined ? query : query.limit(stationsMax);
  return (await limited.execute()).map(({ id }) => id);
}

function upperEnd(filter: Filter, now: Instant): number {
  const to = filter.to === undefined ? null : parseIso(filter.to);
  // A frame may be a moment younger than the question.
  return to === null ? now + minuteMs : to;
}

type Cursor = { at: number; id: number };

/** `{at}_{id}` of the last row; anything else starts from the newest. */
function readCursor(before: string | undefined): Cursor | null {
  const match = /^(\d{1,15})_(\d{1,15})$/.exec(before ?? '');
  return match === null ? null : { at: Number(match[1]), id: Number(match[2]) };
}

function toLog(row: Row): InteractionLog {
  return {
    ...row,
    id: String(row.id),
    key: `${row.at}_${row.id}`,
    at: toIso(row.at),
    protocol: row.protocol as InteractionLog['protocol'],
    direction: exchangeDirections.find((known) => known === row.direction) ?? 'from-station',
  };
}
