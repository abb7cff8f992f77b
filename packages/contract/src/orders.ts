import { settlementWaits } from '@voltdeck/charging/charge/charge';
import {
  abnormalRules,
  billBases,
  billingTypes,
  equipmentTypes,
  flagHandlings,
  orderStates,
  paymentStates,
  paymentTypes,
  readingDoubts,
  refundStates,
  startModes,
  stationTypes,
  stopReasons,
} from '@voltdeck/charging/states';
import { stationPeriods } from '@voltdeck/charging/station-bill';
import { periods, prepaymentKinds } from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import type { ErrorCode } from './errors.ts';
import {
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  phoneField,
  positiveFenField,
  priceField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { prepayment, riderChoice } from './tariffs.ts';

export const order = z.object({
  id: idField<'order'>(),
  number: z.string(),
  state: z.enum(orderStates),
  /** Who or what a settling order waits for. */
  waitsFor: z.nullable(z.enum(settlementWaits)),
  /** Since when it has been waiting; null where it waits for nobody. */
  waitsSince: z.nullable(instantField),
  /** The first finding of a rule in an order that waits. */
  waitsBecause: z.array(z.enum(abnormalRules)),
  paymentState: z.enum(paymentStates),
  paymentType: z.enum(paymentTypes),
  startMode: z.enum(startModes),
  /** A person placed it, or the station asked for it before it began. */
  wasPlaced: z.boolean(),
  billingType: z.enum(billingTypes),
  abnormal: z.boolean(),
  /** One of its flags still waits for a person. */
  unhandled: z.boolean(),
  /** The rules that flagged the order, oldest first; empty when it is not abnormal. */
  flaggedBecause: z.array(z.enum(abnormalRules)),
  siteId: idField<'site'>(),
  siteName: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  /** Whether the station is online now. */
  stationOnline: z.boolean(),
  stationType: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  connectorNumber: z.int(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  customerId: z.nullable(idField<'customer'>()),
  userName: z.nullable(z.string()),
  phone: z.nullable(shown.phone()),
  /** The vehicle's, as it was when it charged. */
  plate: z.nullable(shown.plate()),
  /** The vehicle's, where the station reported one. */
  vin: z.nullable(shown.vin()),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  /** A group pays; `customerId` is its member. */
  isGroupOrder: z.boolean(),
  groupId: z.nullable(idField<'group'>()),
  groupName: z.nullable(z.string()),
  groupCardNumber: z.nullable(shown.card()),
  /** The hours that were paid for before a charge by time; null for every other charge. */
  expectedDurationMs: z.nullable(z.int()),
  energyWh: energyField,
  amountFen: fenField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  paidFen: fenField,
  /** What a known payer still owes for the order. */
  owedFen: fenField,
  /** Refunded from what was paid. */
  refundedFen: fenField,
  /** Until when it can be refunded; null before it is completed. */
  refundableUntil: z.nullable(instantField),
  /** Live while charging; the last known value afterwards. */
  powerW: z.nullable(z.int()),
  socPercent: z.nullable(z.int()),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  stopReason: z.nullable(z.enum(stopReasons)),
});
export type Order = z.output<typeof order>;

export const billLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('energy'),
    from: instantField,
    to: instantField,
    period: z.enum(periods),
    energyWh: energyField,
    electricityPriceE5: priceField,
    servicePriceE5: priceField,
    electricityFeeFen: fenField,
    serviceFeeFen: fenField,
  }),
  z.object({
    kind: z.literal('hour'),
    from: instantField,
    to: instantField,
    /** The power tier of this stretch, [fromW, toW); null is open-ended. */
    tierFromW: z.int(),
    tierToW: z.nullable(z.int()),
    steps: z.int(),
    stepMinutes: z.int(),
    feeFenPerStep: fenField,
    energyWh: energyField,
    serviceFeeFen: fenField,
    electricityFeeFen: fenField,
  }),
]);
export type BillLineView = z.output<typeof billLine>;

