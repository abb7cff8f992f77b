import type { PartnerStatistics } from '@voltdeck/charging/partner-site';
import { pageOf, statsSpan } from '@voltdeck/tcec102/conversation';
import type { Message } from '@voltdeck/tcec102/messages/all';
import { exposureFaults, stationInfoOf, stationStatsOf, stationStatusInfoOf } from '@voltdeck/tcec102/translate';
import { type WattHours, wattHours } from '@voltdeck/units/energy';
import type { SiteId } from '@voltdeck/units/id';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { openSites, openSitesSince, readExposedSites, readPortStates, siteIdOf } from '../exposed-sites.ts';
import type { Partner } from '../partner.ts';

/** The stations that are open to a partner, or those that changed since it asked last, by pages. */
export async function tellStations(
  db: Kysely<Tables>,
  partner: Partner,
  ownCode: string,
  asked: Message<'query_stations_info', 'request'>,
): Promise<Message<'query_stations_info', 'answer'>> {
  const since = asked.LastQueryTime ?? null;
  const sites = () => openSitesSince(db, partner.id, since);
  const { count } = await sites()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const page = pageOf({ PageNo: asked.PageNo, PageSize: asked.PageSize }, count);
  const ids = await sites().select('s.id').orderBy('s.id').limit(page.pageSize).offset(page.offset).execute();
  const exposed = await readExposedSites(
    db,
    ids.map(({ id }) => id),
    ownCode,
  );
  return {
    PageNo: page.pageNo,
    PageCount: page.pageCount,
    ItemSize: count,
    StationInfos: exposed
      .filter((site) => exposureFaults(site, partner.profile).length === 0)
      .map((site) => stationInfoOf(site, partner.profile)),
  };
}

/** What the gun ports of named stations are doing. Stations that are not open to the partner are left out. */
export async function tellStationStatus(
  db: Kysely<Tables>,
  partner: Partner,
  asked: Message<'query_station_status', 'request'>,
): Promise<Message<'query_station_status', 'answer'>> {
  const siteIds = await openAmong(db, partner, asked.StationIDs);
  const states = Map.groupBy(await readPortStates(db, { siteIds }), ({ siteId }) => siteId);
  return {
    Total: siteIds.length,
    StationStatusInfos: siteIds.map((id) => stationStatusInfoOf(String(id), states.get(id) ?? [])),
  };
}

async function openAmong(db: Kysely<Tables>, partner: Partner, names: readonly string[]): Promise<SiteId[]> {
  const asked = names.flatMap((name) => siteIdOf(name) ?? []);
  if (asked.length === 0) return [];
  const rows = await openSites(db, partner.id).select('s.id').where('s.id', 'in', asked).orderBy('s.id').execute();
  return rows.map(({ id }) => id);
}

/** Why there are no statistics: a text for Msg, with Ret 4004. */
export type StatsFault = 'StationID' | 'StartTime' | 'EndTime';

/** The energy that the gun ports of a station delivered on some days, by the day in which a charge ended. */
export async function tellStatistics(
  db: Kysely<Tables>,
  partner: Partner,
  ownCode: string,
  asked: Message<'query_station_stats', 'request'>,
): Promise<Message<'query_station_stats', 'answer'> | StatsFault> {
  const span = statsSpan(asked.StartTime, asked.EndTime);
  if (!span.ok) return span.error === 'not-a-date' ? 'StartTime' : 'EndTime';
  const [siteId] = await openAmong(db, partner, [asked.StationID]);
  if (siteId === undefined) return 'StationID';
  const { from, to } = span.value;
  const [site] = await readExposedSites(db, [siteId], ownCode);
  const { rows } = await sql<{ portId: string; energyWh: WattHours }>`
    select connector_id::text as "portId", sum(energy_wh)::bigint as "energyWh"
      from orders
     where site_id = ${siteId} and state = 'completed'
       -- A charge lasts a week at most, which keeps the range of the index small.
       and placed_at >= to_timestamp(${from} / 1000.0) - interval '8 days' and placed_at < to_timestamp(${to} / 1000.0)
       and ended_at >= to_timestamp(${from} / 1000.0) and ended_at < to_timestamp(${to} / 1000.0)
     group by connector_id`.execute(db);
  const energyOf = new Map(rows.map(({ portId, energyWh }) => [portId, energyWh]));
  const sumOf = (parts: readonly { energyWh: WattHours }[]) =>
    wattHours(parts.reduce((sum, { energyWh }) => sum + energyWh, 0));
  const stations = (site?.stations ?? []).map(({ id, ports }) => {
    const told = ports.map((port) => ({ portId: port.id, energyWh: energyOf.get(port.id) ?? wattHours(0) }));
    return { stationId: id, energyWh: sumOf(told), ports: told };
  });
  const statistics: PartnerStatistics = {
    siteId: asked.StationID,
    firstDay: asked.StartTime,
    lastDay: asked.EndTime,
    energyWh: sumOf(stations),
    stations,
  };
  return { StationStats: stationStatsOf(statistics) };
}
