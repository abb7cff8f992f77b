import type { Protocol } from '@voltdeck/charging/states';
import type { ApiError } from '@voltdeck/contract/errors';
import type { BodyOf } from '@voltdeck/contract/route';
import { commandedStationsMax, type startStationCommands } from '@voltdeck/contract/station-commands';
import { listStations } from '@voltdeck/contract/stations';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Trx } from '../database/transact.ts';
import { listQueryReader } from '../http/list-query.ts';
import { onlyOneOf } from '../http/only-one.ts';
import { stationList } from './queries.ts';

export type ChosenStation = { id: StationId; number: string; protocol: Protocol };

const readQuery = listQueryReader(listStations.query);

/** The selected stations, or those that a filter of the list matches, by number; exactly one of both is given. */
export async function chooseStations(
  trx: Trx,
  caller: Caller,
  wish: Pick<BodyOf<typeof startStationCommands>, 'stationIds' | 'query'>,
  at: Instant,
): Promise<Result<ChosenStation[], ApiError>> {
  const given = onlyOneOf(wish, ['stationIds', 'query']);
  if (!given.ok) return failed({ code: 'request.invalid', fields: [given.error] });
  const { stationIds, query } = wish;
  const columns = ['stations.id', 'stations.number', 'stations.protocol'] as const;
  if (stationIds !== undefined) {
    const ids = [...new Set(stationIds)];
    const rows = await scoped(trx.selectFrom('stations'), caller, 'stations.agent_id')
      .select(columns)
      .where('stations.id', 'in', ids)
      .orderBy('stations.number')
      .execute();
    return rows.length < ids.length ? failed({ code: 'record.not_found' }) : ok(rows);
  }
  const wanted = readQuery(query ?? {});
  if (!wanted.ok) return wanted;
  const filter = wanted.value.filter as Parameters<typeof stationList.filtered>[2];
  const filtered = await stationList.filtered(trx, caller, filter, at);
  if (filtered === null) return ok([]);
  const rows: ChosenStation[] = [];
  for (const part of Array.isArray(filtered) ? filtered : [filtered]) {
    const few = part
      .select(columns)
      .orderBy('stations.number')
      .limit(commandedStationsMax + 1);
    rows.push(...(await few.execute()));
  }
  if (rows.length > commandedStationsMax) {
    return failed({ code: 'station.too_many', params: { max: commandedStationsMax } });
  }
  return ok(rows);
}
