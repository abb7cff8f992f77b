import * as z from 'zod/mini';
import { dayField, fenField, fenFieldUpTo, filter, idField, idParameter, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import {
  channelBillKinds,
  channelPaymentStates,
  embeddedPayerActs,
  paymentAttentions,
  paymentChannels,
} from './payment-channels.ts';
import { rechargeFenMax } from './payments.ts';
import { route } from './route.ts';

/** A code that a payer scans to put money on a card or a registered user, and what became of it. */
export const rechargeCode = z.object({
  id: idField<'channel_payment'>(),
  number: z.string(),
  channel: z.enum(paymentChannels),
  cardId: z.nullable(idField<'card'>()),
  customerId: z.nullable(idField<'customer'>()),
  amountFen: fenField,
  state: z.enum(channelPaymentStates),
  /** What the QR code holds; null until the channel has answered. */
  codeUrl: z.nullable(z.string()),
  expiresAt: instantField,
  paidAt: z.nullable(instantField),
  /** The recharge that the payment became. */
  rechargeId: z.nullable(idField<'recharge'>()),
  rechargeNumber: z.nullable(z.string()),
  /** Why a person has to decide about the money; null where nobody has to. */
  attention: z.nullable(z.enum(paymentAttentions)),
  createdAt: instantField,
});
export type RechargeCode = z.output<typeof rechargeCode>;

export const listPaymentChannels = route({
  method: 'GET',
  path: '/payment-channels',
  summary: 'The payment channels that are on',
  permission: 'recharge.create',
  answer: z.object({ channels: z.array(z.enum(paymentChannels)) }),
  errors: [],
});

export const createRechargeCode = route({
  method: 'POST',
  path: '/recharge-codes',
  summary: 'Ask a payment channel for a code by which somebody recharges a card or a registered user',
  permission: 'recharge.create',
  /** One of the first two. */
  body: z.object({
    cardId: z.optional(idField<'card'>()),
    customerId: z.optional(idField<'customer'>()),
    amountFen: fenFieldUpTo(rechargeFenMax),
    channel: z.enum(paymentChannels),
  }),
  /** The page of the payment, for whoever pays; its address is told only here. */
  answer: z.extend(rechargeCode, { pageUrl: z.string() }),
  errors: ['card.not_usable', 'customer.disabled', 'channel.off', 'channel.refused', 'channel.no_answer'],
  idempotency: 'required',
});

export const getRechargeCode = route({
  method: 'GET',
  path: '/recharge-codes/{id}',
  summary: 'A code and what became of it',
  permission: ['recharge.create', 'recharge.read'],
  params: z.object({ id: idParameter<'channel_payment'>() }),
  answer: rechargeCode,
  errors: [],
});

const pageToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{32}$/, 'bad_format'));

export const getPayment = route({
  method: 'GET',
  path: '/pay/{token}',
  summary: 'A payment for whoever has the address of its page',
  permission: 'public',
  params: z.object({ token: pageToken }),
  answer: z.object({
    number: z.string(),
    channel: z.enum(paymentChannels),
    amountFen: fenField,
    state: z.enum(channelPaymentStates),
    codeUrl: z.nullable(z.string()),
    expiresAt: instantField,
    paidAt: z.nullable(instantField),
  }),
  errors: [],
});

export const actAsPayer = route({
  method: 'POST',
  path: '/pay/{token}/acts',
  summary: 'What the payer of the embedded test channel does; no other channel has it',
  permission: 'public',
  params: z.object({ token: pageToken }),
  body: z.object({ act: z.enum(embeddedPayerActs) }),
  answer: z.null(),
  errors: ['channel.off', 'channel.payment_over'],
});

export const channelBillLine = z.object({
  id: idField<'channel_bill_line'>(),
  channel: z.enum(paymentChannels),
  day: dayField,
  kind: z.enum(channelBillKinds),
  number: z.nullable(z.string()),
  thirdPartyNumber: z.nullable(z.string()),
  /** Money in is above zero, money out below. */
  amountFen: fenField,
  feeFen: fenField,
  at: z.nullable(instantField),
});
export type ChannelBillLine = z.output<typeof channelBillLine>;

export const listChannelBillLines = listRoute({
  name: 'listChannelBillLines',
  path: '/channel-bills',
  summary: 'Lines of the bills of payment channels, as they were fetched',
  permission: 'ledger.read',
  sorts: ['id'],
  first: 'id',
  filters: {
    channel: filter.one(paymentChannels),
    day: filter.text(10),
    kind: filter.choice(channelBillKinds),
    number: filter.text(),
  },
  item: channelBillLine,
  columns: columnsOf<ChannelBillLine>()({
    day: { kind: 'day', title: 'channel-bills.day' },
    channel: { kind: 'choice', title: 'channel-bills.channel', words: 'payment-channel' },
    kind: { kind: 'choice', title: 'channel-bills.kind', words: 'channel-bill-kind' },
    number: { kind: 'number', title: 'channel-bills.number' },
    thirdPartyNumber: { kind: 'number', title: 'channel-bills.thirdPartyNumber' },
    amountFen: { kind: 'money', title: 'channel-bills.amount', summed: true },
    feeFen: { kind: 'money', title: 'channel-bills.fee', summed: true },
    at: { kind: 'instant', title: 'channel-bills.at' },
  }),
});
