import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, listAnswer, listFields, textField } from './fields.ts';
import { route } from './route.ts';

export const parkingFees = ['free', 'charged'] as const;
export const facilities = ['wifi', 'store', 'car_wash', 'toilet'] as const;

export const siteForm = z.object({
  name: textField(64),
  /** GB/T 2260 county code, six digits. */
  regionCode: z.string().check(z.regex(/^\d{6}$/, 'not_region')),
  address: textField(200),
  /** WGS-84 degrees. */
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  latitude: z.number().check(z.gte(-90), z.lte(90)),
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

export const listSites = route({
  method: 'GET',
  path: '/sites',
  summary: 'Sites',
  permission: ['site.read', 'station.read', 'order.read', 'overview.read'],
  query: z.object({
    ...listFields(['name', 'createdAt']),
    name: filter.text(),
    regionCode: filter.text(6),
    agentId: filter.id<'agent'>(),
  }),
  answer: listAnswer(site),
  errors: ['list.too_deep'],
});

export const getSite = route({
  method: 'GET',
  path: '/sites/{id}',
  summary: 'One site',
  permission: ['site.read', 'overview.read'],
  params: z.object({ id: idParameter<'site'>() }),
  answer: site,
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
  idempotency: 'accepted',
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
