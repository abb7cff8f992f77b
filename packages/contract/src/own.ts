import {
  billingTypes,
  cardStates,
  connectorStates,
  equipmentTypes,
  groupFundings,
  groupMemberStates,
  movementTypes,
  orderStates,
  paymentStates,
  stationTypes,
  stopReasons,
} from '@voltdeck/charging/states';
import { periods, powerMeasures, prepaymentKinds } from '@voltdeck/tariffs/tariff';
import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { feedbackKinds, feedbackStates } from './feedbacks.ts';
import {
  cardNumberField,
  energyField,
  fenField,
  fenFieldUpTo,
  idField,
  idParameter,
  instantField,
  linesField,
  nothing,
  phoneField,
  priceField,
  shown,
  textField,
} from './fields.ts';
import { applicationBody, applicationErrors, invoice, invoiceObstacles, invoiceTitle, titleBody } from './invoices.ts';
import { billLine, chargePayer, chargePayers, groupPayRefusals } from './orders.ts';
import { channelPaymentStates, paymentChannels } from './payment-channels.ts';
import { rechargeFenMax } from './payments.ts';
import { smsCodeDigits } from './registration.ts';
import { route } from './route.ts';
import { parkingFees } from './sites.ts';
import { stopAnswers } from './stop-order.ts';
import { prepayment, riderChoice } from './tariffs.ts';
import { plateField, vehicleUsages, vinField } from './vehicles.ts';
import { type WithdrawalWay, withdrawal, withdrawalFenMax, withdrawalTerms } from './withdrawals.ts';

/**
 * The customer's own API: what a mini-program and the page behind a QR code call. Every answer holds the customer's own
 * records alone, in full. Its tokens open nothing of the console, and the console's tokens nothing here.
 */

/** Vehicles of one customer. */
export const vehiclesMax = 10;
/** Sites that a search around a place answers at most. */
export const stationsNearMax = 50;

const afterField = z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,16}$/, 'bad_format')));
const pageFields = {
  /** The `next` of the page before; the newest come first. */
  after: afterField,
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(50)),
    20,
  ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
};
/** `next` is null on the last page. */
const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

// Signing in

export const ownProfile = z.object({
  id: idField<'customer'>(),
  phone: shown.phone(),
  nickname: z.string(),
  createdAt: instantField,
});
export type OwnProfile = z.output<typeof ownProfile>;

export const sendOwnCode = route({
  method: 'POST',
  path: '/my/codes',
  summary: 'Send a sign-in code by short message',
  permission: 'public',
  /** After a few codes `captcha.needed` asks for the answer to getCaptcha as well. */
  body: z.object({
    phone: phoneField,
    captchaId: z.optional(z.string().check(z.maxLength(64))),
    captcha: z.optional(z.string().check(z.trim(), z.maxLength(16))),
  }),
  answer: z.object({ secondsToNext: z.int() }),
  errors: ['captcha.needed', 'captcha.wrong', 'sms.too_soon', 'sms.too_many', 'sms.used_up', 'sms.not_sent'],
});

export const openOwnSession = route({
  method: 'POST',
  path: '/my/sessions',
  summary: 'Sign in with the code; a new phone is registered',
  permission: 'public',
  body: z.object({
    phone: phoneField,
    code: z.string().check(z.trim(), z.regex(new RegExp(`^\\d{${smsCodeDigits}}$`), 'bad_format')),
  }),
  answer: z.object({ token: z.string(), customer: ownProfile }),
  errors: ['sms.code_wrong', 'my.disabled', 'customer.phone_merged'],
});

export const endOwnSession = route({
  method: 'DELETE',
  path: '/my/sessions/current',
  summary: 'Sign out',
  permission: 'customer',
  answer: nothing,
  errors: [],
});

export const getOwnProfile = route({
  method: 'GET',
  path: '/my/profile',
  summary: 'Who is signed in',
  permission: 'customer',
  answer: ownProfile,
  errors: [],
});

// Money

/** `balanceFen` can be spent: what was paid in and gifts. */
export const ownBalance = z.object({
  balanceFen: fenField,
  paidFen: fenField,
  giftFen: fenField,
  /** Set aside for running charges. */
  heldFen: fenField,
  /** On its way out. */
  frozenFen: fenField,
  owedFen: fenField,
});
export type OwnBalance = z.output<typeof ownBalance>;

export const getOwnBalance = route({
  method: 'GET',
  path: '/my/balance',
  summary: 'The customer’s money',
  permission: 'customer',
  answer: ownBalance,
  errors: [],
});

