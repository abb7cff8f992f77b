import * as z from 'zod/mini';
import { fenField, filter, idField, idParameter, instantField, linesField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Whether somebody also charges with a card of their own. */
export const creditUserTypes = ['card_holder', 'account'] as const;

export const credit = z.object({
  /** The registered user's. */
  id: idField<'customer'>(),
  nickname: z.string(),
  phone: shown.phone(),
  userType: z.enum(creditUserTypes),
  /** Whole points; what is short of one is kept and counts on. */
  score: z.int(),
  /** The really paid money that counted: without gifts, and less what was returned. */
  consumedFen: fenField,
});
export type CreditScore = z.output<typeof credit>;

export const listCredits = listRoute({
  name: 'listCredits',
  path: '/credits',
  summary: 'Credit scores of registered users',
  permission: 'credit.read',
  sorts: ['score', 'consumedFen'],
  first: '-score',
  filters: {
    phone: filter.phone(),
    nickname: filter.text(),
    userType: filter.one(creditUserTypes),
    customerId: filter.id('customer'),
  },
  item: credit,
  columns: columnsOf<CreditScore>()({
    nickname: { kind: 'text', title: 'credits.nickname' },
    id: { kind: 'number', title: 'credits.userId', of: ({ id }) => String(id) },
    phone: { kind: 'number', title: 'credits.phone' },
    userType: { kind: 'choice', title: 'credits.userType', words: 'credit-user-type' },
    score: { kind: 'count', title: 'credits.score', hint: 'credits.scoreHint' },
    consumedFen: { kind: 'money', title: 'credits.consumed', hint: 'credits.consumedHint', summed: true },
  }),
});

export const getCredit = route({
  method: 'GET',
  path: '/credits/{id}',
  summary: 'The credit score of one registered user',
  permission: 'credit.read',
  params: z.object({ id: idParameter<'customer'>() }),
  answer: credit,
  errors: [],
});

/** What one adjustment may add or take. */
export const adjustedPointsMax = 1_000_000;

export const adjustCredit = route({
  method: 'POST',
  path: '/credits/{id}/adjustments',
  summary: 'Add points to a credit score, or take some away',
  permission: 'credit.adjust',
  params: z.object({ id: idParameter<'customer'>() }),
  body: z.object({
    points: z.int().check(
      z.gte(-adjustedPointsMax),
      z.lte(adjustedPointsMax),
      z.refine((points) => points !== 0, { error: 'points_zero' }),
    ),
    reason: linesField(200, 2),
  }),
  answer: credit,
  errors: ['credit.too_low', 'customer.merged'],
  idempotency: 'required',
});

export const creditMovementKinds = ['order_paid', 'order_refunded', 'adjusted'] as const;

export const creditMovement = z.object({
  id: idField<'credit_movement'>(),
  customerId: idField<'customer'>(),
  nickname: z.string(),
  phone: shown.phone(),
  /** The order and its amount are null where the caller does not see that order. */
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  kind: z.enum(creditMovementKinds),
  /** Whole points that the score changed by; zero where the payment was short of one. */
  points: z.int(),
  /** The score afterwards. */
  after: z.int(),
  /** The really paid money that counted. */
  amountFen: z.nullable(fenField),
  reason: z.string(),
  userName: z.nullable(z.string()),
  createdAt: instantField,
});
export type CreditMovement = z.output<typeof creditMovement>;

export const listCreditMovements = listRoute({
  name: 'listCreditMovements',
  path: '/credit-movements',
  summary: 'Every change of a credit score',
  permission: 'credit.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    orderNumber: filter.text(),
    phone: filter.phone(),
    kind: filter.choice(creditMovementKinds),
    from: filter.instant(),
    to: filter.instant(),
    customerId: filter.id('customer'),
  },
  item: creditMovement,
  columns: columnsOf<CreditMovement>()({
    createdAt: { kind: 'instant', title: 'credits.at' },
    nickname: { kind: 'text', title: 'credits.nickname' },
    phone: { kind: 'number', title: 'credits.phone' },
    kind: { kind: 'choice', title: 'credits.kind', words: 'credit-kind' },
    orderNumber: { kind: 'number', title: 'credits.orderNumber' },
    amountFen: { kind: 'money', title: 'credits.amount', hint: 'credits.amountHint', summed: true },
    points: { kind: 'count', title: 'credits.points', hint: 'credits.pointsHint' },
    after: { kind: 'count', title: 'credits.after' },
    reason: { kind: 'text', title: 'credits.reason' },
    userName: { kind: 'text', title: 'credits.operator' },
  }),
});
