import { customerStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { fenField, filter, idField, idParameter, instantField, phoneField, shown, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const customer = z.object({
  id: idField<'customer'>(),
  phone: shown.phone(),
  nickname: z.string(),
  state: z.enum(customerStates),
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
  createdAt: instantField,
});
export type Customer = z.output<typeof customer>;

export const listCustomers = listRoute({
  name: 'listCustomers',
  path: '/customers',
  summary: 'Registered users',
  permission: 'customer.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    phone: filter.phone(),
    nickname: filter.text(),
    state: filter.choice(customerStates),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: customer,
  columns: columnsOf<Customer>()({
    phone: { kind: 'number', title: 'customers.phone' },
    nickname: { kind: 'text', title: 'customers.nickname' },
    state: { kind: 'choice', title: 'customers.state', words: 'customer-state' },
    balanceFen: { kind: 'money', title: 'customers.balance' },
    paidFen: { kind: 'money', title: 'customers.paid' },
    giftFen: { kind: 'money', title: 'customers.gift' },
    heldFen: { kind: 'money', title: 'customers.held' },
    frozenFen: { kind: 'money', title: 'customers.frozen' },
    owedFen: { kind: 'money', title: 'customers.owed' },
    createdAt: { kind: 'instant', title: 'customers.createdAt' },
  }),
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
});
