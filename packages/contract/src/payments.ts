import { cardStates, moneyChannels, movementStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import {
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Limit of one wallet recharge: 100,000 yuan. */
export const rechargeFenMax = 10_000_000;

export const recharge = z.object({
  id: idField<'recharge'>(),
  number: z.string(),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  groupId: z.nullable(idField<'group'>()),
  groupName: z.nullable(z.string()),
  /** The operator that it is a deposit of. */
  partnerId: z.nullable(idField<'partner'>()),
  partnerName: z.nullable(z.string()),
  /** Of the registered user, or of the one who holds the card. */
  nickname: z.nullable(z.string()),
  amountFen: fenField,
  /** What was given with it, by the promotion and by hand. */
  giftFen: fenField,
  promotionId: z.nullable(idField<'promotion'>()),
  promotionName: z.nullable(z.string()),
  channel: z.enum(moneyChannels),
  state: z.enum(movementStates),
  /** What went back, or is on its way back. */
  refundedFen: fenField,
  /** The part of the balance that paid debts of earlier orders, the oldest first. */
  repaidFen: fenField,
  balanceBeforeFen: fenField,
  /** What can be spent afterwards. */
  balanceAfterFen: fenField,
  /** What is still owed afterwards. */
  owedAfterFen: fenField,
  /** The agent whose prepaid account paid; null where the money came from outside. */
  agentId: z.nullable(idField<'agent'>()),
  /** What remained in that account; null whenever the agent is null. */
  prepaidAfterFen: z.nullable(fenField),
  remark: z.string(),
  /** Who entered it. */
  operatorName: z.nullable(z.string()),
  reversedAt: z.nullable(instantField),
  reversalReason: z.nullable(z.string()),
  /** Acts on the recharge that wait for a second person. */
  waits: z.array(waitingAct),
  createdAt: instantField,
});
export type Recharge = z.output<typeof recharge>;

/** A card or a registered user, as whoever puts money on it needs to see it. */
export const rechargeTarget = z.object({
  kind: z.enum(['card', 'customer']),
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  nickname: z.nullable(z.string()),
  cardState: z.nullable(z.enum(cardStates)),
  /** What can be spent: paid money and gifts. */
  balanceFen: fenField,
  paidFen: fenField,
  giftFen: fenField,
  heldFen: fenField,
  frozenFen: fenField,
  /** What earlier orders left owing: new money pays it first. */
  owedFen: fenField,
});
export type RechargeTarget = z.output<typeof rechargeTarget>;

/** The shortest text that is looked for: the last four digits, which a masked number shows. */
export const rechargeTargetTextMin = 4;
export const rechargeTargetsMax = 10;

export const findRechargeTargets = route({
  method: 'GET',
  path: '/recharges/targets',
  summary: 'Cards and registered users to recharge, by card number, phone or id',
  permission: 'recharge.create',
  readsMuch: ['text'],
  query: z.object({
    text: z.optional(z.string().check(z.trim(), z.minLength(rechargeTargetTextMin), z.maxLength(20))),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
  }),
  answer: z.object({
    /** Ten at the most, whole matches first. */
    targets: z.array(rechargeTarget),
    /** What the caller's agent can still pay recharges from; null for the platform. */
    prepaidFen: z.nullable(fenField),
  }),
  errors: [],
});

export const createRecharge = route({
  method: 'POST',
  path: '/recharges',
  summary: 'Put money on a card or a registered user; an agent pays out of its prepaid account',
  permission: 'recharge.create',
  /** Exactly one of the first five; callers who see masked numbers send the id. */
  body: z.object({
    cardNumber: z.optional(textField(20)),
    customerPhone: z.optional(textField(20)),
    cardId: z.optional(idField<'card'>()),
    customerId: z.optional(idField<'customer'>()),
    groupId: z.optional(idField<'group'>()),
    amountFen: fenFieldUpTo(rechargeFenMax),
    /** Given beside the promotion that applies; needs a permission of its own. */
    giftFen: z.optional(fenFieldUpTo(rechargeFenMax)),
    remark: z.optional(linesField(200, 0)),
  }),
  answer: orWaits(recharge),
  errors: [
    'card.not_usable',
    'card.cancelled',
    'customer.disabled',
    'customer.merged',
    'group.disabled',
    'agent.prepaid_too_low',
    'recharge.day_limit',
  ],
  idempotency: 'required',
});

export const reverseRecharge = route({
  method: 'POST',
  path: '/recharges/{id}/reversals',
  summary: 'Undo a recharge entered by mistake, unless its money has been spent',
  permission: 'recharge.reverse',
  params: z.object({ id: idParameter<'recharge'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(recharge),
  errors: [
    'recharge.already_reversed',
    'recharge.already_refunded',
    'recharge.paid_by_channel',
    'recharge.wallet_moved',
    'card.cancelled',
    'recharge.spent',
  ],
  idempotency: 'required',
});

export const rechargeRefundStates = ['processing', 'done', 'failed'] as const;

export const refundRecharge = route({
  method: 'POST',
  path: '/recharges/{id}/refunds',
  summary: 'Send money of a recharge back the way it came; its gifts are taken back in proportion',
  permission: 'recharge.refund',
  params: z.object({ id: idParameter<'recharge'>() }),
  body: z.object({ amountFen: fenFieldUpTo(rechargeFenMax), reason: linesField(200, 2) }),
  answer: orWaits(recharge),
  errors: [
    'recharge.already_reversed',
    'recharge.refund_too_high',
    'recharge.refund_spent',
    'recharge.refund_gift_spent',
    'channel.not_paid',
    'channel.refund_too_high',
    'channel.off',
  ],
  idempotency: 'required',
});

export const listRechargeRefunds = route({
  method: 'GET',
  path: '/recharges/{id}/refunds',
  summary: 'The refunds of a recharge, and how much of it can be refunded now',
  permission: 'recharge.read',
  params: z.object({ id: idParameter<'recharge'>() }),
  answer: z.object({
    /** Of the recharge less earlier refunds, what is still in the balance as paid money. */
    refundableFen: fenField,
    /** The gifts of this recharge that were not taken back yet. */
    giftLeftFen: fenField,
    refunds: z.array(
      z.object({
        id: idField<'recharge_refund'>(),
        number: z.string(),
        amountFen: fenField,
        giftFen: fenField,
        state: z.enum(rechargeRefundStates),
        /** What the channel said when it refused. */
        failure: z.nullable(z.string()),
        thirdPartyNumber: z.nullable(z.string()),
        reason: z.string(),
        operatorName: z.nullable(z.string()),
        createdAt: instantField,
        endedAt: z.nullable(instantField),
      }),
    ),
  }),
  errors: [],
});

/** Sums of recharges read at most this many. */
export const summedRechargesMax = 1_000_000;

export const listRecharges = listRoute({
  name: 'listRecharges',
  path: '/recharges',
  summary: 'Recharge records',
  permission: 'recharge.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    cardNumber: filter.card(),
    phone: filter.phone(),
    number: filter.text(),
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
    /** Whether it filled a group. */
    ofGroup: filter.flag(),
    groupId: filter.id('group'),
    reversed: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  countedMax: summedRechargesMax,
  item: recharge,
  columns: columnsOf<Recharge>()({
    number: { kind: 'number', title: 'recharges.number' },
    cardNumber: { kind: 'number', title: 'recharges.cardNumber' },
    customerPhone: { kind: 'number', title: 'recharges.customerPhone' },
    nickname: { kind: 'text', title: 'recharges.nickname' },
    groupName: { kind: 'text', title: 'recharges.groupName' },
    partnerName: { kind: 'text', title: 'recharges.partnerName' },
    amountFen: { kind: 'money', title: 'recharges.amount', summed: true },
    giftFen: { kind: 'money', title: 'recharges.gift', summed: true },
    promotionName: { kind: 'text', title: 'recharges.promotion' },
    state: { kind: 'choice', title: 'movements.state', words: 'movement-state' },
    refundedFen: { kind: 'money', title: 'recharges.refunded', summed: true },
    channel: { kind: 'choice', title: 'movements.channel', words: 'money-channel' },
    repaidFen: { kind: 'money', title: 'recharges.repaid', summed: true },
    balanceBeforeFen: { kind: 'money', title: 'recharges.balanceBefore' },
    balanceAfterFen: { kind: 'money', title: 'recharges.balanceAfter' },
    owedAfterFen: { kind: 'money', title: 'recharges.owedAfter' },
    prepaidAfterFen: { kind: 'money', title: 'recharges.prepaidAfter' },
    createdAt: { kind: 'instant', title: 'recharges.createdAt' },
    operatorName: { kind: 'text', title: 'recharges.operatorName' },
    remark: { kind: 'text', title: 'recharges.remark' },
    reversedAt: { kind: 'instant', title: 'recharges.reversedAt' },
    reversalReason: { kind: 'text', title: 'recharges.reversalReason' },
    waits: { kind: 'number', title: 'recharges.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});
