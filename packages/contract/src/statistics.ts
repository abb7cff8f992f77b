import { dayKinds } from '@voltdeck/charging/forecast/china-days';
import { equipmentTypes, paymentTypes, startModes, stationTypes } from '@voltdeck/charging/states';
import { periods } from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import { dayField, energyField, fenField, filter, idField, instantField, momentField } from './fields.ts';
import { route } from './route.ts';

/** Periods that move with the day. */
export const statisticsPeriods = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_month',
  'last_month',
] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

/** By what splits and the hours of the week are drawn. */
export const statisticsMeasures = ['receivable', 'energy', 'orders'] as const;
export type StatisticsMeasure = (typeof statisticsMeasures)[number];

/** How long one figure of a series is. Days and months are those of China. */
export const statisticsSteps = ['hour', 'day', 'month'] as const;
export type StatisticsStep = (typeof statisticsSteps)[number];

/** The most steps of one series: two weeks of hours, a little more than three years of days, twenty years of months. */
export const statisticsStepsMax = { hour: 31 * 24, day: 1_100, month: 240 } as const satisfies Readonly<
  Record<StatisticsStep, number>
>;
/** The most days that one question adds up. */
export const statisticsDaysMax = 1_100;

/** Without a period, figures are those of so many days up to today. */
export const statisticsDaysByDefault = 7;

/**
 * Which sales are counted. A charge belongs to the hour in which it ended, with all that was paid for it and given back
 * later. `from` and `to` are days in China or instants; both are included.
 */
export const salesFilters = {
  from: z.optional(momentField),
  to: z.optional(momentField),
  regionCode: filter.region(),
  agentId: filter.id('agent'),
  siteId: filter.id('site'),
  equipmentType: filter.one(equipmentTypes),
};

const figures = {
  orders: z.int(),
  energyWh: energyField,
  /** From the start of each charge to its end. */
  durationS: z.int(),
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  /** Both fees, before what coupons took off. */
  amountFen: fenField,
  discountFen: fenField,
  /** What payers were charged: the fees less coupons. */
  receivableFen: fenField,
  /** What they have paid by now. */
  receivedFen: fenField,
  /** What they have got back by now. */
  refundedFen: fenField,
};
export const saleFigures = z.object(figures);
export type SaleFigures = z.output<typeof saleFigures>;

export const salePoint = z.object({
  /** The beginning of the hour, day or month. */
  at: instantField,
  ...figures,
});
export type SalePoint = z.output<typeof salePoint>;

export const getStatistics = route({
  method: 'GET',
  path: '/statistics',
  summary: 'What charges brought over time, by hour, day or month; every step of the period, those without charges too',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object({
    ...salesFilters,
    step: z._default(z.enum(statisticsSteps), 'day'),
    stationId: filter.id('station'),
    connectorId: filter.id('connector'),
  }),
  answer: z.object({ items: z.array(salePoint) }),
  errors: [],
});

/** The bands of what was due for a charge, in yuan: from, and below which. */
export const amountBands = [
  [0, 10],
  [10, 20],
  [20, 30],
  [30, 40],
  [40, 50],
  [50, null],
] as const;

/** From when on the kept sums hold everything; null where they do. */
const kept = z.object({
  /** Sums of earlier days are still being added up. */
  wholeFrom: z.nullable(dayField),
  /** The last instant that the figures know of. */
  at: instantField,
});

/**
 * What a period is compared with: `span`, the equal time right before it; `month`, the same days of the calendar month
 * before (of as many months before as it touches), a whole month with the whole one.
 */
export const comparedWith = ['span', 'month'] as const;
export type ComparedWith = (typeof comparedWith)[number];
const comparison = { comparedWith: z._default(z.enum(comparedWith), 'span') };