/** What a station that prices by itself reported for the charge, unchanged. */
const stationBill = z.object({
  periods: z.array(
    z.object({
      period: z.enum(stationPeriods),
      /** In tenths of a Wh. */
      energyTenthsWh: z.int(),
      /** Electricity and service together, in 1e-5 yuan per kWh. */
      priceE5: z.int(),
      /** In 1e-4 yuan. */
      amountE4: z.int(),
    }),
  ),
  energyTenthsWh: z.int(),
  amountE4: z.int(),
  /** The lifetime register at both ends, in tenths of a Wh. */
  meterStartTenthsWh: z.int(),
  meterStopTenthsWh: z.int(),
});

/** The energy and end proposed to the person who settles an order. */
export const proposedFigures = z.object({ energyWh: energyField, endedAt: instantField });

export const orderFlag = z.object({
  rule: z.enum(abnormalRules),
  at: instantField,
  evidence: shown.fields(z.record(z.string(), z.unknown())),
  /** Null while it waits for a person. */
  handled: z.nullable(
    z.object({
      at: instantField,
      how: z.enum(flagHandlings),
      userName: z.nullable(z.string()),
      reason: z.string(),
    }),
  ),
});
export type OrderFlag = z.output<typeof orderFlag>;

export const orderDetail = z.extend(order, {
  /** What a coupon took off the bill. */
  discountFen: fenField,
  /** Acts on the order that wait for a second person. */
  waits: z.array(waitingAct),
  /** The name that station and server use for the charge, where it had one before it began. */
  transactionKey: z.nullable(z.string()),
  /** Why the charge ended, in the protocol's own spelling. */
  stopCode: z.nullable(z.string()),
  stationBill: z.nullable(stationBill),
  /**
   * The energy and end proposed to the person who settles the order. `lines` is the bill they agree to; null where it
   * depends on what they enter.
   */
  proposal: z.nullable(z.extend(proposedFigures, { lines: z.nullable(z.array(billLine)) })),
  pricedBy: z.nullable(z.enum(billBases)),
  meterStartWh: z.nullable(z.int()),
  meterStopWh: z.nullable(z.int()),
  /** The billing rule of this order, as it was when the charge began. */
  tariff: z.nullable(
    z.object({
      /** Both are null for a charge at a free station, which needs no rule. */
      id: z.nullable(idField<'tariff'>()),
      name: z.nullable(z.string()),
      kind: z.enum(billingTypes),
      detail: z.unknown(),
    }),
  ),
  lines: z.array(billLine),
  heldFen: fenField,
  /** How often money was held: once at the start, and once more whenever it was nearly used up. */
  holds: z.int(),
  /** What nobody will pay any more. */
  writtenOffFen: fenField,
  balanceBeforeFen: z.nullable(fenField),
  steps: z.array(
    z.object({
      step: z.enum(['placed', 'charging', 'ended', 'settling', 'completed', 'cancelled']),
      at: z.nullable(instantField),
    }),
  ),
  flags: z.array(orderFlag),
  postings: z.array(
    z.object({
      at: instantField,
      reason: z.string(),
      from: z.string(),
      to: z.string(),
      /** The agent's or divider's whose share an account holds; null for other accounts. */
      fromName: z.nullable(z.string()),
      toName: z.nullable(z.string()),
      amountFen: fenField,
    }),
  ),
  timeline: z.array(
    z.object({ at: instantField, event: z.string(), params: shown.fields(z.record(z.string(), z.unknown())) }),
  ),
  refunds: z.array(
    z.object({
      id: z.int(),
      number: z.string(),
      state: z.enum(refundStates),
      amountFen: fenField,
      /** The part that reduced the debt instead of going to the balance. */
      forgivenFen: fenField,
      reason: z.string(),
      createdAt: instantField,
      userName: z.string(),
    }),
  ),
});
export type OrderDetail = z.output<typeof orderDetail>;

