import { cardStates, cardTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import {
  cardNumberField,
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  phoneField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** What one tap of a card pays at the most: 1,000 yuan. */
export const tapFenMax = 100_000;

/** Where the rest of a cancelled card's money goes: out over the counter, or to the balance of its holder. */
export const cardPayouts = ['cash', 'customer'] as const;
export type CardPayout = (typeof cardPayouts)[number];

export const card = z.object({
  id: idField<'card'>(),
  number: shown.card(),
  physicalNumber: shown.card(),
  type: z.enum(cardTypes),
  state: z.enum(cardStates),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  customerNickname: z.nullable(z.string()),
  /** Since when it has its holder; null without one. */
  boundAt: z.nullable(instantField),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** What can be spent: paid money and gifts. */
  balanceFen: fenField,
  paidFen: fenField,
  giftFen: fenField,
  /** What running charges hold. */
  heldFen: fenField,
  /** Paid money on its way out. */
  frozenFen: fenField,
  /** What earlier orders left owing. */
  owedFen: fenField,
  /** What one tap at a two-wheeler station pays for; null leaves it to the station’s billing rule. */
  tapAmountFen: z.nullable(fenField),
  /** The card that replaced it. */
  successorId: z.nullable(idField<'card'>()),
  successorNumber: z.nullable(shown.card()),
  /** No charge can begin with the card from this instant on; null means it never expires. */
  expiresAt: z.nullable(instantField),
  createdAt: instantField,
  /** What waits for a second person. */
  waits: z.array(waitingAct),
});
export type Card = z.output<typeof card>;

export const listCards = listRoute({
  name: 'listCards',
  path: '/cards',
  summary: 'IC cards',
  permission: 'card.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    number: filter.card(),
    type: filter.choice(cardTypes),
    state: filter.choice(cardStates),
    phone: filter.phone(),
    customerId: filter.id('customer'),
    agentId: filter.id('agent'),
  },
  item: card,
  columns: columnsOf<Card>()({
    number: { kind: 'number', title: 'cards.number' },
    physicalNumber: { kind: 'number', title: 'cards.physicalNumber' },
    type: { kind: 'choice', title: 'cards.type', words: 'card-type' },
    state: { kind: 'choice', title: 'cards.state', words: 'card-state' },
    customerPhone: { kind: 'number', title: 'cards.customerPhone' },
    customerNickname: { kind: 'text', title: 'cards.customerNickname' },
    boundAt: { kind: 'instant', title: 'cards.boundAt' },
    balanceFen: { kind: 'money', title: 'cards.balance' },
    paidFen: { kind: 'money', title: 'cards.paid' },
    giftFen: { kind: 'money', title: 'cards.gift' },
    heldFen: { kind: 'money', title: 'cards.held' },
    frozenFen: { kind: 'money', title: 'cards.frozen' },
    owedFen: { kind: 'money', title: 'cards.owed' },
    tapAmountFen: { kind: 'money', title: 'cards.tapAmount' },
    successorNumber: { kind: 'number', title: 'cards.successor' },
    agentName: { kind: 'text', title: 'cards.agent', absent: 'list.ofPlatform' },
    expiresAt: { kind: 'instant', title: 'cards.expiresAt', absent: 'cards.never' },
    createdAt: { kind: 'instant', title: 'cards.createdAt' },
    waits: { kind: 'number', title: 'list.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});

export const getCard = route({
  method: 'GET',
  path: '/cards/{id}',
  summary: 'One card',
  permission: 'card.read',
  params: z.object({ id: idParameter<'card'>() }),
  answer: card,
  errors: [],
});

export const createCard = route({
  method: 'POST',
  path: '/cards',
  summary: 'Issue a card',
  permission: 'card.edit',
  body: z.object({
    number: cardNumberField,
    /** The number in the chip; the card number when omitted. */
    physicalNumber: z.optional(textField(20)),
    type: z.optional(z.enum(cardTypes)),
    customerId: z.optional(idField<'customer'>()),
    tapAmountFen: z.optional(z.nullable(fenFieldUpTo(tapFenMax))),
    expiresAt: z.optional(z.nullable(instantField)),
  }),
  answer: card,
  errors: ['card.number_taken'],
});

export const changeCard = route({
  method: 'PATCH',
  path: '/cards/{id}',
  summary: 'Change the type, the amount per tap and the expiry of a card',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card'>() }),
  body: z.object({
    type: z.optional(z.enum(cardTypes)),
    tapAmountFen: z.optional(z.nullable(fenFieldUpTo(tapFenMax))),
    expiresAt: z.optional(z.nullable(instantField)),
  }),
  answer: card,
  errors: [],
});

export const setCardHolder = route({
  method: 'PUT',
  path: '/cards/{id}/holder',
  summary: 'Bind a card to a registered user, or unbind it with null',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card'>() }),
  /** Exactly one of the two. */
  body: z.object({
    customerPhone: z.optional(z.nullable(phoneField)),
    customerId: z.optional(z.nullable(idField<'customer'>())),
  }),
  answer: orWaits(card),
  errors: ['card.cancelled', 'customer.merged', 'request.too_many'],
});

export const enableCard = route({
  method: 'PUT',
  path: '/cards/{id}/enabled',
  summary: 'Enable or disable a card',
  permission: 'card.block',
  params: z.object({ id: idParameter<'card'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: card,
  errors: ['card.lost', 'card.cancelled'],
});

export const reportCardLost = route({
  method: 'POST',
  path: '/cards/{id}/losses',
  summary: 'Block a lost card',
  permission: 'card.block',
  params: z.object({ id: idParameter<'card'>() }),
  answer: card,
  errors: ['card.lost', 'card.cancelled'],
});

export const restoreCard = route({
  method: 'POST',
  path: '/cards/{id}/restorations',
  summary: 'Unblock a card that was found',
  permission: 'card.block',
  params: z.object({ id: idParameter<'card'>() }),
  answer: card,
  errors: ['card.not_lost', 'card.cancelled'],
});

export const replaceCard = route({
  method: 'POST',
  path: '/cards/{id}/replacements',
  summary: 'Give everything of a card to a new one, and cancel it',
  permission: 'card.replace',
  params: z.object({ id: idParameter<'card'>() }),
  body: z.object({
    number: cardNumberField,
    /** The number in the chip; the card number when omitted. */
    physicalNumber: z.optional(textField(20)),
  }),
  /** The new card. */
  answer: card,
  errors: ['card.cancelled', 'card.number_taken', 'card.in_use', 'card.owes'],
  idempotency: 'required',
});

export const cancelCard = route({
  method: 'POST',
  path: '/cards/{id}/cancellations',
  summary: 'Cancel a card and pay out what is left on it; gifts go back to who gave them',
  permission: 'card.cancel',
  params: z.object({ id: idParameter<'card'>() }),
  body: z.object({
    reason: z.optional(linesField(200, 0)),
    /** Cash when omitted. */
    payout: z.optional(z.enum(cardPayouts)),
  }),
  answer: orWaits(card),
  errors: ['card.cancelled', 'card.in_use', 'card.owes', 'card.no_holder', 'card.play_money'],
  idempotency: 'required',
});
