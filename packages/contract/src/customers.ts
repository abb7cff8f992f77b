import { customerStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import {
  fenField,
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
  /** No charge begins while more than this is owed. */
  debtLimitFen: fenField,
  /** What can be spent from the user's cards, as far as the caller sees them. */
  cardBalanceFen: fenField,
  /** The balance and that of the cards. */
  totalFen: fenField,
  /** Why it was disabled or merged; empty for one in use. */
  stateReason: z.string(),
  /** The record that took everything over. */
  mergedIntoId: z.nullable(idField<'customer'>()),
  createdAt: instantField,
});
export type Customer = z.output<typeof customer>;

export const customerDetail = z.extend(customer, {
  /** As far as the caller sees them. */
  cards: z.int(),
  vehicles: z.int(),
  /** Charges that run or wait to begin. */
  runningCharges: z.int(),
  mergedIntoNickname: z.nullable(z.string()),
});
export type CustomerDetail = z.output<typeof customerDetail>;

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
    /** Whether earlier orders are still owed for. */
    owes: filter.flag(),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: customer,
  columns: columnsOf<Customer>()({
    phone: { kind: 'number', title: 'customers.phone' },
    nickname: { kind: 'text', title: 'customers.nickname' },
    state: { kind: 'choice', title: 'customers.state', words: 'customer-state' },
    balanceFen: { kind: 'money', title: 'customers.balance', hint: 'customers.balanceHint', summed: true },
    paidFen: { kind: 'money', title: 'customers.paid' },
    giftFen: { kind: 'money', title: 'customers.gift', hint: 'customers.giftHint', summed: true },
    cardBalanceFen: { kind: 'money', title: 'customers.cardBalance', hint: 'customers.cardBalanceHint' },
    totalFen: { kind: 'money', title: 'customers.total', hint: 'customers.totalHint' },
    heldFen: { kind: 'money', title: 'customers.held' },
    frozenFen: { kind: 'money', title: 'customers.frozen' },
    owedFen: { kind: 'money', title: 'customers.owed', hint: 'customers.owedOfBalance', summed: true },
    // Beyond the limit no charge begins, which the figure alone does not say.
    beyond: {
      kind: 'flag',
      title: 'customers.beyond',
      words: ['customers.beyondYes', 'customers.beyondNo'],
      of: ({ owedFen, debtLimitFen }) => owedFen > debtLimitFen,
    },
    stateReason: { kind: 'text', title: 'customers.stateReason' },
    createdAt: { kind: 'instant', title: 'customers.createdAt' },
  }),
});

export const getCustomer = route({
  method: 'GET',
  path: '/customers/{id}',
  summary: 'One registered user',
  permission: 'customer.read',
  params: z.object({ id: idParameter<'customer'>() }),
  answer: customerDetail,
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

export const enableCustomer = route({
  method: 'PUT',
  path: '/customers/{id}/enabled',
  summary: 'Enable or disable a registered user; charges that run go on',
  permission: 'customer.block',
  params: z.object({ id: idParameter<'customer'>() }),
  body: z.object({ enabled: z.boolean(), reason: z.optional(linesField(200, 0)) }),
  answer: customer,
  errors: ['customer.merged'],
});

export const mergeCustomer = route({
  method: 'POST',
  path: '/customers/{id}/merges',
  summary: 'Merge a second record of one person into another: its money, cards, vehicles and orders go over',
  permission: 'customer.merge',
  params: z.object({ id: idParameter<'customer'>() }),
  body: z.object({ intoId: idField<'customer'>(), reason: linesField(200, 2) }),
  /** The record that took everything over. */
  answer: orWaits(customer),
  errors: [
    'customer.merged',
    'customer.same',
    'customer.disabled',
    'customer.is_charging',
    'customer.money_held',
    'customer.owes',
  ],
  idempotency: 'required',
});
