import { equipmentTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { energyField, fenField, idField, instantField } from './fields.ts';
import { route } from './route.ts';

/** How old what moves may be when it is answered, since many screens show the same. */
export const screenNowKeptMs = 2_000;
/** The same for what a day or a month adds up to: rankings, the month, the total and the curve of power. */
export const screenPastKeptMs = 15_000;

/** The power of all charges is kept so often, and shown for so long. */
export const powerSampleMs = 5 * 60_000;
export const powerShownMs = 24 * 3_600_000;

/** Hours of income and energy, the one that runs included. */
export const screenHours = 24;
/** How many rows a ranking, the ticker and the list of faults have at the most. */
export const screenRows = { ranking: 10, charges: 24, faults: 20 } as const;

const portTally = z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() });

const sums = {
  orders: z.int(),
  energyWh: energyField,
  /** What payers were charged: the fees less coupons. */
  receivableFen: fenField,
  /** What they have paid by now. */
  receivedFen: fenField,
};
export const screenSums = z.object(sums);
export type ScreenSums = z.output<typeof screenSums>;

const place = { siteName: z.string(), stationName: z.string() };

export const screenCharge = z.object({
  orderId: idField<'order'>(),
  kind: z.enum(['began', 'ended']),
  at: instantField,
  ...place,
  connectorNumber: z.int(),
  equipmentType: z.enum(equipmentTypes),
  energyWh: energyField,
  /** What the payer was charged; of a charge that runs, as far as it is known. */
  receivableFen: fenField,
});
export type ScreenCharge = z.output<typeof screenCharge>;

export const screenFault = z.object({
  kind: z.enum(['fault', 'offline']),
  stationId: idField<'station'>(),
  ...place,
  /** Of a faulty gun port. */
  connectorNumber: z.nullable(z.int()),
  faultCode: z.nullable(z.string()),
  since: instantField,
});
export type ScreenFault = z.output<typeof screenFault>;

export const screenRankings = ['receivable', 'energy', 'orders'] as const;
export type ScreenRanking = (typeof screenRankings)[number];
const rankedSite = z.object({ siteId: idField<'site'>(), siteName: z.string(), ...sums });
export type ScreenSite = z.output<typeof rankedSite>;

export const getBigScreen = route({
  method: 'GET',
  path: '/overview/screen',
  summary: 'Everything that the big screen shows, each part with the instant of which it is true',
  permission: 'overview.read',
  readsWide: true,
  answer: z.object({
    /** The age of a part is the time from its instant to this one, and from then on that of the screen's own clock. */
    answeredAt: instantField,
    now: z.object({
      at: instantField,
      today: screenSums,
      /** Yesterday up to the same time of day. */
      yesterday: screenSums,
      /** Customers who registered today; only the platform knows them. */
      newCustomers: z.nullable(z.int()),
      kinds: z.array(
        z.object({
          equipmentType: z.enum(equipmentTypes),
          charging: z.int(),
          powerW: z.int(),
          connectors: portTally,
          today: screenSums,
        }),
      ),
      connectors: portTally,
      stations: z.object({ online: z.int(), offline: z.int() }),
      /** The last hours, the one that runs at the end. */
      hours: z.array(z.object({ at: instantField, ...sums })),
      /** The newest first. */
      faults: z.array(screenFault),
      /** Charges that began and ended, the newest first; null for users who may not see orders. */
      charges: z.nullable(z.array(screenCharge)),
    }),
    past: z.object({
      at: instantField,
      month: screenSums,
      total: screenSums,
      /** All that ever registered; only the platform knows them. */
      customers: z.nullable(z.int()),
      /** Today's sites, the best first. */
      rankings: z.object({
        receivable: z.array(rankedSite),
        energy: z.array(rankedSite),
        orders: z.array(rankedSite),
      }),
      /** The power of each kind every five minutes from `from` on; null where nobody looked. */
      power: z.object({
        from: instantField,
        twoWheelW: z.array(z.nullable(z.int())),
        fourWheelW: z.array(z.nullable(z.int())),
      }),
    }),
  }),
  errors: [],
});
