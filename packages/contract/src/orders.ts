import { settlementWaits } from '@voltdeck/charging/charge/charge';
import {
  abnormalRules,
  billBases,
  billingTypes,
  equipmentTypes,
  orderStates,
  paymentStates,
  paymentTypes,
  startModes,
  stationTypes,
  stopReasons,
} from '@voltdeck/charging/states';
import { stationPeriods } from '@voltdeck/charging/station-bill';
import { periods } from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import {
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  phoneField,
  positiveFenField,
  priceField,
  textField,
} from './fields.ts';
import { route } from './route.ts';

export const order = z.object({
  id: idField<'order'>(),
  number: z.string(),
  state: z.enum(orderStates),
  /** Whom a settling order waits for. */
  waitsFor: z.nullable(z.enum(settlementWaits)),
  /** Since when it waits; null where it waits for nobody. */
  waitsSince: z.nullable(instantField),
  /** What a rule found in an order that waits, the first finding first. */
  waitsBecause: z.array(z.enum(abnormalRules)),
  paymentState: z.enum(paymentStates),
  paymentType: z.enum(paymentTypes),
  startMode: z.enum(startModes),
  billingType: z.enum(billingTypes),
  abnormal: z.boolean(),
  siteId: idField<'site'>(),
  siteName: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  stationType: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  connectorNumber: z.int(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  customerId: z.nullable(idField<'customer'>()),
  userName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  cardNumber: z.nullable(z.string()),
  energyWh: energyField,
  amountFen: fenField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  paidFen: fenField,
  /** What a known payer still owes for it. */
  owedFen: fenField,
  /** Of what was paid. */
  refundedFen: fenField,
  /** Live while charging; the last known afterwards. */
  powerW: z.nullable(z.int()),
  socPercent: z.nullable(z.int()),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  stopReason: z.nullable(z.enum(stopReasons)),
});
export type Order = z.output<typeof order>;

const billLine = z.discriminatedUnion('kind', [
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
    /** The power tier that priced this stretch, [fromW, toW); null is open-ended. */
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

/** What a station that prices by itself says the charge was and cost, exactly as it said. */
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

export const orderDetail = z.extend(order, {
  /** Of the vehicle, where it was told. */
  vin: z.nullable(z.string()),
  /** How station and server call the charge, where it had a name before it began. */
  transactionKey: z.nullable(z.string()),
  /** Why the charge ended, in the protocol's own spelling. */
  stopCode: z.nullable(z.string()),
  stationBill: z.nullable(stationBill),
  /** What a person is proposed to settle it by. */
  /** `lines`: the bill that a person agrees to with it; null where it is made of what they enter. */
  proposal: z.nullable(
    z.object({ energyWh: energyField, endedAt: instantField, lines: z.nullable(z.array(billLine)) }),
  ),
  pricedBy: z.nullable(z.enum(billBases)),
  meterStartWh: z.nullable(z.int()),
  meterStopWh: z.nullable(z.int()),
  /** The rule this order is priced by, as it was when the charge began. */
  tariff: z.nullable(
    z.object({ id: idField<'tariff'>(), name: z.string(), kind: z.enum(billingTypes), detail: z.unknown() }),
  ),
  lines: z.array(billLine),
  heldFen: fenField,
  balanceBeforeFen: z.nullable(fenField),
  steps: z.array(
    z.object({
      step: z.enum(['placed', 'charging', 'ended', 'settling', 'completed', 'cancelled']),
      at: z.nullable(instantField),
    }),
  ),
  flags: z.array(
    z.object({ rule: z.enum(abnormalRules), at: instantField, evidence: z.record(z.string(), z.unknown()) }),
  ),
  postings: z.array(
    z.object({
      at: instantField,
      reason: z.string(),
      from: z.string(),
      to: z.string(),
      amountFen: fenField,
    }),
  ),
  timeline: z.array(z.object({ at: instantField, event: z.string(), params: z.record(z.string(), z.unknown()) })),
  refunds: z.array(
    z.object({
      id: z.int(),
      amountFen: fenField,
      /** What of it reduced the debt instead of going to the balance. */
      forgivenFen: fenField,
      reason: z.string(),
      createdAt: instantField,
      userName: z.string(),
    }),
  ),
});
export type OrderDetail = z.output<typeof orderDetail>;

/** Which time a period filters by (industry practice: "which time" selector). */
export const orderTimes = ['placed', 'started', 'ended'] as const;

const orderFilters = {
  number: filter.text(),
  state: filter.choice(orderStates),
  waitsFor: filter.choice(settlementWaits),
  paymentState: filter.choice(paymentStates),
  paymentType: filter.choice(paymentTypes),
  startMode: filter.choice(startModes),
  billingType: filter.choice(billingTypes),
  userName: filter.text(),
  phone: filter.text(20),
  cardNumber: filter.text(20),
  vin: filter.text(17),
  plate: filter.text(16),
  stationNumber: filter.text(),
  connectorNumber: z.optional(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(255)),
  ) as unknown as z.ZodMiniOptional<z.ZodMiniNumber>,
  siteId: filter.id<'site'>(),
  agentId: filter.id<'agent'>(),
  stationId: filter.id<'station'>(),
  customerId: filter.id<'customer'>(),
  abnormal: filter.flag(),
  time: z.optional(z.enum(orderTimes)),
  from: filter.instant(),
  to: filter.instant(),
};

export const listOrders = route({
  method: 'GET',
  path: '/orders',
  summary: 'Orders, newest first',
  permission: 'order.read',
  query: z.object({
    ...listFields(['placedAt', 'startedAt', 'endedAt']),
    ...orderFilters,
    /** The page at once, without waiting for its total: countOrders has it. */
    total: z.optional(z.enum(['none'])),
  }),
  /** `total` is null where it was not asked for and is not known anyway. */
  answer: z.extend(listAnswer(order), { total: z.nullable(z.int()) }),
  errors: ['list.too_deep'],
});

/** The total of a list whose page was asked for without it. */
export const countOrders = route({
  method: 'GET',
  path: '/orders/total',
  summary: 'How many orders match, counted up to a bound',
  permission: 'order.read',
  query: z.object(orderFilters),
  answer: z.object({ total: z.int(), totalIsAtLeast: z.optional(z.boolean()) }),
  errors: [],
});

/** Sums over the filtered set, counted up to a bound so that a wide filter stays cheap. */
export const sumOrders = route({
  method: 'GET',
  path: '/orders/sums',
  summary: 'Sums over the filtered orders',
  permission: 'order.read',
  readsMuch: 'always',
  query: z.object(orderFilters),
  answer: z.object({
    orders: z.int(),
    energyWh: z.int(),
    amountFen: fenField,
    electricityFeeFen: fenField,
    serviceFeeFen: fenField,
    paidFen: fenField,
    refundedFen: fenField,
    /** More orders match than were summed. */
    isPartial: z.boolean(),
  }),
  errors: [],
});

export const exportOrders = route({
  method: 'GET',
  path: '/orders/export',
  summary: 'The filtered orders as an Excel file, streamed',
  permission: 'order.export',
  readsMuch: 'always',
  query: z.object({ ...orderFilters, sort: z.optional(z.string()) }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['export.too_many_rows'],
});

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
      /** Energy of the charge so far (not the register). */
      energyWh: z.nullable(z.int()),
      powerW: z.nullable(z.int()),
      currentMa: z.nullable(z.int()),
      voltageMv: z.nullable(z.int()),
      socPercent: z.nullable(z.number()),
      temperatureC: z.nullable(z.number()),
    }),
  ),
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
  }),
  answer: order,
  errors: [
    'station.offline',
    'station.disabled',
    'station.busy',
    'station.no_answer',
    'station.refused',
    'connector.closed',
    'connector.busy',
    'connector.fault',
    'card.not_usable',
    'card.already_charging',
    'balance.insufficient',
    'balance.in_debt',
    'tariff.missing',
  ],
  idempotency: 'required',
});

export const stopOrder = route({
  method: 'POST',
  path: '/orders/{id}/stops',
  summary: 'Ask the station to stop this charge',
  permission: 'order.stop',
  params: z.object({ id: idParameter<'order'>() }),
  answer: z.object({ agreed: z.boolean() }),
  errors: [
    'order.not_charging',
    'order.already_ended',
    'station.offline',
    'station.busy',
    'station.no_answer',
    'station.refused',
  ],
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
  summary: 'Settle by hand a charge whose end never came',
  permission: 'order.settle',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({
    energyWh: z.int().check(z.gte(0), z.lte(10_000_000)),
    endedAt: instantField,
    reason: textField(200, 2),
  }),
  answer: order,
  errors: ['order.already_ended', 'order.not_charging', 'order.energy_below_zero', 'tariff.missing'],
  idempotency: 'required',
});

export const refundOrder = route({
  method: 'POST',
  path: '/orders/{id}/refunds',
  summary: 'Give money of a completed order back to the balance that paid it',
  permission: 'order.refund',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ amountFen: positiveFenField, reason: textField(200, 2) }),
  answer: order,
  errors: ['order.nothing_to_refund', 'order.refund_too_high'],
  idempotency: 'required',
});
