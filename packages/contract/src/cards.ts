import { cardStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import {
  cardNumberField,
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  textField,
} from './fields.ts';
import { route } from './route.ts';

export const card = z.object({
  id: idField<'card'>(),
  number: z.string(),
  physicalNumber: z.string(),
  state: z.enum(cardStates),
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  balanceFen: fenField,
  heldFen: fenField,
  /** From then on no charge begins with it; null is never. */
  expiresAt: z.nullable(instantField),
  createdAt: instantField,
});
export type Card = z.output<typeof card>;

export const listCards = route({
  method: 'GET',
  path: '/cards',
  summary: 'IC cards',
  permission: 'card.read',
  query: z.object({
    ...listFields(['createdAt']),
    number: filter.text(20),
    state: filter.choice(cardStates),
    customerId: filter.id<'customer'>(),
  }),
  answer: listAnswer(card),
  errors: ['list.too_deep'],
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
    /** The number in the chip; the card number itself when left out. */
    physicalNumber: z.optional(textField(20)),
    customerId: z.optional(idField<'customer'>()),
    expiresAt: z.optional(z.nullable(instantField)),
  }),
  answer: card,
  errors: ['card.number_taken'],
  idempotency: 'accepted',
});

export const changeCard = route({
  method: 'PATCH',
  path: '/cards/{id}',
  summary: 'Say until when a card can be used',
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
  summary: 'Block a card that was lost',
  permission: 'card.block',
  params: z.object({ id: idParameter<'card'>() }),
  answer: card,
  errors: ['card.lost', 'card.cancelled'],
});

export const restoreCard = route({
  method: 'POST',
  path: '/cards/{id}/restorations',
  summary: 'Let a card that was found again be used',
  permission: 'card.block',
  params: z.object({ id: idParameter<'card'>() }),
  answer: card,
  errors: ['card.not_lost', 'card.cancelled'],
});