export const getSalesSummary = route({
  method: 'GET',
  path: '/statistics/summary',
  summary: 'What charges brought in a period and in the one before, and how it splits',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object({ ...salesFilters, ...comparison }),
  answer: z.object({
    period: z.object({ from: instantField, to: instantField, isRunning: z.boolean() }),
    /** What it is compared with; of a period that runs, up to the same time. */
    before: z.object({ from: instantField, to: instantField }),
    now: saleFigures,
    past: saleFigures,
    /** Charges that were the first of their customer, or of a card that nobody registered. */
    newCustomers: z.int(),
    /** Those of the period before. */
    pastNewCustomers: z.int(),
    /** Charges of customers who had charged before, and those of nobody we know: partners’ and unpaid ones. */
    returningOrders: z.int(),
    otherOrders: z.int(),
    /** Energy and fees by price period; null for charges that are billed by the hour. */
    periods: z.array(
      z.object({
        period: z.nullable(z.enum(periods)),
        energyWh: energyField,
        electricityFeeFen: fenField,
        serviceFeeFen: fenField,
      }),
    ),
    payments: z.array(z.object({ paymentType: z.enum(paymentTypes), ...figures })),
    startModes: z.array(z.object({ startMode: z.enum(startModes), ...figures })),
    stationTypes: z.array(
      z.object({ stationType: z.enum(stationTypes), equipmentType: z.enum(equipmentTypes), ...figures }),
    ),
    /** Charges by what was due for them, in the order of `amountBands`. */
    bands: z.array(z.int()),
    kept,
  }),
  errors: [],
});

/** By what sites are ranked. */
export const siteRankings = ['receivable', 'energy', 'orders', 'utilisation'] as const;
export type SiteRanking = (typeof siteRankings)[number];
/** Sites and gun ports shown at either end. */
export const rankedShown = 10;

const rankedSite = z.object({
  siteId: idField<'site'>(),
  siteName: z.string(),
  /** Its gun ports now. */
  ports: z.int(),
  /** Share of the period in which its ports charged, in ten-thousandths. */
  utilisationE4: z.int(),
  ...figures,
});
export type RankedSite = z.output<typeof rankedSite>;

export const getSiteRanking = route({
  method: 'GET',
  path: '/statistics/sites',
  summary: 'The sites that brought most and least in a period',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object({ ...salesFilters, by: z._default(z.enum(siteRankings), 'receivable') }),
  answer: z.object({
    sites: z.int(),
    /** The best first. */
    top: z.array(rankedSite),
    /** The last first; none that is among the best. */
    bottom: z.array(rankedSite),
  }),
  errors: [],
});

const usedPort = z.object({
  connectorId: idField<'connector'>(),
  number: z.int(),
  name: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  siteName: z.string(),
  orders: z.int(),
  energyWh: energyField,
  /** Within the period, of charges that run across one of its ends too. */
  durationS: z.int(),
  utilisationE4: z.int(),
});
export type UsedPort = z.output<typeof usedPort>;

export const getPortUse = route({
  method: 'GET',
  path: '/statistics/ports',
  summary: 'How much of a period gun ports charged',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object(salesFilters),
  answer: z.object({
    ports: z.int(),
    /** Of all ports together, in ten-thousandths of the period that is over. */
    utilisationE4: z.int(),
    /** Ports by their share of the period: below 10 %, below 20 %, … and from 90 %. */
    bands: z.array(z.int()),
    top: z.array(usedPort),
    bottom: z.array(usedPort),
  }),
  errors: [],
});

export const getWeekHours = route({
  method: 'GET',
  path: '/statistics/hours',
  summary: 'What charges brought by weekday and hour of the day, in China',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object(salesFilters),
  answer: z.object({
    /** How often each weekday, from Monday, is in the period. */
    days: z.array(z.int()),
    /** Hours without charges are left out. */
    items: z.array(
      z.object({
        /** From 1, Monday, to 7. */
        weekday: z.int(),
        hour: z.int(),
        orders: z.int(),
        energyWh: energyField,
        receivableFen: fenField,
      }),
    ),
  }),
  errors: [],
});

