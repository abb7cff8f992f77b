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
  }),
  answer: card,
  errors: ['card.number_taken'],
  idempotency: 'accepted',
});
