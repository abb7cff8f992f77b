import * as z from 'zod/mini';
import { idField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import {
  toldPort,
  toldPortColumns,
  toldPortFilters,
  toldSite,
  toldSiteColumns,
  toldSiteFilters,
  toldStation,
  toldStationColumns,
  toldStationFilters,
} from './told-sites.ts';

/** Our sites that are open to a partner at least, their stations and gun ports, as partners see them. */

/** Partners that a site names; more are counted. */
export const partnersNamedMax = 5;

const exposedSite = z.extend(toldSite, {
  id: idField<'site'>(),
  /** The first of those that see it, and how many see it in all. */
  partnerNames: z.array(z.string()),
  partnerCount: z.int(),
});
export type ExposedSite = z.output<typeof exposedSite>;

export const listExposedSites = listRoute({
  name: 'listExposedSites',
  path: '/exposed-sites',
  summary: 'Our sites that partners see, as they see them',
  permission: 'partner_site.read',
  sorts: ['createdAt', 'name'],
  first: '-createdAt',
  filters: toldSiteFilters,
  item: exposedSite,
  columns: columnsOf<ExposedSite>()({
    ...toldSiteColumns,
    partners: { kind: 'text', title: 'told.partners', of: ({ partnerNames }) => partnerNames.join(' ') },
    partnerCount: { kind: 'count', title: 'told.partnerCount' },
  }),
});

const exposedStation = z.extend(toldStation, { id: idField<'station'>() });
export type ExposedStation = z.output<typeof exposedStation>;

export const listExposedStations = listRoute({
  name: 'listExposedStations',
  path: '/exposed-stations',
  summary: 'Our stations that partners see, as they see them',
  permission: 'partner_station.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: toldStationFilters,
  item: exposedStation,
  columns: toldStationColumns,
});

const exposedPort = z.extend(toldPort, { id: idField<'connector'>() });
export type ExposedPort = z.output<typeof exposedPort>;

export const listExposedPorts = listRoute({
  name: 'listExposedPorts',
  path: '/exposed-ports',
  summary: 'Our gun ports that partners see, with what they are doing',
  permission: 'partner_port.read',
  sorts: ['id'],
  first: '-id',
  filters: toldPortFilters,
  item: exposedPort,
  columns: toldPortColumns,
});
