import { settlementStates } from '@voltdeck/ledger/settlement';
import * as z from 'zod/mini';
import { dividerTerm } from './dividers.ts';
import { dayField, fenField, filter, idField, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Days of one question about income. */
export const incomeDaysMax = 92;
/** The latest periods that income is shown with. */
export const incomePeriodsMax = 24;
/** Terms that income is shown with. */
export const incomeTermsMax = 100;

/** Why there is a share: the order settled, money came in later or went back, or it was shared anew by other terms. */
export const shareCauses = ['settled', 'paid_later', 'refunded', 'corrected'] as const;
export type ShareCause = (typeof shareCauses)[number];

/** What a divider got of an order at one time. It says nothing of who charged, nor of what others got. */
export const dividerShare = z.object({
  id: idField<'order_share'>(),
  at: instantField,
  cause: z.enum(shareCauses),
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  dividerId: idField<'divider'>(),
  dividerName: z.string(),
  siteName: z.string(),
  stationName: z.string(),
  stationNumber: z.string(),
  connectorNumber: z.nullable(z.int()),
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  energyWh: z.int(),
  /** The divider’s rates of the order, in percent of what the holder has left. */
  electricityPercent: z.nullable(z.number()),
  servicePercent: z.nullable(z.number()),
  occupancyPercent: z.nullable(z.number()),
  electricityFen: fenField,
  serviceFen: fenField,
  occupancyFen: fenField,
  amountFen: fenField,
  periodFrom: z.string(),
  periodTo: z.string(),
  periodState: z.enum(settlementStates),
});
export type DividerShare = z.output<typeof dividerShare>;

export const listDividerShares = listRoute({
  name: 'listDividerShares',
  path: '/divider-shares',
  summary: 'What dividers got, order by order: a divider sees its own, others that of the dividers in their data scope',
  permission: 'divider_income.read',
  sorts: ['at'],
  first: '-at',
  filters: {
    dividerId: filter.id('divider'),
    orderNumber: filter.text(),
    siteId: filter.id('site'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: dividerShare,
  columns: columnsOf<DividerShare>()({
    orderNumber: { kind: 'number', title: 'dividerIncome.order' },
    dividerName: { kind: 'text', title: 'dividerIncome.divider' },
    siteName: { kind: 'text', title: 'dividerIncome.site' },
    stationName: { kind: 'text', title: 'dividerIncome.station' },
    stationNumber: { kind: 'number', title: 'dividerIncome.stationNumber' },
    connectorNumber: { kind: 'count', title: 'dividerIncome.port' },
    amountFen: { kind: 'money', title: 'dividerIncome.amount', summed: true },
    electricityFen: { kind: 'money', title: 'dividerIncome.electricity', group: 'dividerIncome.byFee', summed: true },
    serviceFen: { kind: 'money', title: 'dividerIncome.service', group: 'dividerIncome.byFee', summed: true },
    occupancyFen: { kind: 'money', title: 'dividerIncome.occupancy', group: 'dividerIncome.byFee', summed: true },
    electricityPercent: { kind: 'percent', title: 'dividerIncome.electricityRate', group: 'dividerIncome.rates' },
    servicePercent: { kind: 'percent', title: 'dividerIncome.serviceRate', group: 'dividerIncome.rates' },
    occupancyPercent: { kind: 'percent', title: 'dividerIncome.occupancyRate', group: 'dividerIncome.rates' },
    cause: { kind: 'choice', title: 'dividerIncome.cause', words: 'share-cause' },
    energyWh: { kind: 'energyWh', title: 'dividerIncome.energy' },
    startedAt: { kind: 'instant', title: 'dividerIncome.startedAt' },
    endedAt: { kind: 'instant', title: 'dividerIncome.endedAt' },
    at: { kind: 'instant', title: 'dividerIncome.at' },
    period: {
      kind: 'text',
      title: 'dividerIncome.period',
      of: ({ periodFrom, periodTo }) => (periodFrom === periodTo ? periodFrom : `${periodFrom} – ${periodTo}`),
    },
    periodState: { kind: 'choice', title: 'dividerIncome.periodState', words: 'settlement-state' },
  }),
});

/** Where the divider shares, and how much of which fee. */
export const incomeTerm = z.pick(dividerTerm, {
  id: true,
  place: true,
  siteName: true,
  stationName: true,
  electricityPercent: true,
  servicePercent: true,
  occupancyPercent: true,
  state: true,
  from: true,
  to: true,
});
export type IncomeTerm = z.output<typeof incomeTerm>;

const amounts = { electricityFen: fenField, serviceFen: fenField, occupancyFen: fenField, amountFen: fenField };

export const dividerIncome = z.object({
  dividerId: idField<'divider'>(),
  dividerName: z.string(),
  incomeFen: fenField,
  unpaidFen: fenField,
  balanceFen: fenField,
  /** Terms in force, then those to come. */
  terms: z.array(incomeTerm),
  /** Terms in force and to come beyond those. */
  otherTerms: z.int(),
  /** The days with shares, the latest first. */
  days: z.array(z.object({ day: z.string(), orders: z.int(), ...amounts })),
  /** The latest first. */
  periods: z.array(
    z.object({
      id: idField<'settlement_period'>(),
      from: z.string(),
      to: z.string(),
      state: z.enum(settlementStates),
      /** Of its shares; until it is closed, so far. */
      sharesFen: fenField,
      /** The debt of the period before, and what earlier ones could not pay out; null until it is closed. */
      carriedInFen: z.nullable(fenField),
      netFen: z.nullable(fenField),
      /** What of it went to the balance: less where money went back after the close. Null until it is paid out. */
      paidOutFen: z.nullable(fenField),
      paidOutAt: z.nullable(instantField),
    }),
  ),
});
export type DividerIncome = z.output<typeof dividerIncome>;

export const getDividerIncome = route({
  method: 'GET',
  path: '/divider-income',
  summary: 'What a divider got by day, its periods and its balance: the caller’s own, or that of a divider in scope',
  permission: 'divider_income.read',
  readsMuch: 'always',
  query: z.object({
    /** Needed by everybody who is no divider. */
    dividerId: filter.id('divider'),
    /** The first and the last day; the last thirty days if omitted. */
    fromOn: z.optional(dayField),
    lastOn: z.optional(dayField),
  }),
  answer: dividerIncome,
  errors: [],
});