export const listOwnMovements = route({
  method: 'GET',
  path: '/my/movements',
  summary: 'What came into the balance and went out of it',
  permission: 'customer',
  query: z.object(pageFields),
  answer: pageOf(
    z.object({
      id: z.int(),
      /** Of the order or the recharge. */
      number: z.string(),
      type: z.enum(movementTypes),
      paidFen: fenField,
      giftFen: fenField,
      paidAfterFen: fenField,
      giftAfterFen: fenField,
      orderId: z.nullable(idField<'order'>()),
      createdAt: instantField,
    }),
  ),
  errors: [],
});

// Places

/** Prices in 1e-5 yuan per kWh. */
const periodPrice = {
  period: z.enum(periods),
  electricityPriceE5: priceField,
  servicePriceE5: priceField,
};

/** What a charge costs; `now` is what holds at this moment, `slots` the whole day in Asia/Shanghai. */
export const shownPrice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('energy'),
    now: z.object(periodPrice),
    slots: z.array(z.object({ start: z.string(), end: z.string(), ...periodPrice })),
  }),
  z.object({
    kind: z.literal('hour'),
    stepMinutes: z.int(),
    measuredBy: z.enum(powerMeasures),
    longestRunHours: z.int(),
    tiers: z.array(z.object({ fromW: z.int(), toW: z.nullable(z.int()), feeFenPerStep: fenField })),
  }),
]);
export type ShownPrice = z.output<typeof shownPrice>;

const ownSite = z.object({
  id: idField<'site'>(),
  name: z.string(),
  address: z.string(),
  /** WGS-84. */
  longitude: z.number(),
  latitude: z.number(),
  openAllDay: z.boolean(),
  openingHours: z.string(),
  servicePhone: z.string(),
  parkingFee: z.enum(parkingFees),
  parkingInfo: z.string(),
});

export const listStationsNear = route({
  method: 'GET',
  path: '/my/stations',
  summary: 'Sites around a place, the nearest first',
  permission: 'public',
  query: z.object({
    longitude: z.coerce.number().check(z.gte(-180), z.lte(180)),
    latitude: z.coerce.number().check(z.gte(-90), z.lte(90)),
    radiusM: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(50_000)),
      5_000,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
  }),
  answer: z.object({
    items: z.array(
      z.extend(ownSite, {
        distanceM: z.int(),
        ports: z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() }),
        /** Per kWh now, electricity and service together; null where no station there is priced by energy. */
        priceNowE5: z.nullable(z.object({ from: priceField, to: priceField })),
        /** For a step of the lowest tier; null where no station there is priced by time. */
        feePerStep: z.nullable(z.object({ feeFen: fenField, stepMinutes: z.int() })),
      }),
    ),
  }),
  errors: [],
});

const startRefusals = [
  'station.offline',
  'station.disabled',
  'site.closed',
  'connector.closed',
  'connector.busy',
  'connector.fault',
  'tariff.missing',
] as const satisfies readonly ErrorCode[];

export const scannedPort = z.object({
  /** As it stands in the QR code. */
  qr: z.string(),
  id: idField<'connector'>(),
  number: z.int(),
  name: z.string(),
  bayNumber: z.nullable(z.string()),
  state: z.enum(connectorStates),
  station: z.object({
    number: z.string(),
    name: z.string(),
    type: z.enum(stationTypes),
    equipmentType: z.enum(equipmentTypes),
    maxPowerW: z.int(),
    online: z.boolean(),
  }),
  site: ownSite,
  /** Nothing is paid here. */
  free: z.boolean(),
  /** Null at a free station, and where no rule prices charges. */
  price: z.nullable(shownPrice),
  /** What the rule has to say to customers. */
  note: z.string(),
  /** What is paid before the charge, to choose one of; null where the use alone decides. */
  prepayment: z.nullable(prepayment),
  /** The least balance to start with. */
  neededFen: fenField,
  /** Null when a charge can start. The balance is looked at when the charge is ordered. */
  cannotStart: z.nullable(z.enum(startRefusals)),
});
export type ScannedPort = z.output<typeof scannedPort>;

/** What a QR code holds: the text itself, or an address that ends with it. */
const qrField = z.string().check(z.trim(), z.minLength(3), z.maxLength(300));

export const getScannedPort = route({
  method: 'GET',
  path: '/my/connectors/{qr}',
  summary: 'The gun port behind a QR code, its price now, and whether a charge can start',
  permission: 'public',
  params: z.object({ qr: qrField }),
  answer: scannedPort,
  errors: [],
});

