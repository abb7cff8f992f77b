import type { ConnectorKind, ConnectorState } from '@voltdeck/charging/states';
import {
  listExposedPorts,
  listExposedSites,
  listExposedStations,
  partnersNamedMax,
} from '@voltdeck/contract/exposed-sites';
import { codesWithin } from '@voltdeck/regions/regions';
import { defaultProfile } from '@voltdeck/tcec102/profile';
import type { PartnerId, SiteId } from '@voltdeck/units/id';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import {
  connectorIdOf,
  exposedPort,
  exposedPortColumns,
  exposedSite,
  exposedSiteColumns,
  exposedStation,
  exposedStationColumns,
  siteIdOf,
  stationNameOf,
  usualKind,
} from './exposed-sites.ts';
import { ownOperatorId } from './own-code.ts';
import { toldPortOf, toldSiteOf, toldStationOf } from './told-sites.ts';

/** Our own organization code; empty until somebody entered it. */
const ownCode = sql<string>`coalesce(
  (select upper(btrim(value)) from configs where key = ${sql.lit(ownOperatorId.key)}), '')`;

/** Whether a site is shown to a partner, or to any. */
function isExposed(siteId: RawBuilder<unknown>, partnerId: PartnerId | undefined): RawBuilder<boolean> {
  const only = partnerId === undefined ? sql`` : sql`and o.partner_id = ${partnerId}`;
  return sql`exists (select from partner_sites o where o.site_id = ${siteId} ${only})`;
}

/** Whether a station is at a site that is opened and shown. */
function isAtExposedSite(siteId: RawBuilder<unknown>, partnerId: PartnerId | undefined): RawBuilder<boolean> {
  return sql`exists (select from sites s where s.id = ${siteId} and s.opened_at is not null
                        and ${isExposed(sql`s.id`, partnerId)})`;
}

export const exposedSiteList = listSource({
  route: listExposedSites,
  platformOnly: true,
  filtered(db, _caller, { partnerId, name, code, regionCode, state, kind }) {
    let sites = db
      .selectFrom('sites')
      .where('sites.opened_at', 'is not', null)
      .where(isExposed(sql`sites.id`, partnerId));
    if (name !== undefined) sites = sites.where(hasPart('sites.name', 'name', name));
    if (code !== undefined) {
      const id = siteIdOf(code);
      if (id === null) return null;
      sites = sites.where('sites.id', '=', id);
    }
    if (regionCode !== undefined) {
      const { from, to } = codesWithin(regionCode);
      sites = sites.where('sites.region_code', '>=', from).where('sites.region_code', '<=', to);
    }
    if (state !== undefined) sites = sites.where('sites.state', 'in', state);
    if (kind !== undefined) sites = sites.where(sql<boolean>`coalesce(sites.kind, 'other') = any(${kind})`);
    return sites;
  },
  id: sql`sites.id`,
  sorts: { createdAt: sql`sites.created_at`, name: sql`sites.name collate "zh-x-icu"` },
  rows: (db) =>
    db
      .selectFrom('sites')
      .select(exposedSiteColumns)
      .select([
        ownCode.as('ownCode'),
        sql<number>`(select count(*) from stations t where t.site_id = sites.id and t.enabled)::integer`.as(
          'stationCount',
        ),
        sql<string[]>`array(select p.name from partner_sites o join partners p on p.id = o.partner_id
                             where o.site_id = sites.id order by p.name, p.id limit ${sql.lit(partnersNamedMax)})`.as(
          'partnerNames',
        ),
        sql<number>`(select count(*) from partner_sites o where o.site_id = sites.id)::integer`.as('partnerCount'),
      ]),
  toItem: ({ ownCode: code, stationCount, partnerNames, partnerCount, ...row }, { caller: { language } }) => ({
    ...toldSiteOf(exposedSite(row, code), { stationCount, language }),
    id: row.id,
    partnerNames,
    partnerCount,
  }),
});

/** The stations that partners know by a name: by its number, or by its id where the standard has no room for that. */
function stationsNamed(db: Kysely<Tables>, code: string) {
  const id = /^E([1-9]\d{0,14})$/.exec(code)?.[1];
  return db
    .selectFrom('stations')
    .select(['stations.id', 'stations.number'])
    .where((eb) =>
      eb.or([
        eb('stations.number', '=', code),
        ...(id === undefined ? [] : [eb('stations.id', '=', Number(id) as never)]),
      ]),
    );
}

