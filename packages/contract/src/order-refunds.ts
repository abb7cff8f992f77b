import { refundChannels, refundStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, filter, idField, idParameter, instantField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Money given back from an order. */
export const orderRefund = z.object({
  id: idField<'order_refund'>(),
  number: z.string(),
  state: z.enum(refundStates),
  channel: z.enum(refundChannels),
  /** The payment provider's number, where one took part. */
  thirdPartyNumber: z.nullable(z.string()),
  orderId: idField<'order'>(),
  orderNumber: z.string(),
  amountFen: fenField,
  /** What went to the balance as money that was paid in, and as gifts. */
  paidFen: fenField,
  giftFen: fenField,
  /** What reduced the order's debt instead. */
  forgivenFen: fenField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  orderAmountFen: fenField,
  reason: z.string(),
  /** What came of it, in the words of whoever carried it out. */
  result: z.string(),
  userName: z.nullable(z.string()),
  phone: z.nullable(shown.phone()),
  cardNumber: z.nullable(shown.card()),
  /** A group paid for the order. */
  isGroupOrder: z.boolean(),
  groupName: z.nullable(z.string()),
  groupCardNumber: z.nullable(shown.card()),
  siteName: z.nullable(z.string()),
  stationNumber: z.string(),
  agentName: z.nullable(z.string()),
  /** Who made it. */
  operatorName: z.nullable(z.string()),
  appliedAt: instantField,
  doneAt: z.nullable(instantField),
});
export type OrderRefund = z.output<typeof orderRefund>;

export const refundTimes = ['applied', 'done'] as const;

export const listOrderRefunds = listRoute({
  name: 'listOrderRefunds',
  path: '/refunds',
  summary: 'Refunds of orders, newest first',
  permission: 'order.read',
  exportPermission: 'order.export',
  sorts: ['appliedAt', 'doneAt'],
  first: '-appliedAt',
  filters: {
    number: filter.text(),
    orderNumber: filter.text(),
    state: filter.choice(refundStates),
    channel: filter.choice(refundChannels),
    phone: filter.phone(),
    cardNumber: filter.card(),
    thirdPartyNumber: filter.text(),
    stationNumber: filter.text(),
    siteId: filter.id('site'),
    agentId: filter.id('agent'),
    operatorName: filter.text(),
    time: filter.one(refundTimes),
    from: filter.instant(),
    to: filter.instant(),
    customerId: filter.id('customer'),
    cardId: filter.id('card'),
    /** Whether a group paid for the order. */
    groupOrder: filter.flag(),
    groupId: filter.id('group'),
  },
  item: orderRefund,
  columns: columnsOf<OrderRefund>()({
    number: { kind: 'number', title: 'refunds.number' },
    orderNumber: { kind: 'number', title: 'refunds.orderNumber' },
    state: { kind: 'choice', title: 'refunds.state', words: 'refund-state' },
    amountFen: { kind: 'money', title: 'refunds.amount', summed: true },
    reason: { kind: 'text', title: 'refunds.reason' },
    appliedAt: { kind: 'instant', title: 'refunds.appliedAt' },
    operatorName: { kind: 'text', title: 'refunds.operator' },
    paidFen: { kind: 'money', title: 'refunds.paid', hint: 'refunds.paidHint', summed: true },
    giftFen: { kind: 'money', title: 'refunds.gift', hint: 'refunds.giftHint', summed: true },
    forgivenFen: { kind: 'money', title: 'refunds.forgiven', hint: 'refunds.forgivenHint', summed: true },
    channel: { kind: 'choice', title: 'refunds.channel', words: 'refund-channel' },
    doneAt: { kind: 'instant', title: 'refunds.doneAt' },
    userName: { kind: 'text', title: 'refunds.user' },
    phone: { kind: 'number', title: 'refunds.phone' },
    cardNumber: { kind: 'number', title: 'refunds.card' },
    isGroupOrder: { kind: 'flag', title: 'refunds.isGroupOrder' },
    groupName: { kind: 'text', title: 'refunds.groupName' },
    groupCardNumber: { kind: 'number', title: 'refunds.groupCardNumber' },
    thirdPartyNumber: { kind: 'number', title: 'refunds.thirdParty' },
    result: { kind: 'text', title: 'refunds.result' },
    orderAmountFen: { kind: 'money', title: 'refunds.orderAmount' },
    electricityFeeFen: { kind: 'money', title: 'refunds.electricityFee', summed: true },
    serviceFeeFen: { kind: 'money', title: 'refunds.serviceFee', summed: true },
    siteName: { kind: 'text', title: 'refunds.site' },
    stationNumber: { kind: 'number', title: 'refunds.stationNumber' },
    agentName: { kind: 'text', title: 'refunds.agent', absent: 'list.ofPlatform' },
  }),
});

export const getOrderRefund = route({
  method: 'GET',
  path: '/refunds/{id}',
  summary: 'One refund of an order',
  permission: 'order.read',
  params: z.object({ id: idParameter<'order_refund'>() }),
  answer: orderRefund,
  errors: [],
});

export const retryRefund = route({
  method: 'POST',
  path: '/refunds/{id}/retries',
  summary: 'Make a failed refund again, to the balance that paid the order',
  permission: 'order.refund',
  params: z.object({ id: idParameter<'order_refund'>() }),
  answer: orWaits(orderRefund),
  errors: ['refund.not_failed', 'order.nothing_to_refund', 'order.refund_too_high'],
  idempotency: 'required',
});