// Charges

export const ownOrder = z.object({
  id: idField<'order'>(),
  number: z.string(),
  state: z.enum(orderStates),
  paymentState: z.enum(paymentStates),
  /** The group that pays; null where the customer does. */
  groupName: z.nullable(z.string()),
  billingType: z.enum(billingTypes),
  siteName: z.string(),
  stationNumber: z.string(),
  stationName: z.string(),
  equipmentType: z.enum(equipmentTypes),
  connectorNumber: z.int(),
  /** So far while charging. */
  energyWh: energyField,
  electricityFeeFen: fenField,
  serviceFeeFen: fenField,
  amountFen: fenField,
  /** What a promotion takes off `amountFen`. */
  discountFen: fenField,
  paidFen: fenField,
  owedFen: fenField,
  refundedFen: fenField,
  powerW: z.nullable(z.int()),
  socPercent: z.nullable(z.int()),
  placedAt: instantField,
  startedAt: z.nullable(instantField),
  endedAt: z.nullable(instantField),
  stopReason: z.nullable(z.enum(stopReasons)),
});
export type OwnOrder = z.output<typeof ownOrder>;

export const ownOrderDetail = z.extend(ownOrder, {
  /** By the server's clock, for durations. */
  now: instantField,
  steps: z.array(
    z.object({
      step: z.enum(['placed', 'charging', 'ended', 'settling', 'completed', 'cancelled']),
      at: z.nullable(instantField),
    }),
  ),
  /** Set aside for this charge. */
  heldFen: fenField,
  /** What was paid for before it; null where the use alone decides. */
  chosen: z.nullable(riderChoice),
  /** The bill, once it has ended. */
  lines: z.array(billLine),
  refunds: z.array(z.object({ amountFen: fenField, createdAt: instantField })),
  /** The last request to stop; null where nobody has asked. */
  stopAskedAt: z.nullable(instantField),
});
export type OwnOrderDetail = z.output<typeof ownOrderDetail>;

/** `running` are placed, charging, or still to be settled. */
export const ownOrderGroups = ['running', 'ended'] as const;

export const listOwnOrders = route({
  method: 'GET',
  path: '/my/orders',
  summary: 'The customer’s charges, the newest first',
  permission: 'customer',
  query: z.object({ ...pageFields, group: z.optional(z.enum(ownOrderGroups)) }),
  answer: pageOf(ownOrder),
  errors: [],
});

export const getOwnOrder = route({
  method: 'GET',
  path: '/my/orders/{id}',
  summary: 'One charge: live while it runs, with its bill afterwards',
  permission: 'customer',
  params: z.object({ id: idParameter<'order'>() }),
  answer: ownOrderDetail,
  errors: [],
});

export const getOwnChargePayer = route({
  method: 'GET',
  path: '/my/connectors/{qr}/payer',
  summary: 'Who would pay for a charge of the customer at this gun port: the group that they are bound to, or they',
  permission: 'customer',
  params: z.object({ qr: qrField }),
  answer: chargePayer,
  errors: [],
});

export const placeOwnOrder = route({
  method: 'POST',
  path: '/my/orders',
  summary: 'Start a charge on the customer’s balance',
  permission: 'customer',
  body: z.object({
    qr: qrField,
    /** One of the port's choices, as it was offered; required where there are some. */
    choice: z.optional(z.extend(riderChoice, { kind: z.enum(prepaymentKinds) })),
    /** The group that the customer is bound to where it can, otherwise themselves. */
    payer: z.optional(z.enum(chargePayers)),
  }),
  answer: ownOrderDetail,
  errors: [
    ...startRefusals,
    'station.busy',
    'station.no_answer',
    'station.refused',
    'station.refused_because',
    'balance.insufficient',
    'balance.in_debt',
    'order.choice_changed',
    'my.too_many_charges',
    ...groupPayRefusals,
  ],
  idempotency: 'required',
});

export const stopOwnOrder = route({
  method: 'POST',
  path: '/my/orders/{id}/stops',
  summary: 'Ask the station to end a charge',
  permission: 'customer',
  params: z.object({ id: idParameter<'order'>() }),
  ...stopAnswers,
});

// The group

