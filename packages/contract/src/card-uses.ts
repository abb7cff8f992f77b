import { orderStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { energyField, fenField, filter, idField, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';

/** One charge with a card. */
export const cardUse = z.object({
  /** Of the order. */
  id: idField<'order'>(),
  orderNumber: z.string(),
  state: z.enum(orderStates),
  cardId: idField<'card'>(),
  cardNumber: shown.card(),
  physicalNumber: shown.card(),
  /** Who held the card when it charged. */
  customerId: z.nullable(idField<'customer'>()),
  customerNickname: z.nullable(z.string()),
  customerPhone: z.nullable(shown.phone()),
  siteName: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  connectorNumber: z.int(),
  agentName: z.nullable(z.string()),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  energyWh: energyField,
  amountFen: fenField,
  /** What was paid, gifts included. */
  paidFen: fenField,
  giftPaidFen: fenField,
  owedFen: fenField,
  refundedFen: fenField,
  /** What was on the card right after it paid; null where it has paid nothing. */
  balanceAfterFen: z.nullable(fenField),
});
export type CardUse = z.output<typeof cardUse>;

export const listCardUses = listRoute({
  name: 'listCardUses',
  path: '/card-uses',
  summary: 'Charges with cards',
  permission: 'card.read',
  sorts: ['placedAt'],
  first: '-placedAt',
  filters: {
    cardNumber: filter.card(),
    phone: filter.phone(),
    stationNumber: filter.text(),
    siteId: filter.id('site'),
    state: filter.choice(orderStates),
    from: filter.instant(),
    to: filter.instant(),
    agentId: filter.id('agent'),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
  },
  item: cardUse,
  columns: columnsOf<CardUse>()({
    orderNumber: { kind: 'number', title: 'cardUses.orderNumber' },
    placedAt: { kind: 'instant', title: 'cardUses.placedAt' },
    cardNumber: { kind: 'number', title: 'cardUses.cardNumber' },
    physicalNumber: { kind: 'number', title: 'cardUses.physicalNumber' },
    customerNickname: { kind: 'text', title: 'cardUses.holder' },
    customerPhone: { kind: 'number', title: 'cardUses.phone' },
    state: { kind: 'choice', title: 'cardUses.state', words: 'order-state' },
    energyWh: { kind: 'energyWh', title: 'cardUses.energy', summed: true },
    amountFen: { kind: 'money', title: 'cardUses.amount', summed: true },
    paidFen: { kind: 'money', title: 'cardUses.paid', summed: true },
    siteName: { kind: 'text', title: 'cardUses.site' },
    stationName: { kind: 'text', title: 'cardUses.station' },
    stationNumber: { kind: 'number', title: 'cardUses.stationNumber' },
    connectorNumber: { kind: 'count', title: 'cardUses.port' },
    startedAt: { kind: 'instant', title: 'cardUses.startedAt' },
    endedAt: { kind: 'instant', title: 'cardUses.endedAt' },
    giftPaidFen: { kind: 'money', title: 'cardUses.giftPaid', summed: true },
    owedFen: { kind: 'money', title: 'cardUses.owed', summed: true },
    refundedFen: { kind: 'money', title: 'cardUses.refunded', summed: true },
    balanceAfterFen: { kind: 'money', title: 'cardUses.balanceAfter' },
    agentName: { kind: 'text', title: 'cardUses.agent', absent: 'list.ofPlatform' },
  }),
});
