import * as z from 'zod/mini';
import { fenField, fenFieldUpTo, filter, idField, idParameter, instantField, nothing, textField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { rechargeFenMax } from './payments.ts';
import { route } from './route.ts';

/** What a promotion applies to: recharges of registered users' balances, of cards, or of both. */
export const promotionScopes = ['wallet', 'card', 'both'] as const;

export const promotion = z.object({
  id: idField<'promotion'>(),
  name: z.string(),
  /** The least recharge that it applies to. */
  satisfiedFen: fenField,
  giftFen: fenField,
  /** Whether it applies. */
  effective: z.boolean(),
  /** Whether riders are shown it. */
  displayed: z.boolean(),
  from: z.nullable(instantField),
  to: z.nullable(instantField),
  /** How often one person gets it; null for any number. */
  timesPerPerson: z.nullable(z.int()),
  scope: z.enum(promotionScopes),
  /** For this agent's cards and recharges; null for the platform's own recharges. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** How many of the recharges that the caller sees it applied to, and what they were given. */
  uses: z.int(),
  givenFen: fenField,
  creatorName: z.nullable(z.string()),
  createdAt: instantField,
});
export type Promotion = z.output<typeof promotion>;

const promotionForm = z.object({
  name: textField(64),
  satisfiedFen: fenFieldUpTo(rechargeFenMax),
  giftFen: fenFieldUpTo(rechargeFenMax),
  effective: z.boolean(),
  displayed: z.boolean(),
  from: z.optional(z.nullable(instantField)),
  to: z.optional(z.nullable(instantField)),
  timesPerPerson: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(10_000)))),
  scope: z.optional(z.enum(promotionScopes)),
  agentId: z.optional(z.nullable(idField<'agent'>())),
});

export const listPromotions = listRoute({
  name: 'listPromotions',
  path: '/promotions',
  summary: 'Recharge promotions',
  permission: 'promotion.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    effective: filter.flag(),
    displayed: filter.flag(),
    scope: filter.choice(promotionScopes),
    agentId: filter.id('agent'),
  },
  item: promotion,
  columns: columnsOf<Promotion>()({
    name: { kind: 'text', title: 'promotions.name' },
    satisfiedFen: { kind: 'money', title: 'promotions.satisfied' },
    giftFen: { kind: 'money', title: 'promotions.gift' },
    effective: { kind: 'flag', title: 'promotions.effective', words: ['promotions.on', 'promotions.off'] },
    displayed: { kind: 'flag', title: 'promotions.displayed', words: ['promotions.shown', 'promotions.hidden'] },
    from: { kind: 'instant', title: 'promotions.from', absent: 'promotions.always' },
    to: { kind: 'instant', title: 'promotions.to', absent: 'promotions.always' },
    timesPerPerson: { kind: 'count', title: 'promotions.times', absent: 'promotions.anyTimes' },
    scope: { kind: 'choice', title: 'promotions.scope', words: 'promotion-scope' },
    agentName: { kind: 'text', title: 'promotions.agent', absent: 'promotions.platform' },
    uses: { kind: 'count', title: 'promotions.uses' },
    givenFen: { kind: 'money', title: 'promotions.given' },
    creatorName: { kind: 'text', title: 'promotions.creator' },
    createdAt: { kind: 'instant', title: 'promotions.createdAt' },
  }),
});

export const createPromotion = route({
  method: 'POST',
  path: '/promotions',
  summary: 'Add a recharge promotion',
  permission: 'promotion.edit',
  body: promotionForm,
  answer: promotion,
  errors: ['promotion.period_invalid', 'promotion.gift_too_high', 'promotion.times_needed'],
});

export const changePromotion = route({
  method: 'PUT',
  path: '/promotions/{id}',
  summary: 'Change a recharge promotion; recharges keep the gift they were given',
  permission: 'promotion.edit',
  params: z.object({ id: idParameter<'promotion'>() }),
  body: promotionForm,
  answer: promotion,
  errors: ['promotion.period_invalid', 'promotion.gift_too_high', 'promotion.times_needed'],
});

export const deletePromotion = route({
  method: 'DELETE',
  path: '/promotions/{id}',
  summary: 'Delete a recharge promotion that was never used',
  permission: 'promotion.edit',
  params: z.object({ id: idParameter<'promotion'>() }),
  answer: nothing,
  errors: ['promotion.used'],
});

export const previewRecharge = route({
  method: 'GET',
  path: '/recharges/preview',
  summary: 'The promotion that a recharge would have now, and what is left of the limit of the day',
  permission: 'recharge.create',
  query: z.object({
    cardId: filter.id('card'),
    customerId: filter.id('customer'),
    amountFen: z.coerce.number().check(z.int(), z.gte(1), z.lte(rechargeFenMax)),
  }),
  answer: z.object({
    promotion: z.nullable(z.object({ id: idField<'promotion'>(), name: z.string(), giftFen: fenField })),
    /** What the caller can still enter today. */
    leftTodayFen: fenField,
  }),
  errors: [],
});