export const ownGroup = z.object({
  memberId: idField<'group_member'>(),
  groupName: z.string(),
  state: z.enum(groupMemberStates),
  /** What whoever decided wrote. */
  opinion: z.string(),
  funding: z.enum(groupFundings),
  /** What is left in the customer’s own pot; null where the users of the group share its balance. */
  potFen: z.nullable(fenField),
  /** This month; null without a limit. */
  limitFen: z.nullable(fenField),
  limitCharges: z.nullable(z.int()),
  monthSpentFen: fenField,
  monthCharges: z.int(),
  /** When charges may begin; empty for always. */
  hours: z.string(),
  /** Everywhere; otherwise at `sites` alone. */
  allSites: z.boolean(),
  sites: z.array(z.string()),
  createdAt: instantField,
});
export type OwnGroup = z.output<typeof ownGroup>;

export const getOwnGroup = route({
  method: 'GET',
  path: '/my/group',
  summary: 'The group that the customer is bound to or applied to last; null for none',
  permission: 'customer',
  answer: z.nullable(ownGroup),
  errors: [],
});

export const applyToGroup = route({
  method: 'POST',
  path: '/my/group',
  summary: 'Apply to charge at the expense of a group, by the number of its card',
  permission: 'customer',
  body: z.object({ cardNumber: cardNumberField, name: z.optional(textField(32, 0)) }),
  answer: ownGroup,
  errors: ['group.disabled', 'group_member.named_already', 'group_member.bound_elsewhere', 'request.too_many'],
});

export const leaveOwnGroup = route({
  method: 'DELETE',
  path: '/my/group',
  summary: 'Leave the group; what is left in the customer’s pot is the group’s',
  permission: 'customer',
  answer: nothing,
  errors: ['group.not_bound'],
});

/** What the stream of a customer says: `data:` is one of these as JSON. */
export const ownEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order-changed'),
    orderId: idField<'order'>(),
    state: z.enum(orderStates),
    energyWh: z.int(),
    amountFen: z.int(),
    powerW: z.nullable(z.int()),
    socPercent: z.nullable(z.int()),
    at: instantField,
  }),
  /** Events were dropped: fetch what is shown again. */
  z.object({ kind: z.literal('missed') }),
]);
export type OwnEvent = z.output<typeof ownEvent>;

export const streamOwnEvents = route({
  method: 'GET',
  path: '/my/events',
  summary: 'Server-sent events about the customer’s own charges',
  permission: 'customer',
  answer: z.unknown(),
  answerKind: 'stream',
  errors: [],
});

// Recharges

export const ownRecharge = z.object({
  id: idField<'channel_payment'>(),
  number: z.string(),
  channel: z.enum(paymentChannels),
  amountFen: fenField,
  state: z.enum(channelPaymentStates),
  /** What a payer's app opens or scans; null until the channel has answered. */
  codeUrl: z.nullable(z.string()),
  expiresAt: instantField,
  paidAt: z.nullable(instantField),
  createdAt: instantField,
});
export type OwnRecharge = z.output<typeof ownRecharge>;

export const listOpenChannels = route({
  method: 'GET',
  path: '/my/payment-channels',
  summary: 'The payment channels that are on',
  permission: 'public',
  answer: z.object({ channels: z.array(z.enum(paymentChannels)) }),
  errors: [],
});

/** How many promotions a rider is shown at the most. */
export const shownPromotionsMax = 20;

export const ownPromotion = z.object({
  id: idField<'promotion'>(),
  name: z.string(),
  /** The least recharge that it applies to. */
  satisfiedFen: fenField,
  giftFen: fenField,
  /** When it ends; null without an end. */
  to: z.nullable(instantField),
});
export type OwnPromotion = z.output<typeof ownPromotion>;

export const listOwnPromotions = route({
  method: 'GET',
  path: '/my/promotions',
  summary: 'The displayed promotions that give the customer something for a recharge now',
  permission: 'customer',
  answer: z.object({ items: z.array(ownPromotion) }),
  errors: [],
});

export const createOwnRecharge = route({
  method: 'POST',
  path: '/my/recharges',
  summary: 'Pay money into the balance by a code',
  permission: 'customer',
  body: z.object({ amountFen: fenFieldUpTo(rechargeFenMax), channel: z.enum(paymentChannels) }),
  /** `pageUrl` is a page that shows the code and its state; its address is told only here. */
  answer: z.extend(ownRecharge, { pageUrl: z.string() }),
  errors: [
    'my.too_many_open_recharges',
    'my.too_many_recharges_today',
    'channel.off',
    'channel.refused',
    'channel.no_answer',
  ],
  idempotency: 'required',
});

