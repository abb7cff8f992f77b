import * as z from 'zod/mini';
import { dayField, energyField, fenField, filter, idField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { salesFilters } from './statistics.ts';

/** What one row of business totals is about. */
export const totalSubjects = ['agent', 'site', 'station', 'day'] as const;
export type TotalSubject = (typeof totalSubjects)[number];

/** Without a period, totals are those of so many days up to today. */
export const totalDaysByDefault = 31;

export const businessTotal = z.object({
  id: z.string(),
  by: z.enum(totalSubjects),
  day: z.nullable(dayField),
  /** Null for the platform’s own sites. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  stationId: z.nullable(idField<'station'>()),
  stationNumber: z.nullable(z.string()),
  stationName: z.nullable(z.string()),
  /** Whether the station is connected now. */
  online: z.nullable(z.boolean()),
  /** Gun ports now. */
  ports: z.int(),
  orders: z.int(),
  energyWh: energyField,
  durationMs: z.int(),
  /** Share of the period in which its ports charged; absent where there is no port. */
  utilisationPercent: z.nullable(z.number()),
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
  discountFen: fenField,
  receivableFen: fenField,
  receivedFen: fenField,
  /** Of what was received: paid with gifts. */
  giftFen: fenField,
  refundedFen: fenField,
  /** Forgiven and written off: nobody owes it any more. */
  adjustmentsFen: fenField,
  /** Received less refunds. */
  netFen: fenField,
  /** Of the net: what agents got; for an agent’s people their own and those below them. */
  agentShareFen: fenField,
  dividerShareFen: fenField,
  /** The rest of the net: the platform’s, and for an agent’s people also that of agents above them. */
  platformShareFen: fenField,
  /** Of the platform’s share; null for agents. */
  channelFeeFen: z.nullable(fenField),
  commissionFen: z.nullable(fenField),
});
export type BusinessTotal = z.output<typeof businessTotal>;

export const listTotals = listRoute({
  name: 'listTotals',
  path: '/totals',
  summary: 'What charges brought, by agent, site, station or day, and who got it; with the sums of all rows',
  permission: 'total.read',
  sorts: ['day', 'orders', 'energyWh', 'receivableFen', 'receivedFen', 'netFen'],
  first: '-receivableFen',
  filters: {
    by: filter.one(totalSubjects),
    from: filter.moment(),
    to: filter.moment(),
    regionCode: salesFilters.regionCode,
    agentId: salesFilters.agentId,
    siteId: salesFilters.siteId,
    stationId: filter.id('station'),
    equipmentType: salesFilters.equipmentType,
  },
  item: businessTotal,
  readsMuch: 'always',
  sumsInPage: true,
  columns: columnsOf<BusinessTotal>()({
    day: { kind: 'day', title: 'totals.day' },
    agentName: { kind: 'text', title: 'totals.agent', absent: 'totals.ownSites' },
    siteName: { kind: 'text', title: 'totals.site' },
    stationNumber: { kind: 'number', title: 'totals.stationNumber' },
    stationName: { kind: 'text', title: 'totals.stationName' },
    online: { kind: 'flag', title: 'totals.online', words: ['totals.isOnline', 'totals.isOffline'] },
    ports: { kind: 'count', title: 'totals.ports', group: 'totals.use' },
    orders: { kind: 'count', title: 'totals.orders', group: 'totals.use', hint: 'totals.ordersHint', summed: true },
    energyWh: { kind: 'energyWh', title: 'totals.energy', group: 'totals.use', summed: true },
    durationMs: { kind: 'durationMs', title: 'totals.duration', group: 'totals.use', summed: true },
    utilisationPercent: {
      kind: 'percent',
      title: 'totals.utilisation',
      group: 'totals.use',
      hint: 'totals.utilisationHint',
    },
    electricityFeeFen: { kind: 'money', title: 'totals.electricity', group: 'totals.due', summed: true },
    serviceFeeFen: { kind: 'money', title: 'totals.service', group: 'totals.due', summed: true },
    discountFen: { kind: 'money', title: 'totals.discount', group: 'totals.due', summed: true },
    receivableFen: {
      kind: 'money',
      title: 'totals.receivable',
      group: 'totals.due',
      hint: 'totals.receivableHint',
      summed: true,
    },
    receivedFen: {
      kind: 'money',
      title: 'totals.received',
      group: 'totals.money',
      hint: 'totals.receivedHint',
      summed: true,
    },
    giftFen: { kind: 'money', title: 'totals.gift', group: 'totals.money', hint: 'totals.giftHint', summed: true },
    refundedFen: {
      kind: 'money',
      title: 'totals.refunded',
      group: 'totals.money',
      hint: 'totals.refundedHint',
      summed: true,
    },
    adjustmentsFen: {
      kind: 'money',
      title: 'totals.adjustments',
      group: 'totals.money',
      hint: 'totals.adjustmentsHint',
      summed: true,
    },
    netFen: { kind: 'money', title: 'totals.net', group: 'totals.money', hint: 'totals.netHint', summed: true },
    agentShareFen: { kind: 'money', title: 'totals.agentShare', group: 'totals.shares', summed: true },
    dividerShareFen: { kind: 'money', title: 'totals.dividerShare', group: 'totals.shares', summed: true },
    platformShareFen: {
      kind: 'money',
      title: 'totals.platformShare',
      group: 'totals.shares',
      hint: 'totals.platformShareHint',
      summed: true,
    },
    channelFeeFen: {
      kind: 'money',
      title: 'totals.channelFee',
      group: 'totals.shares',
      hint: 'totals.channelFeeHint',
      summed: true,
    },
    commissionFen: { kind: 'money', title: 'totals.commission', group: 'totals.shares', summed: true },
  }),
});
