import * as z from 'zod/mini';
import { fenField, filter, idField, idParameter, instantField, linesField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { channelPaymentStates, paymentAttentions, paymentChannels } from './payment-channels.ts';
import { route } from './route.ts';

/** A payment at a channel: what was asked for, what came, and what became of the money. */
export const channelPayment = z.object({
  id: idField<'channel_payment'>(),
  number: z.string(),
  channel: z.enum(paymentChannels),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  amountFen: fenField,
  state: z.enum(channelPaymentStates),
  /** What was paid; null until it was. */
  paidFen: z.nullable(fenField),
  /** What went back to the payer or is on its way. */
  sentBackFen: fenField,
  /** The channel's own number of the payment. */
  thirdPartyNumber: z.nullable(z.string()),
  /** Why paid money is on no balance; null where a recharge has it. */
  attention: z.nullable(z.enum(paymentAttentions)),
  rechargeNumber: z.nullable(z.string()),
  /** What the channel said when it refused. */
  refusal: z.nullable(z.string()),
  createdAt: instantField,
  paidAt: z.nullable(instantField),
});
export type ChannelPayment = z.output<typeof channelPayment>;

export const listChannelPayments = listRoute({
  name: 'listChannelPayments',
  path: '/channel-payments',
  summary: 'Payments at payment channels, with those whose money is on no balance',
  permission: 'ledger.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    number: filter.text(),
    thirdPartyNumber: filter.text(),
    /** Money that is on no balance and was not sent back. */
    waits: filter.flag(),
    state: filter.choice(channelPaymentStates),
    channel: filter.choice(paymentChannels),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: channelPayment,
  columns: columnsOf<ChannelPayment>()({
    number: { kind: 'number', title: 'channel-payments.number' },
    createdAt: { kind: 'instant', title: 'channel-payments.createdAt' },
    state: { kind: 'choice', title: 'channel-payments.state', words: 'recharge-code-state' },
    amountFen: { kind: 'money', title: 'channel-payments.amount', summed: true },
    paidFen: { kind: 'money', title: 'channel-payments.paid', summed: true },
    attention: { kind: 'choice', title: 'channel-payments.attention', words: 'payment-attention' },
    sentBackFen: { kind: 'money', title: 'channel-payments.sentBack' },
    customerPhone: { kind: 'number', title: 'channel-payments.customerPhone' },
    cardNumber: { kind: 'number', title: 'channel-payments.card' },
    channel: { kind: 'choice', title: 'channel-payments.channel', words: 'payment-channel' },
    rechargeNumber: { kind: 'number', title: 'channel-payments.recharge' },
    thirdPartyNumber: { kind: 'number', title: 'channel-payments.thirdPartyNumber' },
    paidAt: { kind: 'instant', title: 'channel-payments.paidAt' },
    refusal: { kind: 'text', title: 'channel-payments.refusal' },
  }),
});

export const sendBackPayment = route({
  method: 'POST',
  path: '/channel-payments/{id}/refunds',
  summary: 'Send money that is on no balance back to whoever paid it, all of it and the way it came',
  permission: 'recharge.refund',
  params: z.object({ id: idParameter<'channel_payment'>() }),
  body: z.object({ reason: linesField(200, 1) }),
  answer: channelPayment,
  errors: ['channel.payment_credited', 'channel.not_paid', 'channel.already_sent_back', 'channel.off'],
  idempotency: 'required',
});