/** The time that a period filters by (industry practice: "which time" selector). */
export const orderTimes = ['placed', 'started', 'ended'] as const;

export const orderFilters = {
  number: filter.text(),
  phone: filter.phone(),
  siteId: filter.id('site'),
  state: filter.choice(orderStates),
  waitsFor: filter.choice(settlementWaits),
  time: filter.one(orderTimes),
  from: filter.instant(),
  to: filter.instant(),
  paymentState: filter.choice(paymentStates),
  stationNumber: filter.text(),
  connectorNumber: filter.number(1, 255),
  cardNumber: filter.card(),
  vin: filter.vin(),
  plate: filter.plate(),
  userName: filter.text(),
  agentId: filter.id('agent'),
  startMode: filter.choice(startModes),
  paymentType: filter.choice(paymentTypes),
  billingType: filter.choice(billingTypes),
  abnormal: filter.flag(),
  stationId: filter.id('station'),
  regionCode: filter.region(),
  stationType: filter.choice(stationTypes),
  equipmentType: filter.one(equipmentTypes),
  customerId: filter.id('customer'),
  cardId: filter.id('card'),
  /** Whether a group pays. */
  groupOrder: filter.flag(),
  groupId: filter.id('group'),
};

export const listOrders = listRoute({
  name: 'listOrders',
  path: '/orders',
  summary: 'Orders, newest first',
  permission: 'order.read',
  exportPermission: 'order.export',
  sorts: ['placedAt', 'startedAt', 'endedAt'],
  first: '-placedAt',
  filters: orderFilters,
  item: order,
  columns: columnsOf<Order>()({
    number: { kind: 'number', title: 'orders.number' },
    state: { kind: 'choice', title: 'orders.state', group: 'orders.group.order', words: 'order-state' },
    waitsBecause: { kind: 'choices', title: 'orders.waitsWhy', group: 'orders.group.order', words: 'abnormal-rule' },
    waitsSince: { kind: 'instant', title: 'orders.waitingSince', group: 'orders.group.order' },
    placedAt: { kind: 'instant', title: 'orders.placedAt', group: 'orders.group.order' },
    startMode: { kind: 'choice', title: 'orders.startMode', group: 'orders.group.order', words: 'start-mode' },
    billingType: { kind: 'choice', title: 'orders.billingType', group: 'orders.group.order', words: 'billing-type' },
    abnormal: {
      kind: 'flag',
      title: 'orders.abnormal',
      group: 'orders.group.order',
      words: ['orders.abnormalYes', 'orders.abnormalNo'],
    },
    flaggedBecause: {
      kind: 'choices',
      title: 'orders.flaggedBecause',
      group: 'orders.group.order',
      words: 'abnormal-rule',
    },
    siteName: { kind: 'text', title: 'orders.site', group: 'orders.group.site' },
    stationName: { kind: 'text', title: 'orders.station', group: 'orders.group.site' },
    stationNumber: { kind: 'number', title: 'orders.stationNumber', group: 'orders.group.site' },
    connectorNumber: { kind: 'count', title: 'orders.portNumber', group: 'orders.group.site' },
    agentName: { kind: 'text', title: 'orders.agent', group: 'orders.group.site', absent: 'list.ofPlatform' },
    userName: { kind: 'text', title: 'orders.customer', group: 'orders.group.user' },
    phone: { kind: 'number', title: 'orders.phone', group: 'orders.group.user' },
    cardNumber: { kind: 'number', title: 'orders.card', group: 'orders.group.user' },
    isGroupOrder: { kind: 'flag', title: 'orders.isGroupOrder', group: 'orders.group.user' },
    groupName: { kind: 'text', title: 'orders.groupName', group: 'orders.group.user' },
    groupCardNumber: { kind: 'number', title: 'orders.groupCardNumber', group: 'orders.group.user' },
    plate: { kind: 'number', title: 'orders.plate', group: 'orders.group.user' },
    vin: { kind: 'number', title: 'orders.vin', group: 'orders.group.user' },
    startedAt: { kind: 'instant', title: 'orders.startedAt', group: 'orders.group.charging' },
    endedAt: { kind: 'instant', title: 'orders.endedAt', group: 'orders.group.charging' },
    duration: {
      kind: 'durationMs',
      title: 'orders.duration',
      hint: 'orders.durationHint',
      group: 'orders.group.charging',
      of: ({ startedAt, endedAt }) =>
        startedAt === null || endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    },
    expectedDurationMs: {
      kind: 'durationMs',
      title: 'orders.expectedDuration',
      hint: 'orders.expectedDurationHint',
      group: 'orders.group.charging',
    },
    energyWh: { kind: 'energyWh', title: 'orders.energy', group: 'orders.group.charging', summed: true },
    powerW: { kind: 'powerW', title: 'orders.power', group: 'orders.group.charging' },
    socPercent: { kind: 'percent', title: 'orders.soc', group: 'orders.group.charging' },
    stopReason: { kind: 'choice', title: 'orders.stopReason', group: 'orders.group.charging', words: 'stop-reason' },
    amountFen: { kind: 'money', title: 'orders.orderAmount', group: 'orders.group.payment', summed: true },
    electricityFeeFen: { kind: 'money', title: 'orders.electricityFee', group: 'orders.group.payment', summed: true },
    serviceFeeFen: { kind: 'money', title: 'orders.serviceFee', group: 'orders.group.payment', summed: true },
    paidFen: { kind: 'money', title: 'orders.really', group: 'orders.group.payment', summed: true },
    refundedFen: { kind: 'money', title: 'orders.refundedHead', group: 'orders.group.payment', summed: true },
    paymentState: {
      kind: 'choice',
      title: 'orders.paymentState',
      group: 'orders.group.payment',
      words: 'payment-state',
    },
    paymentType: { kind: 'choice', title: 'orders.paymentType', group: 'orders.group.payment', words: 'payment-type' },
  }),
});

