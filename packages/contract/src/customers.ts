import { customerStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import {
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  listAnswer,
  listFields,
  phoneField,
  textField,
} from './fields.ts';
import { route } from './route.ts';

export const customer = z.object({
  id: idField<'customer'>(),
  phone: z.string(),
  nickname: z.string(),
  state: z.enum(customerStates),
  balanceFen: fenField,
  heldFen: fenField,
  createdAt: instantField,
});
export type Customer = z.output<typeof customer>;

export const listCustomers = route({
  method: 'GET',
  path: '/customers',
  summary: 'Registered users',
  permission: 'customer.read',
  query: z.object({
    ...listFields(['createdAt']),
    phone: filter.text(20),
    nickname: filter.text(),
    state: filter.choice(customerStates),
  }),
  answer: listAnswer(customer),
  errors: ['list.too_deep'],
});

export const getCustomer = route({
  method: 'GET',
  path: '/customers/{id}',
  summary: 'One registered user',
  permission: 'customer.read',
  params: z.object({ id: idParameter<'customer'>() }),
  answer: customer,
  errors: [],
});

export const createCustomer = route({
  method: 'POST',
  path: '/customers',
  summary: 'Add a registered user',
  permission: 'customer.edit',
  body: z.object({ phone: phoneField, nickname: textField(32) }),
  answer: customer,
  errors: ['customer.phone_taken'],
  idempotency: 'accepted',
});
