import { settlementCycles, settlementStates } from '@voltdeck/ledger/settlement';
import { shareReasons } from '@voltdeck/ledger/share';
import * as z from 'zod/mini';
import { fenField, filter, idField, idParameter, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** With whom is settled: the platform settles with nobody. */
export const settledKinds = ['agent', 'divider'] as const;
export type SettledKind = (typeof settledKinds)[number];

/** Why a period is neither closed nor paid out. */
export const settlementRefusals = ['unknown', 'not_open', 'not_ended', 'earlier_open', 'not_closed', 'failed'] as const;
export type SettlementRefusal = (typeof settlementRefusals)[number];

/** Periods that one call closes or pays out. */
export const settledMax = 200;

export const settlementPeriod = z.object({
  id: idField<'settlement_period'>(),
  party: z.enum(settledKinds),
  agentId: z.nullable(idField<'agent'>()),
  dividerId: z.nullable(idField<'divider'>()),
  partyName: z.string(),
  /** First and last day, in China's time. */
  fromOn: z.string(),
  toOn: z.string(),
  state: z.enum(settlementStates),
  /** Whether its last day is over, so that it can be closed. */
  hasEnded: z.boolean(),
  /** Orders with shares in it; of an open period, so far. */
  orders: z.int(),
  sharesFen: fenField,
  /**
   * What the period before came to where that was below zero, and what earlier ones could not pay out; of an open one, not
   * known yet.
   */
  carriedInFen: z.nullable(fenField),
  /** What earlier periods came to and could not pay out: part of `carriedInFen`, and of an open one known so far. */
  restsInFen: fenField,
  /** What it comes to: the shares with what is carried in. Below zero the next period carries it. */
  netFen: z.nullable(fenField),
  /** What of the net was paid out: less where money went back after the period was closed. Null until then. */
  paidOutFen: z.nullable(fenField),
  /** The period that carries what of the net was not paid out; null where all of it was. */
  restPeriodId: z.nullable(idField<'settlement_period'>()),
  restFromOn: z.nullable(z.string()),
  restToOn: z.nullable(z.string()),
  /** By which it was made, whatever the party's is now. */
  cycle: z.enum(settlementCycles),
  /** How the party is settled with now. */
  settlesItself: z.boolean(),
  closedAt: z.nullable(instantField),
  closedByName: z.nullable(z.string()),
  paidOutAt: z.nullable(instantField),
  paidOutByName: z.nullable(z.string()),
  /** Why it could not be settled by itself, the last time it was tried. Like the names, for the platform's people. */
  failure: z.nullable(z.string()),
});
export type SettlementPeriod = z.output<typeof settlementPeriod>;

export const listSettlementPeriods = listRoute({
  name: 'listSettlementPeriods',
  path: '/settlement-periods',
  summary: 'Settlement periods of agents and dividers',
  permission: 'settlement.read',
  sorts: ['toOn'],
  first: '-toOn',
  filters: {
    party: filter.choice(settledKinds),
    agentId: filter.id('agent'),
    dividerId: filter.id('divider'),
    state: filter.choice(settlementStates),
    /** Periods whose last day is over. */
    ended: filter.flag(),
    failed: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: settlementPeriod,
  columns: columnsOf<SettlementPeriod>()({
    partyName: { kind: 'text', title: 'settlements.party' },
    party: { kind: 'choice', title: 'settlements.partyKind', words: 'settled-kind' },
    fromOn: { kind: 'day', title: 'settlements.fromOn' },
    toOn: { kind: 'day', title: 'settlements.toOn' },
    state: { kind: 'choice', title: 'settlements.state', words: 'settlement-state' },
    orders: { kind: 'count', title: 'settlements.orders' },
    sharesFen: { kind: 'money', title: 'settlements.shares', hint: 'settlements.sharesHint' },
    carriedInFen: { kind: 'money', title: 'settlements.carriedIn', hint: 'settlements.carriedInHint' },
    netFen: { kind: 'money', title: 'settlements.net', hint: 'settlements.netHint' },
    paidOutFen: { kind: 'money', title: 'settlements.paidOutAmount', hint: 'settlements.paidOutHint', summed: true },
    cycle: { kind: 'choice', title: 'settlements.cycle', words: 'settlement-cycle' },
    settlesItself: {
      kind: 'flag',
      title: 'settlements.settlesItself',
      words: ['settlements.byItself', 'settlements.byHand'],
    },
    closedAt: { kind: 'instant', title: 'settlements.closedAt' },
    closedByName: { kind: 'text', title: 'settlements.closedBy' },
    paidOutAt: { kind: 'instant', title: 'settlements.paidOutAt' },
    paidOutByName: { kind: 'text', title: 'settlements.paidOutBy' },
    failure: { kind: 'text', title: 'settlements.failure' },
  }),
});

export const getSettlementPeriod = route({
  method: 'GET',
  path: '/settlement-periods/{id}',
  summary: 'One settlement period',
  permission: 'settlement.read',
  params: z.object({ id: idParameter<'settlement_period'>() }),
  answer: settlementPeriod,
  errors: [],
});

/** Sites that a period on paper names; more are added up in one row. */
export const printedSettledSitesMax = 200;
/** The same for postings that correct earlier periods. */
export const printedCorrectionsMax = 500;

export const getSettlementPdf = route({
  method: 'GET',
  path: '/settlement-periods/{id}/pdf',
  summary: 'One settlement period as PDF for its agent or divider, in the caller’s language',
  permission: 'settlement.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'settlement_period'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: [],
});

/** One posting of an order's share. */
export const settledShare = z.object({
  id: z.int(),
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  siteName: z.string(),
  /** 1 when the order settled; more for money that came in late or went back. */
  number: z.int(),
  reason: z.enum(shareReasons),
  electricityFen: fenField,
  serviceFen: fenField,
  occupancyFen: fenField,
  amountFen: fenField,
  /** The period of the order's first share, where that is an earlier one: this corrects it. */
  correctsPeriodId: z.nullable(idField<'settlement_period'>()),
  correctsFromOn: z.nullable(z.string()),
  correctsToOn: z.nullable(z.string()),
  at: instantField,
});
export type SettledShare = z.output<typeof settledShare>;

export const listSettledShares = listRoute({
  name: 'listSettledShares',
  path: '/settled-shares',
  summary: 'The shares of orders in a settlement period',
  permission: 'settlement.read',
  sorts: ['id'],
  first: 'id',
  filters: { periodId: filter.id('settlement_period'), orderNumber: filter.text(40) },
  item: settledShare,
  columns: columnsOf<SettledShare>()({
    orderNumber: { kind: 'number', title: 'settlements.orderNumber' },
    at: { kind: 'instant', title: 'settlements.at' },
    siteName: { kind: 'text', title: 'settlements.site' },
    reason: { kind: 'choice', title: 'settlements.reason', words: 'share-reason' },
    electricityFen: { kind: 'money', title: 'settlements.electricity', summed: true },
    serviceFen: { kind: 'money', title: 'settlements.service', summed: true },
    occupancyFen: { kind: 'money', title: 'settlements.occupancy', summed: true },
    amountFen: { kind: 'money', title: 'settlements.amount', summed: true },
    corrects: {
      kind: 'text',
      title: 'settlements.corrects',
      hint: 'settlements.correctsHint',
      of: ({ correctsFromOn, correctsToOn }) =>
        correctsFromOn === null || correctsFromOn === correctsToOn
          ? correctsFromOn
          : `${correctsFromOn} – ${correctsToOn}`,
    },
  }),
});

const ofMany = {
  body: z.object({ ids: z.array(idField<'settlement_period'>()).check(z.minLength(1), z.maxLength(settledMax)) }),
  answer: z.object({
    /** Periods that moved on. */
    done: z.array(idField<'settlement_period'>()),
    skipped: z.array(z.object({ id: idField<'settlement_period'>(), because: z.enum(settlementRefusals) })),
  }),
  errors: [],
  idempotency: 'required',
} as const;

export const closeSettlementPeriods = route({
  method: 'POST',
  path: '/settlement-periods/closings',
  permission: 'settlement.settle',
  summary: 'Close periods that have ended, the earliest of each party first. What cannot be closed is skipped',
  ...ofMany,
});

export const payOutSettlementPeriods = route({
  method: 'POST',
  path: '/settlement-periods/payouts',
  permission: 'settlement.settle',
  summary: 'Pay out closed periods to the balances of their parties. What cannot be paid out is skipped',
  ...ofMany,
});

/** How one party is settled with. */
export const settlementTerms = z.object({
  cycle: z.enum(settlementCycles),
  settlesItself: z.boolean(),
  changedAt: z.nullable(instantField),
  /** The first day on which it can be changed; null where it can be now. */
  changeableOn: z.nullable(z.string()),
  /** The first day that a new cycle would be of: the day after the open period, or today. */
  newCycleFrom: z.string(),
});
export type SettlementTerms = z.output<typeof settlementTerms>;

export const getSettlementTerms = route({
  method: 'GET',
  path: '/settlement-terms',
  summary: 'How often an agent or a divider is settled with, and whether by itself',
  permission: 'settlement.read',
  /** One of them. */
  query: z.object({ agentId: filter.id('agent'), dividerId: filter.id('divider') }),
  answer: settlementTerms,
  errors: [],
});

export const changeSettlementTerms = route({
  method: 'PUT',
  path: '/settlement-terms',
  summary: 'Change how an agent or a divider is settled with, at most once a month. Open periods keep their days',
  permission: 'settlement.change',
  body: z.object({
    /** One of the two. */
    agentId: z.optional(idField<'agent'>()),
    dividerId: z.optional(idField<'divider'>()),
    cycle: z.enum(settlementCycles),
    settlesItself: z.boolean(),
  }),
  answer: settlementTerms,
  errors: ['settlement.changed_this_month'],
});
