import type { InteractionLog, listInteractionLogs, tailInteractionLogs } from '@voltdeck/contract/logs';
import type { QueryOf } from '@voltdeck/contract/route';
import { heartbeatAction as ocppHeartbeat } from '@voltdeck/ocpp16/messages/actions';
import type { StationId } from '@voltdeck/units/id';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';

export type LogFilter = Omit<QueryOf<typeof listInteractionLogs>, 'before' | 'pageSize'>;
export type TailFilter = QueryOf<typeof tailInteractionLogs>;
export type LogsQuery = SelectQueryBuilder<{ log: Tables['interaction_logs'] } & Tables, 'log', object>;

/** Keep-alive messages of each protocol. */
export const heartbeatActions: readonly string[] = [ocppHeartbeat, '0x03'];
/** A filter that matches more stations than this is ignored as a filter by station. */
const stationsMax = 1_000;

/** The rows that match a filter, except its stations and time. The SQL counterpart of `matcher` below. */
export function whereFiltered(query: LogsQuery, filter: TailFilter, seesWhole: boolean): LogsQuery {
  let filtered = query;
  if (filter.direction !== undefined) filtered = filtered.where('log.direction', 'in', filter.direction);
  if (filter.protocol !== undefined) filtered = filtered.where('log.protocol', 'in', filter.protocol);
  if (filter.action !== undefined) filtered = filtered.where('log.action', 'ilike', containing(filter.action));
  if (filter.hideHeartbeats === true) filtered = withoutHeartbeats(filtered);
  if (filter.faulty !== undefined) filtered = filtered.where('log.fault', filter.faulty ? 'is not' : 'is', null);
  if (filter.text !== undefined && !seesWhole) {
    const pattern = wholeWord(filter.text);
    filtered = filtered.where((eb) => eb.or([eb('log.request', '~*', pattern), eb('log.answer', '~*', pattern)]));
  } else if (filter.text !== undefined) {
    const patterns = spellingsOf(filter.text).map(containing);
    filtered = filtered.where((eb) =>
      eb.or(patterns.flatMap((pattern) => [eb('log.request', 'ilike', pattern), eb('log.answer', 'ilike', pattern)])),
    );
  }
  return filtered;
}

export function withoutHeartbeats(query: LogsQuery): LogsQuery {
  return query.where((eb) => eb.or([eb('log.action', 'is', null), eb('log.action', 'not in', heartbeatActions)]));
}

type Heard = Pick<InteractionLog, 'stationId' | 'direction' | 'protocol' | 'action' | 'fault' | 'request' | 'answer'>;

/** Whether an exchange matches the filter, except its station's number. The in-memory counterpart of the above. */
export function matcher(filter: TailFilter, seesWhole: boolean): (exchange: Heard) => boolean {
  const { stationId, direction, protocol, faulty } = filter;
  const action = filter.action?.toLowerCase();
  const { text } = filter;
  const says = text === undefined ? null : seesWhole ? saying(text) : sayingWord(text);
  return (exchange) =>
    (stationId === undefined || exchange.stationId === stationId) &&
    (direction === undefined || direction.includes(exchange.direction)) &&
    (protocol === undefined || protocol.includes(exchange.protocol)) &&
    (action === undefined || exchange.action?.toLowerCase().includes(action) === true) &&
    (filter.hideHeartbeats !== true || exchange.action === null || !heartbeatActions.includes(exchange.action)) &&
    (faulty === undefined || (exchange.fault !== null) === faulty) &&
    (says === null || says(exchange.request) || (exchange.answer !== null && says(exchange.answer)));
}

function saying(text: string): (frame: string) => boolean {
  const spellings = spellingsOf(text).map((spelling) => spelling.toLowerCase());
  return (frame) => {
    const lower = frame.toLowerCase();
    return spellings.some((spelling) => lower.includes(spelling));
  };
}

function sayingWord(text: string): (frame: string) => boolean {
  const pattern = new RegExp(wholeWord(text), 'i');
  return (frame) => pattern.test(frame);
}

/**
 * Callers who see frames masked can only search whole words, so that they cannot probe a card digit by digit. A word is
 * what stands between quotes, commas and brackets; the bytes of a binary frame are one word.
 */
function wholeWord(text: string): string {
  const literally = text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
  return String.raw`(^|["\[\]{},\s])${literally}(["\[\]{},\s]|$)`;
}

/** Bytes are stored without spaces; people write `68 0C`, `68-0c` or `0x68 0x0C`. */
function spellingsOf(text: string): string[] {
  const bytes = text.replaceAll(/0x/gi, '').replaceAll(/[\s:,-]/g, '');
  const isBytes = bytes.length >= 2 && bytes !== text && /^[0-9a-f]+$/i.test(bytes);
  return isBytes ? [text, bytes] : [text];
}

/** The stations that may appear: null for all of them. */
export async function stationsOf(
  db: Kysely<Tables>,
  caller: Pick<Caller, 'agents' | 'customerId'>,
  filter: Pick<LogFilter, 'stationId' | 'stationNumber'>,
): Promise<StationId[] | null> {
  if (caller.agents === 'all' && filter.stationNumber === undefined) {
    return filter.stationId === undefined ? null : [filter.stationId];
  }
  let query = scoped(db.selectFrom('stations'), caller, 'stations.agent_id').select('id');
  if (filter.stationId !== undefined) query = query.where('id', '=', filter.stationId);
  if (filter.stationNumber !== undefined) query = query.where('number', 'ilike', containing(filter.stationNumber));
  const limited = filter.stationNumber === undefined ? query : query.limit(stationsMax);
  return (await limited.execute()).map(({ id }) => id);
}
