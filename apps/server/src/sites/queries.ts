import type { QueryOf } from '@voltdeck/contract/route';
import type { facilities, listSites, Site } from '@voltdeck/contract/sites';
import type { SiteId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import type { Tables } from '../database/tables.generated.ts';
import { containing, countUpTo, type Span, sortOf } from '../http/list-page.ts';

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

function siteRows(db: Kysely<Tables>) {
  return db
    .selectFrom('sites')
    .leftJoin('agents', 'agents.id', 'sites.agent_id')
    .select(columns)
    .select('agents.name as agentName')
    .select([
      sql<number>`(select count(*) from stations where stations.site_id = sites.id)`.as('stationCount'),
      sql<number>`(select count(*) from connectors join stations on stations.id = connectors.station_id
                    where stations.site_id = sites.id)`.as('connectorCount'),
    ]);
}

type Facility = (typeof facilities)[number];

function toSite<Row extends { createdAt: Instant; facilities: string[] }>(row: Row) {
  return { ...row, facilities: row.facilities as Facility[], createdAt: toIso(row.createdAt) };
}

export async function findSite(db: Kysely<Tables>, caller: Caller, id: SiteId): Promise<Site | null> {
  const row = await scoped(siteRows(db), caller, 'sites.agent_id').where('sites.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toSite(row);
}

export async function listSitePage(db: Kysely<Tables>, caller: Caller, filter: QueryOf<typeof listSites>, span: Span) {
  let filtered = scoped(db.selectFrom('sites'), caller, 'sites.agent_id');
  if (filter.name !== undefined) filtered = filtered.where('sites.name', 'ilike', containing(filter.name));
  if (filter.agentId !== undefined) filtered = filtered.where('sites.agent_id', '=', filter.agentId);
  if (filter.regionCode !== undefined) {
    // A province or a city is asked for by its code with zeros behind: 440000, 440300.
    const prefix = filter.regionCode.replace(/(00){1,2}$/, '');
    filtered = filtered.where('sites.region_code', 'like', `${prefix}%`);
  }
  const { name, direction } = sortOf(filter.sort ?? '-createdAt');
  const column = name === 'name' ? sql`sites.name collate "zh-x-icu"` : sql`sites.created_at`;
  const ids = filtered
    .select('sites.id')
    .orderBy(column, direction)
    .orderBy('sites.id', direction)
    .limit(span.limit)
    .offset(span.offset);
  const [rows, total] = await Promise.all([
    siteRows(db).where('sites.id', 'in', ids).orderBy(column, direction).orderBy('sites.id', direction).execute(),
    countUpTo(db, filtered),
  ]);
  return { items: rows.map(toSite), ...total };
}
