import { siteKinds, sitePlaces, siteStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, linesField, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { tariff } from './tariffs.ts';

export const parkingFees = ['free', 'charged', 'reduced', 'limited', 'other'] as const;
/** Those of the specification; the parameter `site_facilities` adds others. */
export const builtInFacilities = ['wifi', 'store', 'car_wash', 'toilet'] as const;
export const siteLevels = ['above_ground', 'underground'] as const;

/** What a picture shows. */
export const pictureSlots = ['entrance', 'sign', 'panorama', 'charger', 'other'] as const;
export type PictureSlot = (typeof pictureSlots)[number];
export const sitePicturesMax = 5;

/** The box around China: a point of a Chinese region outside it has swapped coordinates or a misplaced decimal point. */
export const chinaBounds = { west: 73, east: 136, south: 3, north: 54 } as const;

/** Codes from 900000 on are those of the regions abroad. */
export const isInChina = (regionCode: string) => regionCode < '900000';

const facilityCode = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,31}$/, 'bad_format'));
const facilitiesMax = 40;

/**
 * Positions are WGS-84 degrees. Omitted fields have their default in a new site; changing a site, `state`, `pictures`
 * and `agentId` stay as they are.
 */
export const siteForm = z.object({
  name: textField(64),
  state: z.optional(z.enum(siteStates)),
  /** GB/T 2260 county code, six digits. */
  regionCode: z.string().check(z.regex(/^\d{6}$/, 'not_region')),
  address: linesField(200),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  agentId: z.optional(z.nullable(idField<'agent'>())),
  /** The first is the cover. `key` is that of a file uploaded for the purpose `site`. */
  pictures: z.optional(
    z.array(z.object({ key: textField(200), slot: z.enum(pictureSlots) })).check(z.maxLength(sitePicturesMax)),
  ),
  openAllDay: z._default(z.boolean(), false),
  openingHours: z.optional(linesField(100, 0)),
  /** The people at the site; partners show it as StationTel. */
  sitePhone: z.optional(textField(20, 0)),
  /** The hotline of whoever runs it. */
  servicePhone: z.optional(textField(20, 0)),
  parkingFee: z._default(z.enum(parkingFees), 'free'),
  parkingInfo: z.optional(linesField(200, 0)),
  /** Parking bays; 0 means unknown. */
  bayCount: z.optional(z.int().check(z.gte(0), z.lte(100_000))),
  invoiceAvailable: z._default(z.boolean(), false),
  reservable: z.optional(z.boolean()),
  facilities: z.optional(z.array(facilityCode).check(z.maxLength(facilitiesMax))),
  vehicles: z.optional(linesField(100, 0)),
  directions: z.optional(linesField(100, 0)),
  paymentInfo: z.optional(textField(20, 0)),
  remark: z.optional(linesField(100, 0)),
  kind: z.optional(z.nullable(z.enum(siteKinds))),
  place: z.optional(z.nullable(z.enum(sitePlaces))),
  level: z.optional(z.nullable(z.enum(siteLevels))),
  capacityKva: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  powerCapacityKw: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))),
  /** Whether somebody is there around the clock. */
  staffed: z.optional(z.boolean()),
  /** Whether the site has its own connection to the grid, with an account of its own. */
  ownGrid: z.optional(z.boolean()),
  gridAccount: z.optional(z.string().check(z.trim(), z.maxLength(32), z.regex(/^[0-9A-Za-z-]*$/, 'bad_format'))),
  publicCarPark: z.optional(z.boolean()),
  carParkNumber: z.optional(textField(32, 0)),
});
export type SiteForm = z.output<typeof siteForm>;

const sitePicture = z.object({
  id: idField<'file'>(),
  key: z.string(),
  name: z.string(),
  url: z.string(),
  slot: z.enum(pictureSlots),
});
export type SitePicture = z.output<typeof sitePicture>;

export const site = z.object({
  id: idField<'site'>(),
  /** Rises with every change. */
  version: z.int(),
  name: z.string(),
  state: z.enum(siteStates),
  regionCode: z.string(),
  /** Province, city and county in the caller's language. */
  regionNames: z.array(z.string()),
  address: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  pictures: z.array(sitePicture),
  openAllDay: z.boolean(),
  openingHours: z.string(),
  sitePhone: z.string(),
  servicePhone: z.string(),
  parkingFee: z.enum(parkingFees),
  parkingInfo: z.string(),
  bayCount: z.int(),
  invoiceAvailable: z.boolean(),
  reservable: z.boolean(),
  facilities: z.array(z.string()),
  /** In the caller's language; the code of one that is no longer configured. */
  facilityNames: z.array(z.string()),
  vehicles: z.string(),
  directions: z.string(),
  paymentInfo: z.string(),
  remark: z.string(),
  kind: z.nullable(z.enum(siteKinds)),
  place: z.nullable(z.enum(sitePlaces)),
  level: z.nullable(z.enum(siteLevels)),
  capacityKva: z.nullable(z.int()),
  powerCapacityKw: z.nullable(z.int()),
  staffed: z.boolean(),
  ownGrid: z.boolean(),
  gridAccount: z.string(),
  publicCarPark: z.boolean(),
  carParkNumber: z.string(),
  /** Whether interconnected operators may be shown it. */
  opened: z.boolean(),
  stationCount: z.int(),
  connectorCount: z.int(),
  connectors: z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() }),
  createdAt: instantField,
  createdByName: z.nullable(z.string()),
  changedAt: instantField,
  changedByName: z.nullable(z.string()),
});
export type Site = z.output<typeof site>;

/** A site's prices on its page: the billing rules of its stations, the most used first. */
export const siteTariffsMax = 5;

