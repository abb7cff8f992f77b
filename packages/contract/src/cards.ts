import { cardStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { cardNumberField, fenField, filter, idField, idParameter, instantField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const card = z.object({
  id: idField<'card'>(),
  number: shown.card(),
  physicalNumber: shown.card(),
  state: z.enum(cardStates),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  customerNickname: z.nullable(z.string()),
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
  /** No charge can begin with the card from this instant on; null means it never expires. */
  expiresAt: z.nullable(instantField),
  createdAt: instantField,
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
    state: filter.choice(cardStates),
    phone: filter.phone(),
    customerId: filter.id('customer'),
    agentId: filter.id('agent'),
  },
  item: card,
  columns: columnsOf<Card>()({
    number: { kind: 'number', title: 'cards.number' },
    physicalNumber: { kind: 'number', title: 'cards.physicalNumber' },
    state: { kind: 'choice', title: 'cards.state', words: 'card-state' },
    customerPhone: { kind: 'number', title: 'cards.customerPhone' },
    customerNickname: { kind: 'text', title: 'cards.customerNickname' },
    balanceFen: { kind: 'money', title: 'cards.balance' },
    paidFen: { kind: 'money', title: 'cards.paid' },
    giftFen: { kind: 'money', title: 'cards.gift' },
    heldFen: { kind: 'money', title: 'cards.held' },
    frozenFen: { kind: 'money', title: 'cards.frozen' },
    owedFen: { kind: 'money', title: 'cards.owed' },
    agentName: { kind: 'text', title: 'cards.agent', absent: 'list.ofPlatform' },
    expiresAt: { kind: 'instant', title: 'cards.expiresAt', absent: 'cards.never' },
    createdAt: { kind: 'instant', title: 'cards.createdAt' },
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
    customerId: z.optional(idField<'customer'>()),
    expiresAt: z.optional(z.nullable(instantField)),
  }),
  answer: card,
  errors: ['card.number_taken'],
});

export const changeCard = route({
  method: 'PATCH',
  path: '/cards/{id}',
  summary: 'Set the expiry of a card',
  permission: 'card.edit',
  params: z.object({ id: idParameter<'card'>() }),
  body: z.object({ expiresAt: z.nullable(instantField) }),
  answer: card,
  errors: [],
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
