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

/** What a station says only to be heard, in the words of each protocol. */
export const heartbeatActions: readonly string[] = [ocppHeartbeat, '0x03'];
/** More stations than this in one filter is no filter. */
const stationsMax = 1_000;

/** The rows that a filter leaves, but for stations and time. The same as `matcher` below, in SQL. */
export function whereFiltered(query: LogsQuery, filter: TailFilter): LogsQuery {
  let filtered = query;
  if (filter.direction !== undefined) filtered = filtered.where('log.direction', 'in', filter.direction);
  if (filter.protocol !== undefined) filtered = filtered.where('log.protocol', 'in', filter.protocol);
  if (filter.action !== undefined) filtered = filtered.where('log.action', 'ilike', containing(filter.action));
  if (filter.hideHeartbeats === true) filtered = withoutHeartbeats(filtered);
  if (filter.faulty !== undefined) filtered = filtered.where('log.fault', filter.faulty ? 'is not' : 'is', null);
  if (filter.text !== undefined) {
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

/** Whether an exchange is one that the filter leaves, but for the station's number. The same as above, in memory. */
export function matcher(filter: TailFilter): (exchange: Heard) => boolean {
  const { stationId, direction, protocol, faulty } = filter;
  const action = filter.action?.toLowerCase();
  const spellings = filter.text === undefined ? null : spellingsOf(filter.text).map((text) => text.toLowerCase());
  return (exchange) =>
    (stationId === undefined || exchange.stationId === stationId) &&
    (direction === undefined || direction.includes(exchange.direction)) &&
    (protocol === undefined || protocol.includes(exchange.protocol)) &&
    (action === undefined || exchange.action?.toLowerCase().includes(action) === true) &&
    (filter.hideHeartbeats !== true || exchange.action === null || !heartbeatActions.includes(exchange.action)) &&
    (faulty === undefined || (exchange.fault !== null) === faulty) &&
    (spellings === null || says(exchange, spellings));
}

function says({ request, answer }: Heard, spellings: readonly string[]): boolean {
  const texts = [request.toLowerCase(), answer?.toLowerCase() ?? ''];
  return spellings.some((spelling) => texts.some((text) => text.includes(spelling)));
}

/** Bytes are kept without spaces; people write `68 0C`, `68-0c` or `0x68 0x0C`. */
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
