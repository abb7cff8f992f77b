import * as z from 'zod/mini';
import { fenField } from './fields.ts';
import { route } from './route.ts';

export const siteMapStates = ['free', 'charging', 'busy', 'fault', 'offline'] as const;

/**
 * How old a cached answer may be, since many consoles show the same figures. A console that hears of a change waits as
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
    todayIncomeFen: fenField,
    todayEnergyWh: z.int(),
    todayOrders: z.int(),
    /** Yesterday up to the same time of day. */
    yesterdayIncomeFen: fenField,
    yesterdayEnergyWh: z.int(),
    yesterdayOrders: z.int(),
    chargingNow: z.int(),
    chargingPowerW: z.int(),
    connectors: z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() }),
    stations: z.object({ online: z.int(), offline: z.int() }),
    sites: z.int(),
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
  connectors: z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() }),
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