export const getStatisticsFile = route({
  method: 'GET',
  path: '/statistics/file',
  summary: 'All figures of the statistics of a period as a workbook, a sheet for each, in the caller’s language',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object({
    ...salesFilters,
    ...comparison,
    step: z._default(z.enum(statisticsSteps), 'day'),
    by: z._default(z.enum(siteRankings), 'receivable'),
  }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

export const rebuildCauses = ['first', 'asked', 'station_changed', 'nightly'] as const;

export const salesRebuild = z.object({
  id: z.int(),
  fromOn: dayField,
  toOn: dayField,
  because: z.enum(rebuildCauses),
  userName: z.nullable(z.string()),
  askedAt: instantField,
  doneAt: z.nullable(instantField),
  /** Days compared so far, and how many there are. */
  days: z.int(),
  daysInAll: z.int(),
  /** Sums that were not as the orders say, and were made again. */
  differing: z.int(),
  /** A day that could not be compared is tried again at `askedAt`. */
  waitsForNight: z.boolean(),
  /** Days that could not be compared. */
  failed: z.int(),
});
export type SalesRebuild = z.output<typeof salesRebuild>;

/** Comparisons that are shown. */
export const rebuildsShown = 10;

export const getSalesProof = route({
  method: 'GET',
  path: '/statistics/proof',
  summary: 'Whether the kept sums are what the orders say: the last comparisons and what they found',
  permission: 'statistics.rebuild',
  readsMuch: 'always',
  answer: z.object({
    /** Changes that no sum holds yet; whoever reads adds them. */
    waiting: z.int(),
    /** When changes were last added to the sums. */
    keptAt: z.nullable(instantField),
    rebuilds: z.array(salesRebuild),
  }),
  errors: [],
});

export const rebuildSales = route({
  method: 'POST',
  path: '/statistics/rebuilds',
  summary: 'Compares the kept sums of days with their orders, in the background, and makes again what differs',
  permission: 'statistics.rebuild',
  body: z.object({ fromOn: z.optional(dayField), toOn: z.optional(dayField) }),
  answer: salesRebuild,
  errors: ['statistics.rebuild_running'],
});

/** Within `low` and `high` lay four of five past days. */
const estimated = <Value extends z.ZodMiniType>(value: Value) => z.object({ expected: value, low: value, high: value });
const forecastDay = {
  day: dayField,
  dayKind: z.enum(dayKinds),
  /** False where the year's holidays were not announced yet: its days are forecast by their weekday. */
  isCalendarKnown: z.boolean(),
};
const forecastFigures = z.object({
  energyWh: estimated(energyField),
  receivableFen: estimated(fenField),
  /** The 24 hours of the day in China. They are forecast one by one and need not add up to the day. */
  hours: z.array(
    z.object({
      hour: z.int(),
      /** The mean power of the hour: what charges that end in it are expected to have drawn, spread over it. */
      powerW: estimated(z.int()),
      receivableFen: estimated(fenField),
    }),
  ),
});
export type ForecastFigures = z.output<typeof forecastFigures>;

export const getForecast = route({
  method: 'GET',
  path: '/statistics/forecast',
  summary: 'What charges are expected to bring tomorrow, hour by hour, and how far off yesterday’s forecast was',
  permission: 'statistics.read',
  readsMuch: 'always',
  query: z.object({
    regionCode: salesFilters.regionCode,
    agentId: salesFilters.agentId,
    siteId: salesFilters.siteId,
    equipmentType: salesFilters.equipmentType,
  }),
  answer: z.object({
    /** The first day with a charge, of those that are looked at; null where there was none. */
    firstOn: z.nullable(dayField),
    /** Null where there is too little history. */
    tomorrow: z.object({ ...forecastDay, forecast: z.nullable(forecastFigures) }),
    yesterday: z.object({
      ...forecastDay,
      /** As it would have been made on the day before, from the days before that one. */
      forecast: z.nullable(forecastFigures),
      actual: z.object({
        energyWh: energyField,
        receivableFen: fenField,
        hours: z.array(z.object({ hour: z.int(), powerW: z.int(), receivableFen: fenField })),
      }),
      /** Forecast less what happened, in ten-thousandths of what happened; null without a forecast and of zero. */
      energyErrorE4: z.nullable(z.int()),
      receivableErrorE4: z.nullable(z.int()),
    }),
  }),
  errors: [],
});
export type ForecastAnswer = z.output<(typeof getForecast)['answer']>;