async function stationIdsOf(db: Kysely<Tables>, code: string) {
  const rows = await stationsNamed(db, code).execute();
  return rows.filter(({ id, number }) => stationNameOf(id, number) === code).map(({ id }) => id);
}

export const exposedStationList = listSource({
  route: listExposedStations,
  platformOnly: true,
  async filtered(db, _caller, { partnerId, code, siteCode }) {
    let stations = db
      .selectFrom('stations')
      .where('stations.enabled', '=', true)
      .where(isAtExposedSite(sql`stations.site_id`, partnerId));
    if (code !== undefined) {
      const ids = await stationIdsOf(db, code);
      stations = stations.where(sql<boolean>`stations.id = any(${ids}::bigint[])`);
    }
    if (siteCode !== undefined) {
      const siteId = siteIdOf(siteCode);
      if (siteId === null) return null;
      stations = stations.where('stations.site_id', '=', siteId);
    }
    return stations;
  },
  id: sql`stations.id`,
  sorts: { createdAt: sql`stations.created_at` },
  rows: (db) =>
    db
      .selectFrom('stations')
      .innerJoin('sites', 'sites.id', 'stations.site_id')
      .select(exposedStationColumns)
      .select(['sites.id as siteId', 'sites.name as siteName', 'stations.type'])
      .select(
        sql<(ConnectorKind | null)[]>`array(select c.kind from connectors c
                                             where c.station_id = stations.id and c.registered order by c.number)`.as(
          'kinds',
        ),
      ),
  toItem: ({ siteId, siteName, kinds, type, ...row }) => ({
    ...toldStationOf(exposedStation(row), {
      siteCode: String(siteId),
      siteName,
      kinds: kinds.map((kind) => kind ?? usualKind(type)),
    }),
    id: row.id,
  }),
});

const shownState = sql<ConnectorState>`case when stations.online then connectors.state else 'offline' end`;

export const exposedPortList = listSource({
  route: listExposedPorts,
  platformOnly: true,
  async filtered(db, _caller, { partnerId, code, stationCode, siteCode, state, kind }) {
    let ports = db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .where('connectors.registered', '=', true)
      .where('stations.enabled', '=', true)
      .where(isAtExposedSite(sql`stations.site_id`, partnerId));
    if (code !== undefined) {
      const id = connectorIdOf(code);
      if (id === null) return null;
      ports = ports.where('connectors.id', '=', id);
    }
    if (stationCode !== undefined) {
      const ids = await stationIdsOf(db, stationCode);
      ports = ports.where(sql<boolean>`connectors.station_id = any(${ids}::bigint[])`);
    }
    if (siteCode !== undefined) {
      const siteId: SiteId | null = siteIdOf(siteCode);
      if (siteId === null) return null;
      ports = ports.where('stations.site_id', '=', siteId);
    }
    if (state !== undefined) ports = ports.where(sql<boolean>`${shownState} = any(${state})`);
    if (kind !== undefined) {
      const usualOf = sql`case stations.type when 'fast' then ${usualKind('fast')} else ${usualKind('slow')} end`;
      ports = ports.where(sql<boolean>`coalesce(connectors.kind, ${usualOf}) = any(${kind})`);
    }
    return ports;
  },
  id: sql`connectors.id`,
  sorts: { id: sql`connectors.id` },
  rows: (db) =>
    db
      .selectFrom('connectors')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .innerJoin('sites', 'sites.id', 'stations.site_id')
      .select(exposedPortColumns)
      .select([
        'stations.id as stationId',
        'stations.number',
        'stations.type',
        'stations.max_power_w as stationPowerW',
        'stations.voltage_v as stationVoltageV',
        'stations.current_a as stationCurrentA',
        'sites.id as siteId',
        'sites.name as siteName',
        'connectors.parking_bay as bay',
        'connectors.ground_lock as lock',
        'connectors.state_at as stateAt',
      ])
      .select(shownState.as('state')),
  toItem: ({ stationId, number, type, stationPowerW, stationVoltageV, stationCurrentA, siteId, siteName, ...row }) => {
    const { state, bay, lock, stateAt, ...port } = row;
    const station = { type, powerW: stationPowerW, voltageV: stationVoltageV, currentA: stationCurrentA };
    const of = { stationCode: stationNameOf(stationId, number), siteCode: String(siteId), siteName };
    return {
      ...toldPortOf(exposedPort(port, station), { ...of, state, bay, lock, stateAt }, defaultProfile),
      id: port.id,
    };
  },
});