export const getOwnRecharge = route({
  method: 'GET',
  path: '/my/recharges/{id}',
  summary: 'A recharge and what became of it',
  permission: 'customer',
  params: z.object({ id: idParameter<'channel_payment'>() }),
  answer: ownRecharge,
  errors: [],
});

// Withdrawals

/** Ways that need nobody at a desk. */
export const ownWithdrawalWays = ['wechat', 'alipay', 'embedded', 'bank'] as const satisfies readonly WithdrawalWay[];
export type OwnWithdrawalWay = (typeof ownWithdrawalWays)[number];

/** `failure` has the operator's words of a rejection; it is null while the money is frozen. */
export const ownWithdrawal = z.extend(
  z.pick(withdrawal, {
    id: true,
    number: true,
    way: true,
    payeeAccount: true,
    payeeName: true,
    amountFen: true,
    giftFen: true,
    feeFen: true,
    payoutFen: true,
    state: true,
    frozen: true,
    failure: true,
    appliedAt: true,
    processedAt: true,
  }),
  {
    /** What the app gives to WeChat so that the customer confirms the payout; null while there is nothing to confirm. */
    confirmation: z.nullable(z.object({ packageInfo: z.string(), expiresAt: z.nullable(instantField) })),
  },
);
export type OwnWithdrawal = z.output<typeof ownWithdrawal>;

export const getOwnWithdrawalTerms = route({
  method: 'GET',
  path: '/my/withdrawal-terms',
  summary: 'What the customer can withdraw, its fee and the gifts that go with it',
  permission: 'customer',
  answer: z.extend(withdrawalTerms, { ways: z.array(z.enum(ownWithdrawalWays)) }),
  errors: [],
});

export const listOwnWithdrawals = route({
  method: 'GET',
  path: '/my/withdrawals',
  summary: 'The customer’s withdrawals',
  permission: 'customer',
  query: z.object(pageFields),
  answer: pageOf(ownWithdrawal),
  errors: [],
});

export const createOwnWithdrawal = route({
  method: 'POST',
  path: '/my/withdrawals',
  summary: 'Apply for a withdrawal; its money is frozen until the operator has decided and paid',
  permission: 'customer',
  body: z.object({
    amountFen: fenFieldUpTo(withdrawalFenMax),
    way: z.enum(ownWithdrawalWays),
    payeeAccount: textField(64),
    payeeName: z.optional(textField(64)),
  }),
  answer: ownWithdrawal,
  errors: [
    'withdrawal.out_of_range',
    'withdrawal.too_little',
    'withdrawal.owes',
    'withdrawal.too_many_today',
    'withdrawal.below_fee',
    'withdrawal.play_money',
    'my.disabled',
    'channel.off',
  ],
  idempotency: 'required',
});

// Cards, vehicles, feedback

export const ownCard = z.object({
  id: idField<'card'>(),
  number: shown.card(),
  state: z.enum(cardStates),
  balanceFen: fenField,
  owedFen: fenField,
  expiresAt: z.nullable(instantField),
});
export type OwnCard = z.output<typeof ownCard>;

export const listOwnCards = route({
  method: 'GET',
  path: '/my/cards',
  summary: 'The customer’s cards',
  permission: 'customer',
  answer: z.object({ items: z.array(ownCard) }),
  errors: [],
});

export const reportOwnCardLost = route({
  method: 'POST',
  path: '/my/cards/{id}/losses',
  summary: 'Block a lost card; only the operator can restore it',
  permission: 'customer',
  params: z.object({ id: idParameter<'card'>() }),
  answer: ownCard,
  errors: ['card.lost', 'card.cancelled'],
});

export const ownVehicle = z.object({
  id: idField<'vehicle'>(),
  vin: shown.vin(),
  plate: z.nullable(shown.plate()),
  usage: z.enum(vehicleUsages),
  cardId: idField<'card'>(),
  createdAt: instantField,
});
export type OwnVehicle = z.output<typeof ownVehicle>;

export const listOwnVehicles = route({
  method: 'GET',
  path: '/my/vehicles',
  summary: 'Vehicles that charge on the customer’s cards by being recognised',
  permission: 'customer',
  answer: z.object({ items: z.array(ownVehicle) }),
  errors: [],
});

export const addOwnVehicle = route({
  method: 'POST',
  path: '/my/vehicles',
  summary: 'Let a vehicle charge on one of the customer’s cards',
  permission: 'customer',
  body: z.object({
    vin: vinField,
    plate: z.optional(z.nullable(plateField)),
    usage: z._default(z.enum(vehicleUsages), 'private'),
    cardId: idField<'card'>(),
  }),
  answer: ownVehicle,
  errors: ['my.too_many_vehicles'],
});

