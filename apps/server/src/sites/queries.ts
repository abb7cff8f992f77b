import { type facilities, listSites, type Site, type SiteDetail, siteTariffsMax } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing } from '../http/list-page.ts';
import { listSource } from '../http/list-source.ts';

const columns = [
  'sites.id',
  'sites.name',
  'sites.region_code as regionCode',
  'sites.address',
  'sites.longitude',
  'sites.latitude',
  'sites.parking_fee as parkingFee',
  'sites.parking_info as parkingInfo',
  'sites.invoice_available as invoiceAvailable',
  'sites.facilities',
  'sites.opening_hours as openingHours',
  'sites.service_phone as servicePhone',
  'sites.agent_id as agentId',
  'sites.created_at as createdAt',
] as const;

const stationCount = sql<number>`(select count(*) from stations where stations.site_id = sites.id)`;
const connectorCount = sql<number>`(select count(*) from connectors join stations on stations.id = connectors.station_id
                                     where stations.site_id = sites.id)`;

function siteRows(db: Kysely<Tables>) {
  return db
    .selectFrom('sites')
    .leftJoin('agents', 'agents.id', 'sites.agent_id')
    .select(columns)
    .select('agents.name as agentName')
    .select([stationCount.as('stationCount'), connectorCount.as('connectorCount')]);
}

type Facility = (typeof facilities)[number];

function toSite<Row extends { createdAt: Instant; facilities: string[] }>(row: Row) {
  return { ...row, facilities: row.facilities as Facility[], createdAt: toIso(row.createdAt) };
}

export async function findSite(db: Kysely<Tables>, caller: Caller, id: SiteId): Promise<Site | null> {
  const row = await scoped(siteRows(db), caller, 'sites.agent_id').where('sites.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toSite(row);
}

/** A site with the billing rules of its stations. A station has one for cards and one for everything else. */
export async function findSiteDetail(db: Kysely<Tables>, caller: Caller, id: SiteId): Promise<SiteDetail | null> {
  const site = await findSite(db, caller, id);
  if (site === null) return null;
  const rows = await db
    .selectFrom('tariffs')
    .innerJoin('stations', (join) =>
      join.on(sql<boolean>`tariffs.id in (stations.card_tariff_id, stations.wechat_tariff_id)`),
    )
    .where('stations.site_id', '=', id)
    .select(['tariffs.id', 'tariffs.name', 'tariffs.detail'])
    .select((eb) => eb.fn.countAll<number>().as('stationCount'))
    .groupBy('tariffs.id')
    .orderBy('stationCount', 'desc')
    .orderBy('tariffs.id')
    .limit(siteTariffsMax)
    .execute();
  const tariffs = rows.map((row) => ({ ...row, detail: row.detail as SiteDetail['tariffs'][number]['detail'] }));
  return { ...site, tariffs };
}

export const siteList = listSource({
  route: listSites,
  filtered(db, caller, filter) {
    let sites = scoped(db.selectFrom('sites'), caller, 'sites.agent_id');
    if (filter.name !== undefined) sites = sites.where('sites.name', 'ilike', containing(filter.name));
    if (filter.agentId !== undefined) sites = sites.where('sites.agent_id', '=', filter.agentId);
    if (filter.regionCode !== undefined) {
      // The code of a province or a city ends in zeros: 440000, 440300.
      const prefix = filter.regionCode.replace(/(00){1,2}$/, '');
      sites = sites.where('sites.region_code', 'like', `${prefix}%`);
    }
    return sites;
  },
  id: sql`sites.id`,
  sorts: { name: sql`sites.name collate "zh-x-icu"`, createdAt: sql`sites.created_at` },
  sums: { stationCount, connectorCount },
  rows: siteRows,
  toItem: toSite,
});