export const exportOrders = listOrders.file;

export const getOrder = route({
  method: 'GET',
  path: '/orders/{id}',
  summary: 'One order with its bill explained',
  permission: 'order.read',
  params: z.object({ id: idParameter<'order'>() }),
  answer: orderDetail,
  errors: [],
});

export const listOrderReadings = route({
  method: 'GET',
  path: '/orders/{id}/readings',
  summary: 'The charging curve, thinned to at most 1,000 points',
  permission: 'order.read',
  params: z.object({ id: idParameter<'order'>() }),
  answer: z.array(
    z.object({
      at: instantField,
      /** Energy of the charge so far (not the meter register). */
      energyWh: z.nullable(z.int()),
      powerW: z.nullable(z.int()),
      currentMa: z.nullable(z.int()),
      voltageMv: z.nullable(z.int()),
      socPercent: z.nullable(z.number()),
      vehicleTemperatureC: z.nullable(z.number()),
      cableTemperatureC: z.nullable(z.number()),
      ambientTemperatureC: z.nullable(z.number()),
      /** The rule that doubts this reading's register. */
      doubt: z.nullable(z.enum(readingDoubts)),
    }),
  ),
  errors: [],
});

/** Who pays for the charge of a registered user. */
export const chargePayers = ['self', 'group'] as const;
export type ChargePayerName = (typeof chargePayers)[number];

/** Why a group does not pay for a charge. */
export const groupPayRefusals = [
  'group.not_bound',
  'group.disabled',
  'group.site_not_allowed',
  'group.hour_not_allowed',
  'group.member_limit',
  'group.balance',
] as const satisfies readonly ErrorCode[];

