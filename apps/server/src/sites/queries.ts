import type { Language } from '@voltdeck/contract/languages';
import { listSites, type PictureSlot, type Site, type SiteDetail, siteTariffsMax } from '@voltdeck/contract/sites';
import { regionTable } from '@voltdeck/regions/region-table';
import { codesWithin, nameIn, pathOf } from '@voltdeck/regions/regions';
import type { FileId, SiteId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import { withAgentsBelow } from '../caller/agents-below.ts';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { portTally } from '../database/port-tally.ts';
import type { Tables } from '../database/tables.generated.ts';
import { fileUrl } from '../files/file-url.ts';
import { listSource } from '../http/list-source.ts';
import { hasPart } from '../http/part-of-text.ts';
import { shownName } from '../http/shown-name.ts';
import { facilitiesOf, facilitiesValue } from './facilities.ts';

const columns = [
  'sites.id',
  'sites.version',
  'sites.name',
  'sites.state',
  'sites.region_code as regionCode',
  'sites.address',
  'sites.longitude',
  'sites.latitude',
  'sites.agent_id as agentId',
  'sites.open_all_day as openAllDay',
  'sites.opening_hours as openingHours',
  'sites.site_phone as sitePhone',
  'sites.service_phone as servicePhone',
  'sites.parking_fee as parkingFee',
  'sites.parking_info as parkingInfo',
  'sites.bay_count as bayCount',
  'sites.invoice_available as invoiceAvailable',
  'sites.reservable',
  'sites.facilities',
  'sites.vehicles',
  'sites.directions',
  'sites.payment_info as paymentInfo',
  'sites.remark',
  'sites.kind',
  'sites.place',
  'sites.level',
  'sites.capacity_kva as capacityKva',
  'sites.power_capacity_kw as powerCapacityKw',
  'sites.staffed',
  'sites.own_grid as ownGrid',
  'sites.grid_account as gridAccount',
  'sites.public_car_park as publicCarPark',
  'sites.car_park_number as carParkNumber',
  'sites.created_at as createdAt',
  'sites.changed_at as changedAt',
] as const;

const stationCount = sql<number>`(select count(*) from stations where stations.site_id = sites.id)`;
const connectorCount = sql<number>`(select count(*) from connectors join stations on stations.id = connectors.station_id
                                     where stations.site_id = sites.id)`;

/** Ports of the site by group. */
const tally = sql<Site['connectors']>`(
  select ${portTally} from connectors join stations on stations.id = connectors.station_id
   where stations.site_id = sites.id)`;

type PictureRow = { id: FileId; key: string; name: string; slot: PictureSlot };

const pictures = sql<readonly PictureRow[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', files.id, 'key', files.key, 'name', files.name,
                                               'slot', site_pictures.slot) order by site_pictures.place), '[]')
    from site_pictures join files on files.id = site_pictures.file_id
   where site_pictures.site_id = sites.id)`;

function siteRows(db: Kysely<Tables>, language: Language) {
  const userName = (user: string) =>
    shownName<string | null>(language, 'user', `${user}.real_name`, `${user}.real_name_key`);
  return db
    .selectFrom('sites')
    .leftJoin('agents', 'agents.id', 'sites.agent_id')
    .leftJoin('users as creators', 'creators.id', 'sites.created_by')
    .leftJoin('users as changers', 'changers.id', 'sites.changed_by')
    .select(columns)
    .select('agents.name as agentName')
    .select([
      sql<boolean>`sites.opened_at is not null`.as('opened'),
      stationCount.as('stationCount'),
      connectorCount.as('connectorCount'),
      tally.as('connectors'),
      pictures.as('pictureRows'),
      facilitiesValue.as('facilitiesValue'),
      userName('creators').as('createdByName'),
      userName('changers').as('changedByName'),
    ]);
}

type Row = {
  regionCode: string;
  facilities: string[];
  facilitiesValue: string | null;
  pictureRows: readonly PictureRow[];
  createdAt: Instant;
  changedAt: Instant;
};

function toSite<Found extends Row>({ facilitiesValue: value, pictureRows, ...row }: Found, language: Language) {
  const names = new Map(facilitiesOf(value, language).map(({ code, name }) => [code, name]));
  return {
    ...row,
    regionNames: pathOf(regionTable, row.regionCode).map((region) => nameIn(region, language)),
    facilityNames: row.facilities.map((code) => names.get(code) ?? code),
    pictures: pictureRows.map((picture) => ({ ...picture, url: fileUrl(picture) })),
    createdAt: toIso(row.createdAt),
    changedAt: toIso(row.changedAt),
  };
}

export async function findSite(db: Kysely<Tables>, caller: Caller, id: SiteId): Promise<Site | null> {
  const { language } = caller;
  const row = await scoped(siteRows(db, language), caller, 'sites.agent_id')
    .where('sites.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toSite(row, language);
}

/**
 * A site with the billing rules of its stations, one for cards and one for everything else. The counts are those of the
 * whole site; the rules of stations that were handed to somebody else are not shown.
 */
export async function findSiteDetail(db: Kysely<Tables>, caller: Caller, id: SiteId): Promise<SiteDetail | null> {
  const site = await findSite(db, caller, id);
  if (site === null) return null;
  const stations = await db
    .selectFrom('stations')
    .where('site_id', '=', id)
    .select([
      sql<number>`coalesce(sum(max_power_w), 0)::bigint`.as('powerW'),
      sql<number>`count(*) filter (where online)`.as('online'),
      sql<number>`count(*) filter (where not online)`.as('offline'),
    ])
    .executeTakeFirstOrThrow();
  const rules = db
    .selectFrom('tariffs')
    .innerJoin('stations', (join) =>
      join.on(sql<boolean>`tariffs.id in (stations.card_tariff_id, stations.wechat_tariff_id)`),
    );
  const rows = await scoped(rules, caller, 'stations.agent_id')
    .where('stations.site_id', '=', id)
    .select(['tariffs.id', 'tariffs.name', 'tariffs.detail'])
    .select((eb) => eb.fn.countAll<number>().as('stationCount'))
    .groupBy('tariffs.id')
    .orderBy('stationCount', 'desc')
    .orderBy('tariffs.id')
    .limit(siteTariffsMax)
    .execute();
  const tariffs = rows.map((row) => ({ ...row, detail: row.detail as SiteDetail['tariffs'][number]['detail'] }));
  const { online, offline, powerW } = stations;
  return { ...site, installedPowerKw: powerW / 1000, stations: { online, offline }, tariffs };
}

export const siteList = listSource({
  route: listSites,
  filtered(db, caller, filter) {
    let sites = scoped(db.selectFrom('sites'), caller, 'sites.agent_id');
    if (filter.name !== undefined) sites = sites.where(hasPart('sites.name', 'name', filter.name));
    if (filter.state !== undefined) sites = sites.where('sites.state', 'in', filter.state);
    if (filter.agentId !== undefined) sites = sites.where('sites.agent_id', '=', filter.agentId);
    if (filter.holderId !== undefined) {
      const agents = withAgentsBelow(filter.holderId);
      sites = sites.where(
        sql<boolean>`(sites.agent_id in (${agents})
          or sites.id in (select site_id from stations where stations.agent_id in (${agents})))`,
      );
    }
    if (filter.parkingFee !== undefined) sites = sites.where('sites.parking_fee', 'in', filter.parkingFee);
    if (filter.kind !== undefined) sites = sites.where('sites.kind', 'in', filter.kind);
    if (filter.invoiceAvailable !== undefined) {
      sites = sites.where('sites.invoice_available', '=', filter.invoiceAvailable);
    }
    if (filter.opened !== undefined) sites = sites.where('sites.opened_at', filter.opened ? 'is not' : 'is', null);
    if (filter.regionCode !== undefined) {
      const { from, to } = codesWithin(filter.regionCode);
      sites = sites.where('sites.region_code', '>=', from).where('sites.region_code', '<=', to);
    }
    return sites;
  },
  id: sql`sites.id`,
  sorts: {
    name: sql`sites.name collate "zh-x-icu"`,
    createdAt: sql`sites.created_at`,
    changedAt: sql`sites.changed_at`,
  },
  sums: { stationCount, connectorCount },
  rows: (db, { language }) => siteRows(db, language),
  toItem: (row, { caller }) => toSite(row, caller.language),
});
