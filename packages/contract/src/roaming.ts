import { partnerRefusals } from '@voltdeck/charging/partner-charge';
import { roamingDoubts, roamingStates } from '@voltdeck/charging/roaming-charge';
import { orderStates, stopReasons } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import {
  dayField,
  energyField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  priceField,
  shown,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** What the daily comparison found: agreed by both, or why not. */
export const comparedResults = [
  'agreed',
  'missing',
  'amount_differs',
  'energy_differs',
  'listed_twice',
  'other',
] as const;
export type ComparedResult = (typeof comparedResults)[number];

/** Most energy and money of one charge that a person may settle: 10 MWh, and a hundred thousand yuan. */
export const roamingEnergyWhMax = 10_000_000;
export const roamingFeeFenMax = 10_000_000;

/**
 * What may be done about a paid charge: money given back as both operators agreed, a debt given up, or a contradicting
 * bill to which what was paid is upheld.
 */
export const roamingCorrectionKinds = ['refund', 'write_off', 'upheld'] as const;
export type RoamingCorrectionKind = (typeof roamingCorrectionKinds)[number];

export const priceSlot = z.object({
  /** Of the day in Asia/Shanghai, in seconds. */
  fromSecond: z.int(),
  /** 1e-5 yuan per kWh. */
  electricityPriceE5: priceField,
  servicePriceE5: priceField,
});

/** Why a charge was given up; `no_answer` where the partner never said whether it began. */
export const roamingRefusals = [...partnerRefusals, 'no_answer', 'by_hand'] as const;

export const roamingCharge = z.object({
  id: idField<'roaming_charge'>(),
  /** StartChargeSeq: our name of it, which both operators use. */
  sequence: z.string(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  customerId: idField<'customer'>(),
  userName: z.string(),
  phone: shown.phone(),
  state: z.enum(roamingStates),
  /** The partner's codes of the place. */
  siteCode: z.string(),
  siteName: z.string(),
  stationCode: z.string(),
  portCode: z.string(),
  energyWh: energyField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
  heldFen: fenField,
  paidFen: fenField,
  owedFen: fenField,
  /** Given back or forgiven, as both operators agreed: the partner gets that much less. */
  refundedFen: fenField,
  /** The most that may be given back now. */
  refundableFen: fenField,
  socBeginPercent: z.nullable(z.int()),
  socEndPercent: z.nullable(z.int()),
  plate: z.nullable(shown.plate()),
  vin: z.nullable(shown.vin()),
  stopReason: z.nullable(z.enum(stopReasons)),
  refusal: z.nullable(z.enum(roamingRefusals)),
  /** What is wrong with its bill. */
  doubts: z.array(z.enum(roamingDoubts)),
  /** ConfirmResult: what we answered to the bill. */
  confirmResult: z.nullable(z.int()),
  /** Null until a daily comparison has named it. */
  compared: z.nullable(z.enum(comparedResults)),
  /** Whether a person may settle it now. */
  canSettle: z.boolean(),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  heardAt: z.nullable(instantField),
  billedAt: z.nullable(instantField),
  settledAt: z.nullable(instantField),
});
export type RoamingCharge = z.output<typeof roamingCharge>;

export const partnerBillLine = z.object({
  from: instantField,
  to: instantField,
  electricityPriceE5: z.nullable(priceField),
  servicePriceE5: z.nullable(priceField),
  energyWh: energyField,
  electricityFeeFen: z.nullable(fenField),
  serviceFeeFen: z.nullable(fenField),
});

const figures = {
  energyWh: energyField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
};

export const roamingChargeDetail = z.extend(roamingCharge, {
  /** The prices of the day that were told at its start. */
  prices: z.array(priceSlot),
  /** What the partner billed, with its lines; null until it did. */
  bill: z.nullable(z.object({ ...figures, lines: z.array(partnerBillLine) })),
  /** A bill with other figures that came after the charge was paid. */
  secondBill: z.nullable(z.object(figures)),
  corrections: z.array(
    z.object({
      kind: z.enum(roamingCorrectionKinds),
      amountFen: fenField,
      /** The part of a refund that reduced a debt. */
      forgivenFen: fenField,
      reason: z.string(),
      userName: z.nullable(z.string()),
      at: instantField,
    }),
  ),
  stopAskedAt: z.nullable(instantField),
  /** Who settled it by hand, and why. */
  settledBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type RoamingChargeDetail = z.output<typeof roamingChargeDetail>;

export const listRoamingCharges = listRoute({
  name: 'listRoamingCharges',
  path: '/roaming-charges',
  summary: 'Charges of our customers at the stations of partners',
  permission: 'partner_order.read',
  sorts: ['placedAt'],
  first: '-placedAt',
  filters: {
    partnerId: filter.id('partner'),
    state: filter.choice(roamingStates),
    sequence: filter.text(27),
    phone: filter.phone(),
    siteCode: filter.text(),
    portCode: filter.text(),
    compared: filter.choice(comparedResults),
    /** Not yet paid in full by the customer. */
    owing: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: roamingCharge,
  columns: columnsOf<RoamingCharge>()({
    sequence: { kind: 'number', title: 'roaming.sequence' },
    state: { kind: 'choice', title: 'roaming.state', words: 'roaming-state' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    siteName: { kind: 'text', title: 'roaming.site' },
    energyWh: { kind: 'energyWh', title: 'roaming.energy' },
    amountFen: { kind: 'money', title: 'roaming.amount' },
    doubts: { kind: 'choices', title: 'roaming.doubts', words: 'roaming-doubt' },
    compared: { kind: 'choice', title: 'roaming.compared', words: 'compared-result' },
    siteCode: { kind: 'number', title: 'roaming.siteCode' },
    stationCode: { kind: 'number', title: 'roaming.stationCode' },
    portCode: { kind: 'number', title: 'roaming.portCode' },
    userName: { kind: 'text', title: 'roaming.user' },
    phone: { kind: 'number', title: 'roaming.phone' },
    electricityFeeFen: { kind: 'money', title: 'roaming.electricityFee' },
    serviceFeeFen: { kind: 'money', title: 'roaming.serviceFee' },
    paidFen: { kind: 'money', title: 'roaming.paid' },
    owedFen: { kind: 'money', title: 'roaming.owed' },
    refundedFen: { kind: 'money', title: 'roaming.refunded' },
    heldFen: { kind: 'money', title: 'roaming.held' },
    plate: { kind: 'text', title: 'roaming.plate' },
    vin: { kind: 'number', title: 'roaming.vin' },
    socBeginPercent: { kind: 'percent', title: 'roaming.socBegin' },
    socEndPercent: { kind: 'percent', title: 'roaming.socEnd' },
    stopReason: { kind: 'choice', title: 'roaming.stopReason', words: 'stop-reason' },
    refusal: { kind: 'choice', title: 'roaming.refusal', words: 'roaming-refusal' },
    confirmResult: { kind: 'count', title: 'roaming.confirmResult' },
    placedAt: { kind: 'instant', title: 'roaming.placedAt' },
    startedAt: { kind: 'instant', title: 'roaming.startedAt' },
    endedAt: { kind: 'instant', title: 'roaming.endedAt' },
    billedAt: { kind: 'instant', title: 'roaming.billedAt' },
    settledAt: { kind: 'instant', title: 'roaming.settledAt' },
  }),
});

const ofCharge = z.object({ id: idParameter<'roaming_charge'>() });

export const getRoamingCharge = route({
  method: 'GET',
  path: '/roaming-charges/{id}',
  summary: 'One charge of a customer of ours at a partner, with the bill that the partner told',
  permission: 'partner_order.read',
  params: ofCharge,
  answer: roamingChargeDetail,
  errors: [],
});

/** The charge ends when the partner says so; `agreed` is false where it refused. */
export const stopRoamingCharge = route({
  method: 'POST',
  path: '/roaming-charges/{id}/stops',
  summary: 'Ask the partner to end a charge',
  permission: 'partner_order.settle',
  params: ofCharge,
  answer: z.object({ agreed: z.boolean() }),
  errors: ['order.not_charging', 'roaming.no_answer'],
});

export const settleRoamingCharge = route({
  method: 'POST',
  path: '/roaming-charges/{id}/settlements',
  summary: 'Settle a charge with the figures that both operators agreed on; nothing at all ends it without a bill',
  permission: 'partner_order.settle',
  idempotency: 'required',
  params: ofCharge,
  body: z.object({
    energyWh: energyField.check(z.gte(0), z.lte(roamingEnergyWhMax)),
    electricityFeeFen: fenField.check(z.gte(0), z.lte(roamingFeeFenMax)),
    serviceFeeFen: fenField.check(z.gte(0), z.lte(roamingFeeFenMax)),
    reason: linesField(200, 2),
  }),
  answer: roamingChargeDetail,
  errors: ['roaming.not_open', 'roaming.still_running'],
});

export const refundRoamingCharge = route({
  method: 'POST',
  path: '/roaming-charges/{id}/refunds',
  summary: 'Give back what both operators agreed was billed too much; the partner gets that much less',
  permission: 'partner_order.settle',
  idempotency: 'required',
  params: ofCharge,
  body: z.object({ amountFen: fenField.check(z.gte(1), z.lte(roamingFeeFenMax)), reason: linesField(200, 2) }),
  answer: orWaits(roamingChargeDetail),
  errors: ['roaming.not_paid', 'order.nothing_to_refund', 'order.refund_too_high'],
});

export const writeOffRoamingDebt = route({
  method: 'POST',
  path: '/roaming-charges/{id}/write-offs',
  summary: 'Give up what the customer still owes for a charge; the partner is paid all the same',
  permission: 'partner_order.settle',
  idempotency: 'required',
  params: ofCharge,
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(roamingChargeDetail),
  errors: ['roaming.not_paid', 'order.nothing_owed'],
});

export const upholdRoamingCharge = route({
  method: 'POST',
  path: '/roaming-charges/{id}/agreements',
  summary: 'End a contradiction in favour of what was paid, as both operators agreed',
  permission: 'partner_order.settle',
  idempotency: 'required',
  params: ofCharge,
  body: z.object({ reason: linesField(200, 2) }),
  answer: roamingChargeDetail,
  errors: ['roaming.not_paid', 'roaming.no_dispute'],
});

/** Charges that partners started at our stations, as both operators name them; the order has the rest. */
export const partnerCharge = z.object({
  id: idField<'partner_charge'>(),
  sequence: z.string(),
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  /** Null where it was refused. */
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  state: z.nullable(z.enum(orderStates)),
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  stationNumber: z.nullable(z.string()),
  portCode: z.string(),
  energyWh: energyField,
  /** By price class. */
  sharpWh: energyField,
  peakWh: energyField,
  flatWh: energyField,
  valleyWh: energyField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
  socBeginPercent: z.nullable(z.int()),
  socEndPercent: z.nullable(z.int()),
  plate: z.nullable(shown.plate()),
  vin: z.nullable(shown.vin()),
  stopReason: z.nullable(z.enum(stopReasons)),
  refusal: z.nullable(z.enum(partnerRefusals)),
  /** ConfirmResult: what the partner answered to the bill. */
  confirmResult: z.nullable(z.int()),
  compared: z.nullable(z.enum(comparedResults)),
  /** The delivery of its bill; null where there is none to tell. */
  deliveryId: z.nullable(idField<'partner_delivery'>()),
  /** When the bill was last told, and how often; null before. */
  toldAt: z.nullable(instantField),
  tries: z.nullable(z.int()),
  createdAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
});
export type PartnerCharge = z.output<typeof partnerCharge>;

export const listPartnerCharges = listRoute({
  name: 'listPartnerCharges',
  path: '/partner-charges',
  summary: 'Charges that partners started for their customers at our stations',
  permission: 'partner_order.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    partnerId: filter.id('partner'),
    sequence: filter.text(27),
    siteId: filter.id('site'),
    stationNumber: filter.text(),
    refused: filter.flag(),
    compared: filter.choice(comparedResults),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerCharge,
  columns: columnsOf<PartnerCharge>()({
    sequence: { kind: 'number', title: 'roaming.sequence' },
    state: { kind: 'choice', title: 'roaming.state', words: 'order-state' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    siteName: { kind: 'text', title: 'roaming.site' },
    energyWh: { kind: 'energyWh', title: 'roaming.energy' },
    amountFen: { kind: 'money', title: 'roaming.amount' },
    compared: { kind: 'choice', title: 'roaming.compared', words: 'compared-result' },
    orderNumber: { kind: 'number', title: 'roaming.order' },
    stationNumber: { kind: 'number', title: 'roaming.stationCode' },
    portCode: { kind: 'number', title: 'roaming.portCode' },
    plate: { kind: 'text', title: 'roaming.plate' },
    vin: { kind: 'number', title: 'roaming.vin' },
    socBeginPercent: { kind: 'percent', title: 'roaming.socBegin' },
    socEndPercent: { kind: 'percent', title: 'roaming.socEnd' },
    sharpWh: { kind: 'energyWh', title: 'roaming.sharp' },
    peakWh: { kind: 'energyWh', title: 'roaming.peak' },
    flatWh: { kind: 'energyWh', title: 'roaming.flat' },
    valleyWh: { kind: 'energyWh', title: 'roaming.valley' },
    electricityFeeFen: { kind: 'money', title: 'roaming.electricityFee' },
    serviceFeeFen: { kind: 'money', title: 'roaming.serviceFee' },
    stopReason: { kind: 'choice', title: 'roaming.stopReason', words: 'stop-reason' },
    refusal: { kind: 'choice', title: 'roaming.refusal', words: 'roaming-refusal' },
    confirmResult: { kind: 'count', title: 'roaming.confirmResult' },
    toldAt: { kind: 'instant', title: 'roaming.toldAt' },
    tries: { kind: 'count', title: 'roaming.tries' },
    createdAt: { kind: 'instant', title: 'roaming.placedAt' },
    startedAt: { kind: 'instant', title: 'roaming.startedAt' },
    endedAt: { kind: 'instant', title: 'roaming.endedAt' },
  }),
});

export const upholdPartnerCharge = route({
  method: 'POST',
  path: '/partner-charges/{id}/agreements',
  summary: 'End a difference that the daily comparison found, in favour of our order, as both operators agreed',
  permission: 'partner_order.settle',
  idempotency: 'required',
  params: z.object({ id: idParameter<'partner_charge'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: z.object({ id: idField<'partner_charge'>() }),
  errors: ['roaming.no_dispute'],
});

/** `inbound`: a partner's customers at our stations; `outbound`: ours at its stations. */
export const chargeDirections = ['inbound', 'outbound'] as const;

/** Without a period, days are the last so many; and the most of one period. */
export const partnerDaysByDefault = 31;
export const partnerDaysMax = 92;

/** The charges with a partner that ended on a day in China, and what both operators say of them. */
export const partnerDay = z.object({
  id: z.string(),
  day: dayField,
  partnerId: idField<'partner'>(),
  partnerName: z.string(),
  direction: z.enum(chargeDirections),
  orders: z.int(),
  energyWh: energyField,
  amountFen: fenField,
  agreed: z.int(),
  disputed: z.int(),
  /** Nobody has compared them yet. */
  notCompared: z.int(),
  /** By our figures. */
  disputedFen: fenField,
  comparedAt: z.nullable(instantField),
});
export type PartnerDay = z.output<typeof partnerDay>;

export const listPartnerDays = listRoute({
  name: 'listPartnerDays',
  path: '/partner-days',
  summary: 'Days of charges with partners: what was agreed, and what is disputed',
  permission: 'partner_order.read',
  sorts: ['day', 'disputedFen'],
  first: '-day',
  filters: {
    partnerId: filter.id('partner'),
    direction: filter.one(chargeDirections),
    /** Only days with something in dispute. */
    hasDisputes: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: partnerDay,
  readsMuch: 'always',
  columns: columnsOf<PartnerDay>()({
    day: { kind: 'day', title: 'roaming.day' },
    partnerName: { kind: 'text', title: 'interop.partner' },
    direction: { kind: 'choice', title: 'roaming.view', words: 'roaming' },
    orders: { kind: 'count', title: 'roaming.orders', summed: true },
    energyWh: { kind: 'energyWh', title: 'roaming.energy', summed: true },
    amountFen: { kind: 'money', title: 'roaming.amount', summed: true },
    agreed: { kind: 'count', title: 'roaming.agreed', summed: true },
    disputed: { kind: 'count', title: 'roaming.disputed', summed: true },
    disputedFen: { kind: 'money', title: 'roaming.disputedFen', summed: true },
    notCompared: { kind: 'count', title: 'roaming.notCompared', summed: true },
    comparedAt: { kind: 'instant', title: 'roaming.comparedAt' },
  }),
});