/** Who would pay for a charge of a registered user at a gun port now. */
export const chargePayer = z.object({
  /** Null where the user is bound to no group. */
  group: z.nullable(
    z.object({
      name: z.string(),
      /** Null when the group would pay. */
      cannotPay: z.nullable(z.enum(groupPayRefusals)),
      /** The same in words; null when the group would pay. */
      because: z.nullable(z.string()),
      /** What the user may still spend of the group, whatever limits it; null where nothing but its balance does. */
      leftFen: z.nullable(fenField),
    }),
  ),
});
export type ChargePayer = z.output<typeof chargePayer>;

export const findChargePayer = route({
  method: 'GET',
  path: '/connectors/{id}/payer',
  summary:
    'Who would pay for a charge of a registered user at this gun port: the group that they are bound to, or they',
  permission: 'order.start',
  params: z.object({ id: idParameter<'connector'>() }),
  query: z.object({ customerPhone: phoneField }),
  answer: chargePayer,
  errors: [],
});

export const placeOrder = route({
  method: 'POST',
  path: '/orders',
  summary: "Start a charge remotely on a card's or a customer's money",
  permission: 'order.start',
  body: z.object({
    connectorId: idField<'connector'>(),
    cardNumber: z.optional(textField(20)),
    customerPhone: z.optional(phoneField),
    /** Who pays for a registered user: the group that they are bound to where it can, otherwise themselves. */
    payer: z.optional(z.enum(chargePayers)),
    /**
     * What is paid for, as the rule offered it; required where the rule has choices. A choice that the rule no longer
     * offers is refused, so that nobody pays for another one.
     */
    choice: z.optional(z.extend(riderChoice, { kind: z.enum(prepaymentKinds) })),
  }),
  answer: order,
  errors: [
    'station.offline',
    'station.disabled',
    'station.busy',
    'station.no_answer',
    'station.refused',
    'station.refused_because',
    'connector.closed',
    'connector.busy',
    'connector.fault',
    'card.not_usable',
    'card.already_charging',
    'balance.insufficient',
    'balance.in_debt',
    'tariff.missing',
    'order.choice_changed',
    ...groupPayRefusals,
  ],
  idempotency: 'required',
});

/** What may be paid for; null where the charge is billed by its use alone. */
export const startChoices = z.object({ card: z.nullable(prepayment), customer: z.nullable(prepayment) });
export type StartChoices = z.output<typeof startChoices>;

export const getStartChoices = route({
  method: 'GET',
  path: '/connectors/{id}/start-choices',
  summary: 'What a card and a customer may pay for when a charge is started remotely at this gun port',
  permission: 'order.start',
  params: z.object({ id: idParameter<'connector'>() }),
  answer: startChoices,
  errors: [],
});

export const cancelOrder = route({
  method: 'POST',
  path: '/orders/{id}/cancellations',
  summary: 'Cancel a placed order and give its hold back',
  permission: 'order.stop',
  params: z.object({ id: idParameter<'order'>() }),
  answer: order,
  errors: ['order.already_ended'],
});

export const settleOrder = route({
  method: 'POST',
  path: '/orders/{id}/settlements',
  summary: 'Settle by hand a charge whose stop never arrived',
  permission: 'order.settle',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({
    energyWh: z.int().check(z.gte(0), z.lte(10_000_000)),
    endedAt: instantField,
    reason: linesField(200, 2),
  }),
  answer: orWaits(order),
  errors: ['order.already_ended', 'order.not_charging', 'order.energy_below_zero', 'tariff.missing'],
  idempotency: 'required',
});

export const refundOrder = route({
  method: 'POST',
  path: '/orders/{id}/refunds',
  summary: 'Refund a completed order to the balance that paid it',
  permission: 'order.refund',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ amountFen: positiveFenField, reason: linesField(200, 2) }),
  answer: orWaits(order),
  errors: ['order.nothing_to_refund', 'order.refund_too_high', 'order.refund_too_late'],
  idempotency: 'required',
});
