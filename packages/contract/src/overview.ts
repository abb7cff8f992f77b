import { siteMapStates } from '@voltdeck/charging/site-map-state';
import { connectorStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { fenField, filter, idField, instantField } from './fields.ts';
import { route } from './route.ts';

const portTally = z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() });

/**
 * How old a cached answer of the overview may be, since many consoles show the same. A console that hears of a change waits as
 * long before it fetches.
 */
export const summaryKeptMs = 2_000;

/** The live figures above the map; "today" is the business day in Asia/Shanghai. */
export const getSummary = route({
  method: 'GET',
  path: '/overview/summary',
  summary: 'Live figures of the sites that the caller may see',
  permission: 'overview.read',
  answer: z.object({
    /** After coupons, paid or not. */
    todayReceivableFen: fenField,
    todayEnergyWh: z.int(),
    todayOrders: z.int(),
    /** Yesterday up to the same time of day. */
    yesterdayReceivableFen: fenField,
    yesterdayEnergyWh: z.int(),
    yesterdayOrders: z.int(),
    chargingNow: z.int(),
    chargingPowerW: z.int(),
    connectors: portTally,
    stations: z.object({ online: z.int(), offline: z.int() }),
    sites: z.int(),
    /** Flagged orders that nobody has dealt with. */
    abnormalOrders: z.int(),
    /** Ended charges of any day that wait for a person to settle them. */
    waitingOrders: z.int(),
  }),
  errors: [],
});

export const mapSite = z.object({
  id: z.int(),
  name: z.string(),
  regionCode: z.string(),
  address: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  state: z.enum(siteMapStates),
  connectors: portTally,
});
export type MapSite = z.output<typeof mapSite>;

export const listMapSites = route({
  method: 'GET',
  path: '/overview/sites',
  summary: 'Every site that the caller may see, for the map (20,000 at the most)',
  permission: 'overview.read',
  answer: z.array(mapSite),
  errors: [],
});

/**
 * The columns of `listSitePlaces`: one array for each, in the order of the ids. Twenty thousand objects would take a
 * browser five times as long.
 */
export const sitePlaces = z.object({
  /** Changes when a site is added, moved, renamed or removed. */
  revision: z.string(),
  ids: z.array(z.int()),
  names: z.array(z.string()),
  regionCodes: z.array(z.string()),
  longitudes: z.array(z.number()),
  latitudes: z.array(z.number()),
  /** Ports of each site: free, occupied, faulty and offline, four numbers after another. */
  ports: z.array(z.int()),
});
export type SitePlaces = z.output<typeof sitePlaces>;

export const listSitePlaces = route({
  method: 'GET',
  path: '/overview/site-places',
  summary: 'Where the sites are that the caller may see, by column, for the map (20,000 at the most)',
  permission: 'overview.read',
  answer: sitePlaces,
  errors: [],
});

export const listSiteStates = route({
  method: 'GET',
  path: '/overview/site-states',
  summary: 'The ports of the same sites in the same order; another revision means that the places changed',
  permission: 'overview.read',
  answer: z.pick(sitePlaces, { revision: true, ports: true }),
  errors: [],
});

/** How many sites of a region come unless more are asked for, and at the most. */
export const regionSitesUsual = 60;
export const regionSitesMax = 1_200;

const regionTally = z.object({
  code: z.string(),
  /** In the caller's language. */
  name: z.string(),
  sites: z.int(),
  connectors: portTally,
});
export type RegionTally = z.output<typeof regionTally>;

export const listRegionTallies = route({
  method: 'GET',
  path: '/overview/regions',
  summary: 'The regions directly within one that have sites, those with faults first; provinces without a region',
  permission: 'overview.read',
  query: z.object({ regionCode: filter.region() }),
  answer: z.object({
    regions: z.array(regionTally),
    /** Sites of the region itself, in none of those: a county's, and a city's without a county. */
    ownSites: z.int(),
  }),
  errors: [],
});

export const listRegionSites = route({
  method: 'GET',
  path: '/overview/region-sites',
  summary: 'The sites within a region, those in trouble first',
  permission: 'overview.read',
  query: z.object({
    regionCode: filter.region(),
    /** Only sites of the region itself, in none below it. */
    own: filter.flag(),
    /** Every word has to be in the name or the address. */
    text: filter.text(),
    count: filter.number(1, regionSitesMax),
    /** The answer goes as far as this site, within the bound, if it matches. */
    reaching: filter.id('site'),
  }),
  answer: z.object({
    items: z.array(mapSite),
    /** How many match, and how many the caller may see at all. */
    matching: z.int(),
    total: z.int(),
  }),
  errors: [],
});

/** How many ports a page of the wall has, and how many pages. */
export const wallPortsMax = 120;
export const wallPagesMax = 50;

const wallPort = z.object({
  id: idField<'connector'>(),
  number: z.int(),
  name: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  siteId: idField<'site'>(),
  siteName: z.string(),
  state: z.enum(connectorStates),
  stateSince: z.nullable(instantField),
  faultCode: z.nullable(z.string()),
  faultInfo: z.nullable(z.string()),
  open: z.boolean(),
  /** The running charge, as far as the caller may see it. */
  orderId: z.nullable(idField<'order'>()),
  powerW: z.nullable(z.int()),
  socPercent: z.nullable(z.int()),
  energyWh: z.nullable(z.int()),
});
export type WallPort = z.output<typeof wallPort>;

export const listWallPorts = route({
  method: 'GET',
  path: '/overview/ports',
  summary: 'The gun ports of a site, of a region or of every site: faults first, then offline, occupied and free ones',
  permission: 'overview.read',
  readsMuch: 'always',
  query: z.object({
    siteId: filter.id('site'),
    regionCode: filter.region(),
    page: filter.number(1, wallPagesMax),
  }),
  answer: z.object({
    items: z.array(wallPort),
    connectors: portTally,
    /** Pages that can be asked for. */
    pages: z.int(),
  }),
  errors: [],
});
