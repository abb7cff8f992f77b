import { type StartDropOut, type StartStep, startDropOuts, startSteps } from '@voltdeck/charging/start-attempt';
import { equipmentTypes, startModes } from '@voltdeck/charging/states';
import type { SiteId } from '@voltdeck/units/id';
import * as z from 'zod/mini';
import { dayField, energyField, filter, idField, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** How a charge of a customer is started; a test run is no attempt. */
export const attemptModes = startModes.filter((mode) => mode !== 'test') as Exclude<
  (typeof startModes)[number],
  'test'
>[];

/** Without a period, figures are those of so many days up to today; a period spans at most a year. */
export const qualityDaysByDefault = 7;
export const qualityDaysMax = 366;

/** How long attempts are kept one by one. Figures of older days stay, without a list behind them. */
export const attemptsKeptDays = 400;

/** Visits that a row of the league needs for a rank. */
export const leagueVisitsMin = 20;
/** Rows of a league, those with the most visits. */
export const leagueRowsMax = 200;

/** What a station reports of itself, or never does. */
const reportedByStation = ['make', 'model', 'firmware'] as const;
export const leagueSubjects = [...reportedByStation, 'site'] as const;
export type LeagueSubject = (typeof leagueSubjects)[number];
type LeagueNames = Readonly<Record<(typeof reportedByStation)[number], string | null>> & { siteId: SiteId | null };

const qualityFilters = {
  from: filter.instant(),
  to: filter.instant(),
  siteId: filter.id('site'),
  agentId: filter.id('agent'),
  regionCode: filter.region(),
  equipmentType: filter.one(equipmentTypes),
  startMode: filter.choice(attemptModes as [(typeof attemptModes)[number], ...typeof attemptModes]),
};

const percentiles = z.object({
  count: z.int(),
  /** Within 9.1 % (packages/units/src/log-bucket.ts); null where nothing was counted. */
  p50Ms: z.nullable(z.int()),
  p99Ms: z.nullable(z.int()),
});

export const getQuality = route({
  method: 'GET',
  path: '/quality',
  summary: 'How far attempts to charge got, why the others did not, and the figures of quality of a period',
  permission: 'quality.read',
  query: z.object(qualityFilters),
  readsMuch: 'always',
  answer: z.object({
    fromOn: dayField,
    toOn: dayField,
    steps: z.array(
      z.object({
        step: z.enum(startSteps),
        /** Attempts that got at least so far. */
        attempts: z.int(),
        /** Attempts that are there now and may still get further. */
        underWay: z.int(),
        /** Attempts that got no further, the most frequent reason first. */
        dropOuts: z.array(z.object({ dropOut: z.enum(startDropOuts), attempts: z.int() })),
      }),
    ),
    visits: z.int(),
    /** Visits whose first attempt was a success. */
    firstTimes: z.int(),
    /** Attempts in which energy flowed, and their energy. */
    charges: z.int(),
    energyWh: energyField,
    occupiedMs: z.int(),
    /** Gun ports × days, of stations that there are now, since they were added. */
    portDays: z.number(),
    /** Days of the period that are over, and the part of today that is. */
    days: z.number(),
    /** These are of every start: what was counted does not say how a charge was started. */
    disconnections: z.int(),
    complaints: z.int(),
    answer: percentiles,
    bill: percentiles,
    attended: percentiles,
    repair: percentiles,
  }),
  errors: [],
});

export const getQualityLeague = route({
  method: 'GET',
  path: '/quality/league',
  summary: 'Makes, models, firmware or sites by the share of visits that succeed the first time',
  permission: 'quality.read',
  query: z.object({ ...qualityFilters, by: filter.one(leagueSubjects) }),
  readsMuch: 'always',
  answer: z.object({
    visitsMin: z.int(),
    /** Those with enough visits first, the best of them first. */
    rows: z.array(
      z.object({
        /** Null below the minimum of visits. */
        rank: z.nullable(z.int()),
        make: z.nullable(z.string()),
        model: z.nullable(z.string()),
        firmware: z.nullable(z.string()),
        siteId: z.nullable(idField<'site'>()),
        siteName: z.nullable(z.string()),
        attempts: z.int(),
        visits: z.int(),
        firstTimes: z.int(),
        energised: z.int(),
        endedClean: z.int(),
      }),
    ),
  }),
  errors: [],
});

export const startAttempt = z.object({
  id: idField<'start_attempt'>(),
  at: instantField,
  /** More than one where a station was refused so often that further refusals are counted here. */
  times: z.int(),
  startMode: z.enum(startModes),
  step: z.enum(startSteps),
  dropOut: z.nullable(z.enum(startDropOuts)),
  /** More than 0.2 kWh in more than two minutes. */
  succeeded: z.boolean(),
  /** It begins a visit; false where the same person tried at the same site within ten minutes before. */
  isFirst: z.boolean(),
  siteId: idField<'site'>(),
  siteName: z.nullable(z.string()),
  stationId: idField<'station'>(),
  stationNumber: z.nullable(z.string()),
  connectorNumber: z.nullable(z.int()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  cardNumber: z.nullable(shown.card()),
  plate: z.nullable(shown.plate()),
  vin: z.nullable(shown.vin()),
  make: z.string(),
  model: z.string(),
  firmware: z.string(),
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  energyWh: energyField,
  answeredMs: z.nullable(z.int()),
  energisedAt: z.nullable(instantField),
  billedMs: z.nullable(z.int()),
});
export type StartAttempt = z.output<typeof startAttempt>;

export const listStartAttempts = listRoute({
  name: 'listStartAttempts',
  path: '/start-attempts',
  summary: 'Attempts to start a charge, how far each got and why no further, newest first',
  permission: 'quality.read',
  sorts: ['at'],
  first: '-at',
  filters: {
    from: filter.instant(),
    to: filter.instant(),
    siteId: filter.id('site'),
    step: filter.choice(startSteps),
    dropOut: filter.choice(startDropOuts),
    isUnderWay: filter.flag(),
    isFirst: filter.flag(),
    succeeded: filter.flag(),
    startMode: qualityFilters.startMode,
    agentId: filter.id('agent'),
    stationId: filter.id('station'),
    equipmentType: filter.one(equipmentTypes),
    regionCode: filter.region(),
    make: filter.text(),
    model: filter.text(),
    firmware: filter.text(),
    /** All of these were never reported by the station. */
    unreported: filter.choice(reportedByStation),
    cardNumber: filter.card(),
    customerId: filter.id('customer'),
  },
  item: startAttempt,
  columns: columnsOf<StartAttempt>()({
    at: { kind: 'instant', title: 'quality.at' },
    step: { kind: 'choice', title: 'quality.step', words: 'start-step' },
    dropOut: { kind: 'choice', title: 'quality.dropOut', words: 'start-drop-out' },
    times: { kind: 'count', title: 'quality.attempts', hint: 'quality.timesHint', summed: true },
    startMode: { kind: 'choice', title: 'quality.startMode', words: 'start-mode' },
    siteName: { kind: 'text', title: 'quality.site' },
    stationNumber: { kind: 'number', title: 'quality.station' },
    connectorNumber: { kind: 'count', title: 'quality.port' },
    customerPhone: { kind: 'number', title: 'quality.customer' },
    cardNumber: { kind: 'number', title: 'quality.card' },
    orderNumber: { kind: 'number', title: 'quality.order' },
    succeeded: { kind: 'flag', title: 'quality.succeeded', hint: 'quality.succeededHint' },
    isFirst: { kind: 'flag', title: 'quality.isFirst', hint: 'quality.isFirstHint' },
    energyWh: { kind: 'energyWh', title: 'quality.energy' },
    answeredMs: { kind: 'durationMs', title: 'quality.answered' },
    energisedAt: { kind: 'instant', title: 'quality.energisedAt' },
    billedMs: { kind: 'durationMs', title: 'quality.billed' },
    make: { kind: 'text', title: 'quality.make' },
    model: { kind: 'text', title: 'quality.model' },
    firmware: { kind: 'text', title: 'quality.firmware' },
    plate: { kind: 'number', title: 'quality.plate' },
    vin: { kind: 'number', title: 'quality.vin' },
    agentName: { kind: 'text', title: 'quality.agent', absent: 'list.ofPlatform' },
  }),
});

/**
 * What the list of attempts is filtered by, beside the filters of the figures, to be the attempts that a figure counts.
 * A figure of attempts is the sum of `times`, one of visits the number of rows.
 */
export const attemptsBehind = {
  step: (step: StartStep) => ({ step: startSteps.slice(startSteps.indexOf(step)) }),
  dropOut: (step: StartStep, dropOut: StartDropOut) => ({ step: [step], dropOut: [dropOut] }),
  underWay: (step: StartStep) => ({ step: [step], isUnderWay: true }),
  visits: { isFirst: true },
  firstTimes: { isFirst: true, succeeded: true },
  /** What does not name the row is null, and what was never told is empty. */
  leagueRow({ siteId, ...told }: LeagueNames) {
    const unreported = reportedByStation.filter((name) => told[name] === '');
    const reported = reportedByStation.flatMap((name) => (told[name] ? [[name, told[name]]] : []));
    return {
      ...(Object.fromEntries(reported) as { [Name in keyof typeof told]?: string }),
      ...(unreported.length === 0 ? {} : { unreported }),
      ...(siteId === null ? {} : { siteId }),
    };
  },
} as const;
