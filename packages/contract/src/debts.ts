import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import { fenField, filter, idField, idParameter, instantField, linesField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { order } from './orders.ts';
import { route } from './route.ts';

/** A settled order that its payer still owes for. */
export const debt = z.object({
  /** The order's. */
  id: idField<'order'>(),
  number: z.string(),
  /** The card that owes; null where a registered user's balance does. */
  cardId: z.nullable(idField<'card'>()),
  cardNumber: z.nullable(shown.card()),
  /** The registered user, or the one who holds the card. */
  customerId: z.nullable(idField<'customer'>()),
  customerPhone: z.nullable(shown.phone()),
  nickname: z.nullable(z.string()),
  /** The group that owes; null where a card or a registered user does. */
  groupId: z.nullable(idField<'group'>()),
  groupName: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  siteId: idField<'site'>(),
  siteName: z.nullable(z.string()),
  /** The bill, less what a coupon took off. */
  billFen: fenField,
  paidFen: fenField,
  owedFen: fenField,
  /** For all orders of the same card or balance. */
  payerOwesFen: fenField,
  /** No charge begins while more than this is owed. */
  debtLimitFen: fenField,
  settledAt: instantField,
  /** Its write-off, where that waits for a second person. */
  waits: z.array(waitingAct),
});
export type Debt = z.output<typeof debt>;

export const listDebts = listRoute({
  name: 'listDebts',
  path: '/debts',
  summary: 'What is owed for settled orders, by whom and since when',
  permission: 'debt.read',
  sorts: ['settledAt', 'owedFen'],
  first: '-settledAt',
  filters: {
    phone: filter.phone(),
    cardNumber: filter.card(),
    number: filter.text(),
    siteId: filter.id('site'),
    agentId: filter.id('agent'),
    customerId: filter.id('customer'),
    cardId: filter.id('card'),
    groupId: filter.id('group'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: debt,
  columns: columnsOf<Debt>()({
    number: { kind: 'number', title: 'debts.number' },
    cardNumber: { kind: 'number', title: 'debts.cardNumber' },
    customerPhone: { kind: 'number', title: 'debts.customerPhone' },
    nickname: { kind: 'text', title: 'debts.nickname' },
    groupName: { kind: 'text', title: 'debts.group' },
    owedFen: { kind: 'money', title: 'debts.owed', hint: 'debts.owedHint', summed: true },
    payerOwesFen: { kind: 'money', title: 'debts.payerOwes', hint: 'debts.payerOwesHint' },
    // Beyond the limit nothing can be charged, which the figure alone does not say.
    beyond: {
      kind: 'flag',
      title: 'debts.beyond',
      words: ['debts.beyondYes', 'debts.beyondNo'],
      of: ({ payerOwesFen, debtLimitFen }) => payerOwesFen > debtLimitFen,
    },
    billFen: { kind: 'money', title: 'debts.bill' },
    paidFen: { kind: 'money', title: 'debts.paid' },
    siteName: { kind: 'text', title: 'debts.site' },
    agentName: { kind: 'text', title: 'debts.agent', absent: 'list.ofPlatform' },
    settledAt: { kind: 'instant', title: 'debts.settledAt' },
    waits: { kind: 'number', title: 'list.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});

export const writeOffDebt = route({
  method: 'POST',
  path: '/orders/{id}/write-offs',
  summary: 'Give up what is still owed for an order, at the platform’s cost',
  permission: 'debt.write_off',
  params: z.object({ id: idParameter<'order'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(order),
  errors: ['order.nothing_owed'],
  idempotency: 'required',
});
