import * as z from 'zod/mini';
import { dayField, energyField, fenField, filter, idField, idParameter, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** What one row of statements is about: everything, an agent with the stations it runs, or a site. */
export const statementSubjects = ['platform', 'agent', 'site'] as const;
export type StatementSubject = (typeof statementSubjects)[number];

export const statementUnits = ['day', 'month'] as const;
export type StatementUnit = (typeof statementUnits)[number];

/** Without a period, statements are those of so many days up to today. */
export const statementDaysByDefault = 31;

/** The most days of a period that is added up, by day and by month. */
export const statementDaysMax = { day: 366, month: 1_830 } as const satisfies Readonly<Record<StatementUnit, number>>;

const figures = {
  /** Orders that were settled, and their energy. */
  orders: z.int(),
  energyWh: energyField,
  electricityFen: fenField,
  /** After what sites gave by coupons. */
  serviceFen: fenField,
  /** What the platform's coupons took off the bills, whatever refunds brought back; null for agents. */
  couponFen: z.nullable(fenField),
  /** What payers were charged. */
  receivableFen: fenField,
  /** What payers paid: for orders of the day and for earlier debts. */
  receivedFen: fenField,
  /** What went back to payers. */
  refundsFen: fenField,
  /** Kept by the platform, which pays the channels; null for agents. */
  channelFeeFen: z.nullable(fenField),
  /** Null for agents. */
  commissionFen: z.nullable(fenField),
  /** For agents: what the platform and the agents above them got; null for the platform. */
  aboveFen: z.nullable(fenField),
  /** For agents: of those among them. */
  agentSharesFen: fenField,
  dividerSharesFen: fenField,
  /** Debts that were forgiven or written off: nobody owes them any more. */
  adjustmentsFen: fenField,
  /** Shares that were paid out to balances of agents and dividers; null for a site. */
  payoutsFen: z.nullable(fenField),
  /**
   * For the platform what is left of what was received: less refunds, channel fees, commission and shares. For agents
   * their own share.
   */
  netFen: fenField,
};

export const statement = z.object({
  id: z.string(),
  unit: z.enum(statementUnits),
  /** The day, or the first of the month. */
  day: dayField,
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  ...figures,
});
export type Statement = z.output<typeof statement>;

const statementFilters = {
  by: filter.one(statementSubjects),
  unit: filter.one(statementUnits),
  agentId: filter.id('agent'),
  siteId: filter.id('site'),
  from: filter.instant(),
  to: filter.instant(),
};

export const listStatements = listRoute({
  name: 'listStatements',
  path: '/statements',
  summary: 'What orders moved in the books, by day or month, for the platform, by agent or by site',
  permission: 'finance.read',
  sorts: ['day', 'receivedFen', 'netFen'],
  first: '-day',
  filters: statementFilters,
  item: statement,
  readsMuch: 'always',
  columns: columnsOf<Statement>()({
    period: { kind: 'text', title: 'finance.period', of: periodOf },
    agentName: { kind: 'text', title: 'finance.agent', absent: 'finance.ownSites' },
    siteName: { kind: 'text', title: 'finance.site' },
    orders: {
      kind: 'count',
      title: 'finance.orders',
      group: 'finance.income',
      hint: 'finance.ordersHint',
      summed: true,
    },
    energyWh: { kind: 'energyWh', title: 'finance.energy', group: 'finance.income', summed: true },
    electricityFen: { kind: 'money', title: 'finance.electricity', group: 'finance.income', summed: true },
    serviceFen: {
      kind: 'money',
      title: 'finance.service',
      group: 'finance.income',
      hint: 'finance.serviceHint',
      summed: true,
    },
    couponFen: {
      kind: 'money',
      title: 'finance.coupon',
      group: 'finance.income',
      hint: 'finance.couponHint',
      summed: true,
    },
    receivableFen: {
      kind: 'money',
      title: 'finance.receivable',
      group: 'finance.income',
      hint: 'finance.receivableHint',
      summed: true,
    },
    receivedFen: {
      kind: 'money',
      title: 'finance.received',
      group: 'finance.income',
      hint: 'finance.receivedHint',
      summed: true,
    },
    refundsFen: { kind: 'money', title: 'finance.refunds', group: 'finance.expenses', summed: true },
    channelFeeFen: {
      kind: 'money',
      title: 'finance.channelFee',
      group: 'finance.expenses',
      hint: 'finance.channelFeeHint',
      summed: true,
    },
    commissionFen: {
      kind: 'money',
      title: 'finance.commission',
      group: 'finance.expenses',
      hint: 'finance.commissionHint',
      summed: true,
    },
    aboveFen: {
      kind: 'money',
      title: 'finance.above',
      group: 'finance.expenses',
      hint: 'finance.aboveHint',
      summed: true,
    },
    agentSharesFen: { kind: 'money', title: 'finance.agentShares', group: 'finance.expenses', summed: true },
    dividerSharesFen: { kind: 'money', title: 'finance.dividerShares', group: 'finance.expenses', summed: true },
    netFen: { kind: 'money', title: 'finance.net', hint: 'finance.netHint', summed: true },
    adjustmentsFen: {
      kind: 'money',
      title: 'finance.adjustments',
      group: 'finance.beside',
      hint: 'finance.adjustmentsHint',
      summed: true,
    },
    payoutsFen: {
      kind: 'money',
      title: 'finance.payouts',
      group: 'finance.beside',
      hint: 'finance.payoutsHint',
      summed: true,
    },
  }),
});

/** "2026-11-21", or "2026-11" for a month. */
export function periodOf({ unit, day }: Pick<Statement, 'unit' | 'day'>): string {
  return unit === 'month' ? day.slice(0, 7) : day;
}

/** What moved the money of an order. */
export const statementCauses = ['settled', 'repaid', 'refunded', 'shared', 'written_off', 'undone'] as const;
export type StatementCause = (typeof statementCauses)[number];

/** One transfer of an order as a statement counts it. */
export const statementMove = z.object({
  /** The transfer's. */
  id: idField<'transfer'>(),
  at: instantField,
  cause: z.enum(statementCauses),
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  siteId: idField<'site'>(),
  siteName: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  energyWh: energyField,
  receivableFen: fenField,
  receivedFen: fenField,
  refundsFen: fenField,
  channelFeeFen: z.nullable(fenField),
  commissionFen: z.nullable(fenField),
  agentSharesFen: fenField,
  dividerSharesFen: fenField,
  adjustmentsFen: fenField,
});
export type StatementMove = z.output<typeof statementMove>;

export const listStatementMoves = listRoute({
  name: 'listStatementMoves',
  path: '/statements/moves',
  summary: 'The orders behind statements: each transfer that moved money of an order',
  permission: 'finance.read',
  sorts: ['at'],
  first: '-at',
  filters: {
    cause: filter.choice(statementCauses),
    orderNumber: filter.text(),
    siteId: filter.id('site'),
    agentId: filter.id('agent'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: statementMove,
  readsMuch: 'always',
  columns: columnsOf<StatementMove>()({
    orderNumber: { kind: 'number', title: 'finance.orderNumber' },
    at: { kind: 'instant', title: 'finance.movedAt', hint: 'finance.movedAtHint' },
    cause: { kind: 'choice', title: 'finance.cause', words: 'statement-cause' },
    siteName: { kind: 'text', title: 'finance.site' },
    agentName: { kind: 'text', title: 'finance.agent', absent: 'finance.ownSites' },
    energyWh: { kind: 'energyWh', title: 'finance.energy' },
    receivableFen: { kind: 'money', title: 'finance.receivable', hint: 'finance.receivableHint' },
    receivedFen: { kind: 'money', title: 'finance.received', hint: 'finance.receivedHint' },
    refundsFen: { kind: 'money', title: 'finance.refunds' },
    channelFeeFen: { kind: 'money', title: 'finance.channelFee', hint: 'finance.channelFeeHint' },
    commissionFen: { kind: 'money', title: 'finance.commission', hint: 'finance.commissionHint' },
    agentSharesFen: { kind: 'money', title: 'finance.agentShares' },
    dividerSharesFen: { kind: 'money', title: 'finance.dividerShares' },
    adjustmentsFen: { kind: 'money', title: 'finance.adjustments', hint: 'finance.adjustmentsHint' },
  }),
});

/** Sites that a statement on paper names; more are added up in one row. */
export const printedSitesMax = 200;

export const getStatementPdf = route({
  method: 'GET',
  path: '/statements/pdf',
  summary: 'The statement of a day or a month for the platform or an agent as PDF, in the caller’s language',
  permission: 'finance.read',
  readsMuch: 'always',
  query: z.object({
    unit: z.enum(statementUnits),
    /** Any day of it. */
    day: dayField,
    /** Without it, everything that the caller sees. */
    agentId: z.optional(idParameter<'agent'>()),
  }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});