export const deleteOwnVehicle = route({
  method: 'DELETE',
  path: '/my/vehicles/{id}',
  summary: 'Take the card away from a vehicle',
  permission: 'customer',
  params: z.object({ id: idParameter<'vehicle'>() }),
  answer: nothing,
  errors: [],
});

// Invoices

/** `failure` has the operator's words of a rejection, and is null while the operator can still have it issued. */
export const ownInvoice = z.extend(
  z.pick(invoice, {
    id: true,
    number: true,
    kind: true,
    type: true,
    orderCount: true,
    amountFen: true,
    netFen: true,
    taxFen: true,
    titleKind: true,
    title: true,
    taxNumber: true,
    email: true,
    state: true,
    invoiceNumber: true,
    appliedAt: true,
    issuedAt: true,
    hasDocument: true,
  }),
  { failure: z.nullable(z.string()) },
);
export type OwnInvoice = z.output<typeof ownInvoice>;

export const listOwnInvoiceOrders = route({
  method: 'GET',
  path: '/my/invoice-orders',
  summary: 'The customer’s settled orders with what of them can be invoiced, the newest',
  permission: 'customer',
  answer: z.object({
    items: z.array(
      z.object({
        orderId: idField<'order'>(),
        number: z.string(),
        siteName: z.string(),
        /** One invoice holds orders of one seller. */
        sellerName: z.nullable(z.string()),
        endedAt: z.nullable(instantField),
        amountFen: fenField,
        obstacle: z.nullable(z.enum(invoiceObstacles)),
      }),
    ),
  }),
  errors: [],
});

export const listOwnInvoices = route({
  method: 'GET',
  path: '/my/invoices',
  summary: 'The customer’s invoices',
  permission: 'customer',
  query: z.object(pageFields),
  answer: pageOf(ownInvoice),
  errors: [],
});

export const createOwnInvoice = route({
  method: 'POST',
  path: '/my/invoices',
  summary: 'Apply for an invoice over own settled orders',
  permission: 'customer',
  body: applicationBody,
  answer: ownInvoice,
  errors: [...applicationErrors, 'my.disabled'],
  idempotency: 'required',
});

export const getOwnInvoiceDocument = route({
  method: 'GET',
  path: '/my/invoices/{id}/document',
  summary: 'The document of an own invoice, a PDF',
  permission: 'customer',
  params: z.object({ id: idParameter<'invoice'>() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['invoice.no_document'],
});

export const listOwnInvoiceTitles = route({
  method: 'GET',
  path: '/my/invoice-titles',
  summary: 'The customer’s titles for invoices, the default one first',
  permission: 'customer',
  answer: z.object({ items: z.array(invoiceTitle) }),
  errors: [],
});

export const addOwnInvoiceTitle = route({
  method: 'POST',
  path: '/my/invoice-titles',
  summary: 'Keep a title for invoices',
  permission: 'customer',
  body: titleBody,
  answer: z.object({ items: z.array(invoiceTitle) }),
  errors: ['my.too_many_titles'],
});

export const deleteOwnInvoiceTitle = route({
  method: 'DELETE',
  path: '/my/invoice-titles/{id}',
  summary: 'Forget a title',
  permission: 'customer',
  params: z.object({ id: idParameter<'invoice_title'>() }),
  answer: nothing,
  errors: [],
});

export const ownFeedback = z.object({
  id: idField<'feedback'>(),
  kind: z.enum(feedbackKinds),
  state: z.enum(feedbackStates),
  description: z.string(),
  stationNumber: z.string(),
  reply: z.string(),
  handledAt: z.nullable(instantField),
  createdAt: instantField,
});
export type OwnFeedback = z.output<typeof ownFeedback>;

export const listOwnFeedbacks = route({
  method: 'GET',
  path: '/my/feedbacks',
  summary: 'The customer’s feedback and the replies to it',
  permission: 'customer',
  query: z.object(pageFields),
  answer: pageOf(ownFeedback),
  errors: [],
});

export const createOwnFeedback = route({
  method: 'POST',
  path: '/my/feedbacks',
  summary: 'Tell the operator something',
  permission: 'customer',
  body: z.object({
    kind: z.enum(feedbackKinds),
    description: linesField(1_000),
    /** Of the port it is about. */
    qr: z.optional(qrField),
  }),
  answer: ownFeedback,
  errors: ['my.too_many_feedbacks'],
});
