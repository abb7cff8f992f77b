import type { PartnerPort, PartnerPortState, PartnerSite, PartnerStation } from '@voltdeck/charging/partner-site';
import type { ConnectorKind, NationalStandard } from '@voltdeck/charging/states';
import { fromWgs84 } from '@voltdeck/regions/datum';
import type { Watts } from '@voltdeck/units/energy';
import type { ConnectorId, PartnerId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';

/**
 * How partners name ours: a site and a gun port by the id that they keep for good, since their numbers change hands when
 * a gun is moved; a station by its number where the standard has room for it.
 */
export function siteIdOf(text: string): SiteId | null {
  return /^[1-9]\d{0,14}$/.test(text) ? (Number(text) as SiteId) : null;
}

export function connectorIdOf(text: string): ConnectorId | null {
  return /^[1-9]\d{0,14}$/.test(text) ? (Number(text) as ConnectorId) : null;
}

const stationNumberCharsMax = 23;

/** A station as partners know it. */
export function stationNameOf(id: StationId, number: string): string {
  return number.length <= stationNumberCharsMax && /^[!-~]+$/.test(number) ? number : `E${id}`;
}

/** The sites that are open to a partner, in an order that does not change between pages. */
export function openSites(db: Kysely<Tables>, partnerId: PartnerId) {
  return db
    .selectFrom('partner_sites as o')
    .innerJoin('sites as s', 's.id', 'o.site_id')
    .where('o.partner_id', '=', partnerId)
    .where('s.opened_at', 'is not', null);
}

/** Those of them whose data, or those of their stations and gun ports, changed since an instant; null for all. */
export function openSitesSince(db: Kysely<Tables>, partnerId: PartnerId, since: Instant | null) {
  return openSites(db, partnerId).$if(since !== null, (sites) =>
    sites.where((eb) => eb.or([eb('s.told_changed_at', '>=', since), eb('o.opened_at', '>=', since)])),
  );
}

/** A registered gun port `c` of a station `t` at a site that is open to a partner; its agreed rule is that of `o`. */
export function openPort(db: Kysely<Tables>, partnerId: PartnerId, connectorId: ConnectorId) {
  return openSites(db, partnerId)
    .innerJoin('stations as t', 't.site_id', 's.id')
    .innerJoin('connectors as c', 'c.station_id', 't.id')
    .where('c.id', '=', connectorId)
    .where('c.registered', '=', true);
}

export const exposedSiteColumns = [
  'sites.id',
  'sites.name',
  'sites.region_code as regionCode',
  'sites.address',
  'sites.longitude',
  'sites.latitude',
  'sites.site_phone as sitePhone',
  'sites.service_phone as servicePhone',
  'sites.kind',
  'sites.place',
  'sites.state',
  'sites.bay_count as bayCount',
  'sites.directions',
  'sites.vehicles',
  'sites.open_all_day as openAllDay',
  'sites.opening_hours as openingHours',
  'sites.parking_fee as parkingFee',
  'sites.parking_info as parkingInfo',
  'sites.payment_info as paymentInfo',
  'sites.reservable',
  'sites.remark',
] as const;

type SiteRow = {
  id: SiteId;
  name: string;
  regionCode: string;
  address: string;
  longitude: number;
  latitude: number;
  sitePhone: string;
  servicePhone: string;
  kind: PartnerSite['kind'] | null;
  place: PartnerSite['place'] | null;
  state: PartnerSite['state'];
  bayCount: number;
  directions: string;
  vehicles: string;
  openAllDay: boolean;
  openingHours: string;
  parkingFee: string;
  parkingInfo: string;
  paymentInfo: string;
  reservable: boolean;
  remark: string;
};

/** A site as `ownCode` shows it. */
export function exposedSite(site: SiteRow, ownCode: string): Omit<PartnerSite, 'stations'> {
  const shifted = fromWgs84(site, 'gcj02');
  return {
    id: String(site.id),
    operatorCode: ownCode,
    ownerCode: ownCode,
    name: site.name,
    regionCode: site.regionCode,
    address: site.address,
    sitePhone: orNull(site.sitePhone),
    servicePhone: site.servicePhone,
    kind: site.kind ?? 'other',
    place: site.place ?? 'other',
    state: site.state,
    bayCount: site.bayCount,
    longitudeE6: Math.round(shifted.longitude * 1e6),
    latitudeE6: Math.round(shifted.latitude * 1e6),
    directions: orNull(site.directions),
    pictures: [],
    vehicles: orNull(site.vehicles),
    openAllDay: site.openAllDay,
    openingHours: orNull(site.openingHours),
    electricityFee: null,
    serviceFee: null,
    parkingFee: orNull(site.parkingInfo),
    parkingIsFree: site.parkingFee === 'free',
    parkingInfo: orNull(site.parkingInfo),
    paymentInfo: orNull(site.paymentInfo),
    reservable: site.reservable,
    remark: orNull(site.remark),
  };
}

export const exposedStationColumns = [
  'stations.id',
  'stations.number',
  'stations.name',
  'stations.manufacturer',
  'stations.manufacturer_code as manufacturerCode',
  'stations.equipment_model as model',
  'stations.produced_on as producedOn',
  'stations.max_power_w as powerW',
] as const;

type StationRow = {
  id: StationId;
  number: string;
  name: string;
  manufacturer: string | null;
  manufacturerCode: string | null;
  model: string | null;
  producedOn: string | null;
  powerW: Watts;
};

export function exposedStation(station: StationRow): Omit<PartnerStation, 'ports'> {
  return {
    id: stationNameOf(station.id, station.number),
    name: orNull(station.name),
    manufacturer: orNull(station.manufacturer),
    manufacturerCode: orNull(station.manufacturerCode),
    model: orNull(station.model),
    producedOn: station.producedOn,
    powerW: station.powerW,
  };
}

export const exposedPortColumns = [
  'connectors.id',
  'connectors.name',
  'connectors.kind',
  'connectors.national_standard as nationalStandard',
  'connectors.rated_voltage_min_v as voltageMinV',
  'connectors.rated_voltage_max_v as voltageMaxV',
  'connectors.rated_current_a as currentA',
  'connectors.rated_power_w as powerW',
  'connectors.bay_number as bayNumber',
] as const;

/** Whole sites with their stations and gun ports, by id, as `ownCode` shows them. */
export async function readExposedSites(
  db: Kysely<Tables>,
  siteIds: readonly SiteId[],
  ownCode: string,
): Promise<PartnerSite[]> {
  if (siteIds.length === 0) return [];
  const sites = await db
    .selectFrom('sites')
    .select(exposedSiteColumns)
    .where('sites.id', 'in', siteIds)
    .orderBy('sites.id')
    .execute();
  const stations = await db
    .selectFrom('stations')
    .select(exposedStationColumns)
    .select(['stations.site_id as siteId', 'stations.type', 'stations.voltage_v as voltageV'])
    .select('stations.current_a as currentA')
    .where('stations.site_id', 'in', siteIds)
    .where('stations.enabled', '=', true)
    .orderBy('stations.id')
    .execute();
  const stationIds = stations.map(({ id }) => id);
  const ports =
    stationIds.length === 0
      ? []
      : await db
          .selectFrom('connectors')
          .select(exposedPortColumns)
          .select('connectors.station_id as stationId')
          .where('connectors.station_id', 'in', stationIds)
          .where('connectors.registered', '=', true)
          .orderBy('connectors.number')
          .execute();
  const portsOf = Map.groupBy(ports, ({ stationId }) => stationId);
  const stationsOf = Map.groupBy(stations, ({ siteId }) => siteId);
  return sites.map((site) => ({
    ...exposedSite(site, ownCode),
    stations: (stationsOf.get(site.id) ?? []).map((station) => ({
      ...exposedStation(station),
      ports: (portsOf.get(station.id) ?? []).map((port) => exposedPort(port, station)),
    })),
  }));
}

/** What a gun port is where nobody entered it. */
export function usualKind(type: keyof typeof usual): ConnectorKind {
  return usual[type].kind;
}

/** What a port is taken for where nobody entered its own rating; the standard leaves none of it out. */
const usual = {
  fast: { kind: 'dc_plug', voltageMinV: 200, voltageMaxV: 750 },
  slow: { kind: 'ac_plug', voltageMinV: 220, voltageMaxV: 220 },
} as const;

/** What a gun port is shown as; what nobody entered of it is its station's, or the usual. */
export function exposedPort(
  port: {
    id: ConnectorId;
    name: string;
    kind: ConnectorKind | null;
    nationalStandard: NationalStandard | null;
    voltageMinV: number | null;
    voltageMaxV: number | null;
    currentA: number | null;
    powerW: Watts | null;
    bayNumber: string | null;
  },
  station: { type: 'fast' | 'slow'; powerW: Watts; voltageV: number | null; currentA: number | null },
): PartnerPort {
  const otherwise = usual[station.type];
  const voltageMaxV = port.voltageMaxV ?? station.voltageV ?? otherwise.voltageMaxV;
  const powerW = port.powerW ?? station.powerW;
  return {
    id: String(port.id),
    name: orNull(port.name),
    kind: port.kind ?? otherwise.kind,
    nationalStandard: port.nationalStandard ?? '2015',
    voltageMinV: Math.min(port.voltageMinV ?? otherwise.voltageMinV, voltageMaxV),
    voltageMaxV,
    currentA: port.currentA ?? station.currentA ?? Math.round(powerW / voltageMaxV),
    powerW,
    bayNumber: orNull(port.bayNumber),
  };
}

function orNull(text: string | null): string | null {
  return text === null || text === '' ? null : text;
}

/** What the gun ports of sites are doing now. */
export async function readPortStates(
  db: Kysely<Tables>,
  of: { siteIds: readonly SiteId[] } | { connectorId: ConnectorId },
): Promise<(PartnerPortState & { siteId: SiteId; stationName: string })[]> {
  const rows = await db
    .selectFrom('connectors as c')
    .innerJoin('stations as t', 't.id', 'c.station_id')
    .select(['c.id', 't.site_id as siteId', 't.id as stationId', 't.number', 'c.ground_lock as lock'])
    .select('c.parking_bay as bay')
    .select(sql<PartnerPortState['state']>`case when t.online then c.state else 'offline' end`.as('state'))
    .where((eb) =>
      'connectorId' in of ? eb('c.id', '=', of.connectorId) : eb('t.site_id', 'in', [...of.siteIds, 0 as SiteId]),
    )
    .where('c.registered', '=', true)
    .where('t.enabled', '=', true)
    .orderBy('c.id')
    .execute();
  return rows.map(({ id, siteId, stationId, number, ...port }) => ({
    ...port,
    siteId,
    stationName: stationNameOf(stationId, number),
    portId: String(id),
  }));
}
