import type { PartnerSite } from '@voltdeck/charging/partner-site';
import type {
  ConnectorKind,
  ConnectorState,
  GroundLockState,
  NationalStandard,
  ParkingBayState,
} from '@voltdeck/charging/states';
import { listPulledPorts, listPulledSites, listPulledStations } from '@voltdeck/contract/pulled-sites';
import { codesWithin } from '@voltdeck/regions/regions';
import { defaultProfile, readProfile } from '@voltdeck/tcec102/profile';
import type { Watts } from '@voltdeck/units/energy';
import { isoOrNull, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.generated.ts';
import { listSource } from '../../http/list-source.ts';
import { hasPart } from '../../http/part-of-text.ts';
import { toldPortOf, toldSiteOf, toldStationOf } from '../told-sites.ts';

export const pulledSiteList = listSource({
  route: listPulledSites,
  platformOnly: true,
  filtered(db, _caller, { partnerId, name, code, regionCode, state, kind, missing }) {
    let sites = db.selectFrom('pulled_sites');
    if (partnerId !== undefined) sites = sites.where('pulled_sites.partner_id', '=', partnerId);
    if (name !== undefined) sites = sites.where(hasPart('pulled_sites.name', 'name', name));
    if (code !== undefined) sites = sites.where('pulled_sites.code', '=', code);
    if (regionCode !== undefined) {
      const { from, to } = codesWithin(regionCode);
      sites = sites.where('pulled_sites.region_code', '>=', from).where('pulled_sites.region_code', '<=', to);
    }
    if (state !== undefined) sites = sites.where('pulled_sites.state', 'in', state);
    if (kind !== undefined) sites = sites.where('pulled_sites.kind', 'in', kind);
    if (missing !== undefined) sites = sites.where('pulled_sites.missing_at', missing ? 'is not' : 'is', null);
    return sites;
  },
  id: sql`pulled_sites.id`,
  sorts: { addedAt: sql`pulled_sites.added_at`, name: sql`pulled_sites.name collate "zh-x-icu"` },
  rows: (db) =>
    db
      .selectFrom('pulled_sites')
      .innerJoin('partners', 'partners.id', 'pulled_sites.partner_id')
      .select([
        'pulled_sites.id',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'pulled_sites.missing_at as missingAt',
        'pulled_sites.added_at as addedAt',
        'pulled_sites.changed_at as changedAt',
        'pulled_sites.seen_at as seenAt',
      ])
      .select([
        // Its stations have rows of their own.
        sql<Omit<PartnerSite, 'stations'>>`pulled_sites.told - 'stations'`.as('told'),
        sql<number>`(select count(*) from pulled_stations t where t.site_id = pulled_sites.id)::integer`.as(
          'stationCount',
        ),
      ]),
  toItem: ({ told, stationCount, ...row }, { caller: { language } }) => ({
    ...toldSiteOf(told, { stationCount, language }),
    ...row,
    missingAt: isoOrNull(row.missingAt),
    addedAt: toIso(row.addedAt),
    changedAt: toIso(row.changedAt),
    seenAt: toIso(row.seenAt),
  }),
});

/** The sites with a code; more than one only where partners name theirs alike. */
function sitesWithCode(db: Kysely<Tables>, code: string) {
  return db.selectFrom('pulled_sites').select('pulled_sites.id').where('pulled_sites.code', '=', code);
}

function missingSites(db: Kysely<Tables>) {
  return db.selectFrom('pulled_sites').select('pulled_sites.id').where('pulled_sites.missing_at', 'is not', null);
}

export const pulledStationList = listSource({
  route: listPulledStations,
  platformOnly: true,
  filtered(db, _caller, { partnerId, code, siteCode, missing }) {
    let stations = db.selectFrom('pulled_stations');
    if (partnerId !== undefined) stations = stations.where('pulled_stations.partner_id', '=', partnerId);
    if (code !== undefined) stations = stations.where('pulled_stations.code', '=', code);
    if (siteCode !== undefined) stations = stations.where('pulled_stations.site_id', 'in', sitesWithCode(db, siteCode));
    if (missing !== undefined) {
      stations = stations.where('pulled_stations.site_id', missing ? 'in' : 'not in', missingSites(db));
    }
    return stations;
  },
  id: sql`pulled_stations.id`,
  sorts: { addedAt: sql`pulled_stations.added_at` },
  rows: (db) =>
    db
      .selectFrom('pulled_stations')
      .innerJoin('pulled_sites', 'pulled_sites.id', 'pulled_stations.site_id')
      .innerJoin('partners', 'partners.id', 'pulled_stations.partner_id')
      .select([
        'pulled_stations.id',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'pulled_sites.code as siteCode',
        'pulled_sites.name as siteName',
        'pulled_sites.missing_at as missingAt',
        'pulled_stations.code',
        'pulled_stations.name',
        'pulled_stations.manufacturer',
        'pulled_stations.manufacturer_code as manufacturerCode',
        'pulled_stations.model',
        'pulled_stations.produced_on as producedOn',
        'pulled_stations.power_w as powerW',
        'pulled_stations.added_at as addedAt',
      ])
      .select(
        sql<ConnectorKind[]>`array(select p.kind from pulled_ports p where p.station_id = pulled_stations.id)`.as(
          'kinds',
        ),
      ),
  toItem: ({ id, partnerId, partnerName, missingAt, addedAt, code, powerW, ...row }) => ({
    ...toldStationOf({ ...row, id: code, powerW: powerW as Watts }, row),
    id,
    partnerId,
    partnerName,
    missingAt: isoOrNull(missingAt),
    addedAt: toIso(addedAt),
  }),
});

export const pulledPortList = listSource({
  route: listPulledPorts,
  platformOnly: true,
  filtered(db, _caller, { partnerId, code, stationCode, siteCode, state, kind, missing }) {
    let ports = db.selectFrom('pulled_ports');
    const stationsAt = (sites: ReturnType<typeof missingSites>) =>
      db.selectFrom('pulled_stations').select('pulled_stations.id').where('pulled_stations.site_id', 'in', sites);
    if (partnerId !== undefined) ports = ports.where('pulled_ports.partner_id', '=', partnerId);
    if (code !== undefined) ports = ports.where('pulled_ports.code', '=', code);
    if (stationCode !== undefined) {
      const stations = db.selectFrom('pulled_stations').select('id').where('pulled_stations.code', '=', stationCode);
      ports = ports.where('pulled_ports.station_id', 'in', stations);
    }
    if (siteCode !== undefined) {
      ports = ports.where('pulled_ports.station_id', 'in', stationsAt(sitesWithCode(db, siteCode)));
    }
    if (state !== undefined) ports = ports.where('pulled_ports.state', 'in', state);
    if (kind !== undefined) ports = ports.where('pulled_ports.kind', 'in', kind);
    if (missing !== undefined) {
      ports = ports.where('pulled_ports.station_id', missing ? 'in' : 'not in', stationsAt(missingSites(db)));
    }
    return ports;
  },
  id: sql`pulled_ports.id`,
  sorts: { addedAt: sql`pulled_ports.added_at` },
  rows: (db) =>
    db
      .selectFrom('pulled_ports')
      .innerJoin('pulled_stations', 'pulled_stations.id', 'pulled_ports.station_id')
      .innerJoin('pulled_sites', 'pulled_sites.id', 'pulled_stations.site_id')
      .innerJoin('partners', 'partners.id', 'pulled_ports.partner_id')
      .select([
        'pulled_ports.id',
        'partners.id as partnerId',
        'partners.name as partnerName',
        'partners.profile',
        'pulled_sites.code as siteCode',
        'pulled_sites.name as siteName',
        'pulled_sites.missing_at as missingAt',
        'pulled_stations.code as stationCode',
        'pulled_ports.code',
        'pulled_ports.name',
        'pulled_ports.voltage_min_v as voltageMinV',
        'pulled_ports.voltage_max_v as voltageMaxV',
        'pulled_ports.current_a as currentA',
        'pulled_ports.power_w as powerW',
        'pulled_ports.bay_number as bayNumber',
        'pulled_ports.state_at as stateAt',
        'pulled_ports.added_at as addedAt',
      ])
      .select([
        sql<ConnectorKind>`pulled_ports.kind`.as('kind'),
        sql<NationalStandard>`pulled_ports.national_standard`.as('nationalStandard'),
        sql<ConnectorState>`pulled_ports.state`.as('state'),
        sql<ParkingBayState | null>`pulled_ports.bay`.as('bay'),
        sql<GroundLockState | null>`pulled_ports.lock`.as('lock'),
      ]),
  toItem: ({ id, partnerId, partnerName, profile, missingAt, addedAt, ...row }) => {
    const { code, name, kind, nationalStandard, voltageMinV, voltageMaxV, currentA, bayNumber } = row;
    const powerW = row.powerW as Watts;
    const port = { id: code, name, kind, nationalStandard, voltageMinV, voltageMaxV, currentA, powerW, bayNumber };
    const known = readProfile(profile);
    return {
      ...toldPortOf(port, row, known.ok ? known.value : defaultProfile),
      id,
      partnerId,
      partnerName,
      missingAt: isoOrNull(missingAt),
      addedAt: toIso(addedAt),
    };
  },
});