export const siteDetail = z.extend(site, {
  /** The sum of the maximum power of its stations. */
  installedPowerKw: z.number(),
  stations: z.object({ online: z.int(), offline: z.int() }),
  tariffs: z.array(z.pick(tariff, { id: true, name: true, detail: true, stationCount: true })),
});
export type SiteDetail = z.output<typeof siteDetail>;

export const listSites = listRoute({
  name: 'listSites',
  path: '/sites',
  summary: 'Sites',
  permission: ['site.read', 'station.read', 'order.read', 'overview.read'],
  sorts: ['name', 'createdAt', 'changedAt'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    regionCode: filter.region(),
    state: filter.choice(siteStates),
    agentId: filter.id('agent'),
    /** Where dividers of an agent may share: its own sites, those of agents below it, and those with stations of theirs. */
    holderId: filter.id('agent'),
    parkingFee: filter.choice(parkingFees),
    invoiceAvailable: filter.flag(),
    opened: filter.flag(),
    kind: filter.choice(siteKinds),
  },
  item: site,
  columns: columnsOf<Site>()({
    name: { kind: 'text', title: 'sites.name' },
    state: { kind: 'choice', title: 'sites.state', words: 'site-state' },
    connectors: {
      kind: 'text',
      title: 'sites.running',
      hint: 'sites.runningHint',
      of: ({ connectors: { free, occupied, fault, offline } }) => [free, occupied, fault, offline].join(' / '),
    },
    stationCount: { kind: 'count', title: 'sites.stations', summed: true },
    connectorCount: { kind: 'count', title: 'sites.connectors', summed: true },
    region: { kind: 'text', title: 'sites.region', of: ({ regionNames }) => regionNames.join(' / ') },
    province: { kind: 'text', title: 'sites.province', of: ({ regionNames }) => regionNames[0] ?? null },
    city: { kind: 'text', title: 'sites.city', of: ({ regionNames }) => regionNames[1] ?? null },
    county: { kind: 'text', title: 'sites.county', of: ({ regionNames }) => regionNames[2] ?? null },
    regionCode: { kind: 'number', title: 'sites.regionCode' },
    address: { kind: 'text', title: 'sites.address' },
    longitude: { kind: 'number', title: 'sites.longitude', of: ({ longitude }) => longitude.toFixed(6) },
    latitude: { kind: 'number', title: 'sites.latitude', of: ({ latitude }) => latitude.toFixed(6) },
    parkingFee: { kind: 'choice', title: 'sites.parkingFee', words: 'parking-fee' },
    parkingInfo: { kind: 'text', title: 'sites.parkingInfo' },
    invoiceAvailable: { kind: 'flag', title: 'sites.invoice', words: ['sites.invoiceYes', 'sites.invoiceNo'] },
    opened: { kind: 'flag', title: 'sites.opened', words: ['sites.openedYes', 'sites.openedNo'] },
    cover: { kind: 'text', title: 'sites.pictures', of: ({ pictures }) => pictures[0]?.url ?? null },
    facilities: { kind: 'text', title: 'sites.facilities', of: ({ facilityNames }) => facilityNames.join(' / ') },
    openAllDay: { kind: 'flag', title: 'sites.openAllDay' },
    openingHours: { kind: 'text', title: 'sites.openingHours' },
    sitePhone: { kind: 'number', title: 'sites.sitePhone' },
    servicePhone: { kind: 'number', title: 'sites.servicePhone' },
    bayCount: { kind: 'count', title: 'sites.bayCount', hint: 'sites.bayCountHint' },
    kind: { kind: 'choice', title: 'sites.kind', words: 'site-kind' },
    place: { kind: 'choice', title: 'sites.place', words: 'site-place' },
    level: { kind: 'choice', title: 'sites.level', words: 'site-level' },
    capacityKva: { kind: 'count', title: 'sites.capacityKva' },
    powerCapacityKw: { kind: 'count', title: 'sites.powerCapacityKw' },
    gridAccount: { kind: 'number', title: 'sites.gridAccount' },
    agentName: { kind: 'text', title: 'sites.agent', absent: 'list.ofPlatform' },
    createdAt: { kind: 'instant', title: 'sites.createdAt' },
    createdByName: { kind: 'text', title: 'sites.createdBy' },
    changedAt: { kind: 'instant', title: 'sites.changedAt' },
    changedByName: { kind: 'text', title: 'sites.changedBy' },
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
  /** With the `version` that was read, the change is refused when somebody else changed the site meanwhile. */
  body: z.extend(siteForm, { version: z.optional(z.int()) }),
  answer: site,
  errors: ['record.changed'],
});

export const openSite = route({
  method: 'PATCH',
  path: '/sites/{id}',
  summary: 'Open a site to interconnected operators, or withdraw it from them',
  permission: 'site.open',
  params: z.object({ id: idParameter<'site'>() }),
  body: z.object({ opened: z.boolean() }),
  answer: site,
  errors: ['site.opening_failed'],
});

export const deleteSite = route({
  method: 'DELETE',
  path: '/sites/{id}',
  summary: 'Delete a site without stations',
  permission: 'site.edit',
  params: z.object({ id: idParameter<'site'>() }),
  answer: z.null(),
  errors: ['site.has_stations', 'site.has_orders', 'site.has_grid_bills'],
});

/** What a site can offer: the built-in facilities, then the configured ones, in the caller's language. */
export const listFacilities = route({
  method: 'GET',
  path: '/site-facilities',
  summary: 'The facilities that sites can have',
  permission: ['site.read', 'overview.read'],
  answer: z.array(z.object({ code: z.string(), name: z.string() })),
  errors: [],
});
