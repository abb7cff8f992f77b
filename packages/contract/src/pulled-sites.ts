import * as z from 'zod/mini';
import { filter, idField, instantField } from './fields.ts';
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

/** The sites, stations and gun ports of partners, as they told them last. Nobody changes them here. */

const ofPartner = { partnerId: idField<'partner'>(), partnerName: z.string() };

const pulledSite = z.extend(toldSite, {
  id: idField<'pulled_site'>(),
  ...ofPartner,
  /** Since when the partner no longer tells of it. */
  missingAt: z.nullable(instantField),
  addedAt: instantField,
  changedAt: instantField,
  seenAt: instantField,
});
export type PulledSite = z.output<typeof pulledSite>;

export const listPulledSites = listRoute({
  name: 'listPulledSites',
  path: '/pulled-sites',
  summary: 'Sites of partners, as they told them last',
  permission: 'partner_site.read',
  sorts: ['addedAt', 'name'],
  first: '-addedAt',
  filters: {
    ...toldSiteFilters,
    /** Whether the partner no longer tells of it. */
    missing: filter.flag(),
  },
  item: pulledSite,
  columns: columnsOf<PulledSite>()({
    ...toldSiteColumns,
    partnerName: { kind: 'text', title: 'interop.partner' },
    missingAt: { kind: 'instant', title: 'told.missingAt' },
    seenAt: { kind: 'instant', title: 'told.seenAt' },
    changedAt: { kind: 'instant', title: 'told.changedAt' },
    addedAt: { kind: 'instant', title: 'told.addedAt' },
  }),
});

const pulledStation = z.extend(toldStation, {
  id: idField<'pulled_station'>(),
  ...ofPartner,
  /** Of its site. */
  missingAt: z.nullable(instantField),
  addedAt: instantField,
});
export type PulledStation = z.output<typeof pulledStation>;

export const listPulledStations = listRoute({
  name: 'listPulledStations',
  path: '/pulled-stations',
  summary: 'Stations of partners, as they told them last',
  permission: 'partner_station.read',
  sorts: ['addedAt'],
  first: '-addedAt',
  filters: { ...toldStationFilters, missing: filter.flag() },
  item: pulledStation,
  columns: columnsOf<PulledStation>()({
    ...toldStationColumns,
    partnerName: { kind: 'text', title: 'interop.partner' },
    missingAt: { kind: 'instant', title: 'told.missingAt' },
    addedAt: { kind: 'instant', title: 'told.addedAt' },
  }),
});

const pulledPort = z.extend(toldPort, {
  id: idField<'pulled_port'>(),
  ...ofPartner,
  /** Of its site. */
  missingAt: z.nullable(instantField),
  addedAt: instantField,
});
export type PulledPort = z.output<typeof pulledPort>;

export const listPulledPorts = listRoute({
  name: 'listPulledPorts',
  path: '/pulled-ports',
  summary: 'Gun ports of partners, with what they are doing',
  permission: 'partner_port.read',
  sorts: ['addedAt'],
  first: '-addedAt',
  filters: { ...toldPortFilters, missing: filter.flag() },
  item: pulledPort,
  columns: columnsOf<PulledPort>()({
    ...toldPortColumns,
    partnerName: { kind: 'text', title: 'interop.partner' },
    missingAt: { kind: 'instant', title: 'told.missingAt' },
    addedAt: { kind: 'instant', title: 'told.addedAt' },
  }),
});
