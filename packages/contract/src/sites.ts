import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, latitudeField, longitudeField, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { tariff } from './tariffs.ts';

export const parkingFees = ['free', 'charged'] as const;
export const facilities = ['wifi', 'store', 'car_wash', 'toilet'] as const;

export const siteForm = z.object({
  name: textField(64),
  /** GB/T 2260 county code, six digits. */
  regionCode: z.string().check(z.regex(/^\d{6}$/, 'not_region')),
  address: textField(200),
  longitude: longitudeField,
  latitude: latitudeField,
  parkingFee: z._default(z.enum(parkingFees), 'free'),
  parkingInfo: z.optional(textField(200, 0)),
  invoiceAvailable: z._default(z.boolean(), false),
  facilities: z.optional(z.array(z.enum(facilities))),
  openingHours: z.optional(textField(100, 0)),
  servicePhone: z.optional(textField(20, 0)),
  agentId: z.optional(idField<'agent'>()),
});

export const site = z.object({
  id: idField<'site'>(),
  name: z.string(),
  regionCode: z.string(),
  address: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  parkingFee: z.enum(parkingFees),
  parkingInfo: z.string(),
  invoiceAvailable: z.boolean(),
  facilities: z.array(z.enum(facilities)),
  openingHours: z.string(),
  servicePhone: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  stationCount: z.int(),
  connectorCount: z.int(),
  createdAt: instantField,
});
export type Site = z.output<typeof site>;

/** A site's prices on its page: the billing rules of its stations, the most used first. */
export const siteTariffsMax = 5;

export const siteDetail = z.extend(site, {
  tariffs: z.array(z.pick(tariff, { id: true, name: true, detail: true, stationCount: true })),
});
export type SiteDetail = z.output<typeof siteDetail>;

export const listSites = listRoute({
  name: 'listSites',
  path: '/sites',
  summary: 'Sites',
  permission: ['site.read', 'station.read', 'order.read', 'overview.read'],
  sorts: ['name', 'createdAt'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    regionCode: filter.region(),
    agentId: filter.id('agent'),
  },
  item: site,
  columns: columnsOf<Site>()({
    name: { kind: 'text', title: 'sites.name' },
    regionCode: { kind: 'number', title: 'sites.regionCode' },
    address: { kind: 'text', title: 'sites.address' },
    stationCount: { kind: 'count', title: 'sites.stations', summed: true },
    connectorCount: { kind: 'count', title: 'sites.connectors', summed: true },
    openingHours: { kind: 'text', title: 'sites.openingHours' },
    servicePhone: { kind: 'number', title: 'sites.servicePhone' },
    parkingFee: { kind: 'choice', title: 'sites.parkingFee', words: 'parking-fee' },
    agentName: { kind: 'text', title: 'sites.agent', absent: 'orders.platform' },
    createdAt: { kind: 'instant', title: 'sites.createdAt' },
  }),
});

export const getSite = route({
  method: 'GET',
  path: '/sites/{id}',
  summary: 'One site',
  permission: ['site.read', 'overview.read'],
  params: z.object({ id: idParameter<'site'>() }),
  answer: siteDetail,
  errors: [],
});

export const createSite = route({
  method: 'POST',
  path: '/sites',
  summary: 'Add a site',
  permission: 'site.edit',
  body: siteForm,
  answer: site,
  errors: [],
});

export const changeSite = route({
  method: 'PUT',
  path: '/sites/{id}',
  summary: 'Change a site',
  permission: 'site.edit',
  params: z.object({ id: idParameter<'site'>() }),
  body: siteForm,
  answer: site,
  errors: [],
});

export const deleteSite = route({
  method: 'DELETE',
  path: '/sites/{id}',
  summary: 'Delete a site without stations',
  permission: 'site.edit',
  params: z.object({ id: idParameter<'site'>() }),
  answer: z.null(),
  errors: ['site.has_stations'],
});
