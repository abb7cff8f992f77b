import { abnormalRules } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { fenField, filter, idField, idParameter, instantField, linesField, textField } from './fields.ts';
import { evidenceLines, type SayEvidence } from './flag-evidence.ts';
import { columnsOf, listRoute } from './list.ts';
import { listOrders, order, orderFilters, orderFlag, proposedFigures } from './orders.ts';
import { route } from './route.ts';

/** An order that a rule flagged, with what a person needs in order to decide about it. */
export const abnormalOrder = z.extend(order, {
  flags: z.array(orderFlag),
  /** Since when the oldest flag has been waiting for a person; null once all are handled. */
  unhandledSince: z.nullable(instantField),
  /** The proposed settlement of an order that waits; its amount is null where no rule prices it. */
  proposal: z.nullable(z.extend(proposedFigures, { amountFen: z.nullable(fenField) })),
  /**
   * What the decision is about: the proposed amount of an order that waits, else the bill less what was given back; null
   * while it cannot be told.
   */
  atStakeFen: z.nullable(fenField),
});
export type AbnormalOrder = z.output<typeof abnormalOrder>;

const { abnormal: _, ...furtherFilters } = orderFilters;
const { columns } = listOrders;

export const listAbnormalOrders = listRoute({
  name: 'listAbnormalOrders',
  path: '/abnormal-orders',
  summary: 'Orders that a rule flagged, newest first',
  permission: 'order.read',
  exportPermission: 'order.export',
  sorts: ['placedAt'],
  first: '-placedAt',
  filters: {
    rule: filter.choice(abnormalRules),
    /** Whether a person has dealt with every flag. */
    handled: filter.flag(),
    ...furtherFilters,
  },
  item: abnormalOrder,
  columns: columnsOf<AbnormalOrder>()({
    number: columns.number,
    flaggedBecause: columns.flaggedBecause,
    evidence: {
      kind: 'text',
      title: 'abnormal.evidence',
      group: 'orders.group.order',
      hint: 'abnormal.evidenceHint',
      // In words by `texts` of the list's source and by the console; here only so that the column has a value.
      of: ({ flags }) => flags.map(({ rule }) => rule).join(' '),
    },
    atStakeFen: {
      kind: 'money',
      title: 'abnormal.atStake',
      hint: 'abnormal.atStakeHint',
      group: 'orders.group.order',
    },
    unhandledSince: { kind: 'instant', title: 'abnormal.since', group: 'orders.group.order' },
    state: columns.state,
    proposedWh: {
      kind: 'energyWh',
      title: 'abnormal.proposedEnergy',
      group: 'abnormal.group.proposal',
      of: ({ proposal }) => proposal?.energyWh ?? null,
    },
    proposedEnd: {
      kind: 'instant',
      title: 'abnormal.proposedEnd',
      group: 'abnormal.group.proposal',
      of: ({ proposal }) => proposal?.endedAt ?? null,
    },
    proposedFen: {
      kind: 'money',
      title: 'abnormal.proposedAmount',
      group: 'abnormal.group.proposal',
      of: ({ proposal }) => proposal?.amountFen ?? null,
    },
    handled: {
      kind: 'flag',
      title: 'abnormal.handled',
      group: 'orders.group.order',
      words: ['abnormal.handledYes', 'abnormal.handledNo'],
      of: ({ unhandled }) => !unhandled,
    },
    handledHow: {
      kind: 'choices',
      title: 'abnormal.handledHow',
      group: 'orders.group.order',
      words: 'flag-handling',
      of: ({ flags }) => [...new Set(flags.flatMap(({ handled }) => (handled === null ? [] : [handled.how])))],
    },
    handledReason: {
      kind: 'text',
      title: 'abnormal.handledReason',
      group: 'orders.group.order',
      of: ({ flags }) =>
        [...new Set(flags.flatMap(({ handled }) => (handled === null ? [] : [handled.reason])))].join('; '),
    },
    placedAt: columns.placedAt,
    startMode: columns.startMode,
    siteName: columns.siteName,
    stationName: columns.stationName,
    stationNumber: columns.stationNumber,
    connectorNumber: columns.connectorNumber,
    agentName: columns.agentName,
    userName: columns.userName,
    phone: columns.phone,
    cardNumber: columns.cardNumber,
    isGroupOrder: columns.isGroupOrder,
    groupName: columns.groupName,
    groupCardNumber: columns.groupCardNumber,
    plate: columns.plate,
    vin: columns.vin,
    startedAt: columns.startedAt,
    endedAt: columns.endedAt,
    duration: columns.duration,
    expectedDurationMs: columns.expectedDurationMs,
    energyWh: columns.energyWh,
    stopReason: columns.stopReason,
    amountFen: columns.amountFen,
    paidFen: columns.paidFen,
    refundedFen: columns.refundedFen,
    paymentState: columns.paymentState,
    paymentType: columns.paymentType,
    billingType: columns.billingType,
  }),
});

/** The evidence of all flags of an order in words, in the order of the flags. */
export function evidenceText({ flags }: Pick<AbnormalOrder, 'flags'>, say: SayEvidence): string {
  return evidenceLines(flags, say).join('\n');
}

const reason = linesField(200, 2);

export const acceptOrder = route({
  method: 'POST',
  path: '/orders/{id}/acceptances',
  summary: 'Accept a flagged order as it is: its bill stays; one that waits is settled as proposed',
  permission: 'order.settle',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ reason }),
  answer: orWaits(order),
  errors: [
    'order.already_handled',
    'order.still_open',
    'order.no_proposal',
    'order.not_priceable',
    'order.energy_below_zero',
    'tariff.missing',
  ],
  idempotency: 'required',
});

/** How many orders are accepted together. */
export const acceptancesMax = 100;

/** All or nothing. Money of orders that wait moves only one by one. */
export const acceptOrders = route({
  method: 'POST',
  path: '/orders/acceptances',
  summary: 'Accept flagged orders that have ended as they are, all or none',
  permission: 'order.settle',
  body: z.object({
    ids: z.array(idField<'order'>()).check(z.minLength(1), z.maxLength(acceptancesMax)),
    reason,
  }),
  answer: z.object({ accepted: z.int() }),
  errors: ['order.already_handled', 'order.still_open'],
  idempotency: 'required',
});

export const dismissOrder = route({
  method: 'POST',
  path: '/orders/{id}/dismissals',
  summary: 'Dismiss a charge that nobody asked for or that belongs to no payer: nothing is charged',
  permission: 'order.settle',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ reason }),
  answer: order,
  errors: ['order.not_dismissible', 'order.already_ended'],
  idempotency: 'required',
});

/** An order whose end a parked stop may be. */
export const stopTarget = z.object({
  id: idField<'order'>(),
  number: z.string(),
  connectorNumber: z.int(),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  energyWh: order.shape.energyWh,
  cardNumber: order.shape.cardNumber,
});
export type StopTarget = z.output<typeof stopTarget>;

export const stopTargetsMax = 20;

export const listStopTargets = route({
  method: 'GET',
  path: '/orders/{id}/stop-targets',
  summary: 'The open orders of the same station whose end a parked stop may be, newest first',
  permission: 'order.read',
  params: z.object({ id: idParameter<'order'>() }),
  answer: z.array(stopTarget),
  errors: [],
});

export const assignStop = route({
  method: 'POST',
  path: '/orders/{id}/assignments',
  summary: 'Give a parked stop to the order that it ends',
  permission: 'order.settle',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ orderNumber: textField(32), reason }),
  answer: orWaits(order),
  errors: ['order.not_parked', 'order.not_awaiting_stop'],
  idempotency: 'required',
});
