import * as z from 'zod/mini';
import {
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  phoneField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const couponKinds = ['amount', 'percent'] as const;
export const couponBearers = ['site', 'platform'] as const;
/** What a coupon takes off at most, and its budget: 10,000 and 100,000,000 yuan. */
export const couponFenMax = 1_000_000;
export const couponBudgetFenMax = 10_000_000_000;
/** Sites that one coupon names; without any it holds at all of them. */
export const couponSitesMax = 500;
/** People that one call gives a coupon to. */
export const couponPhonesMax = 5_000;

export const coupon = z.object({
  id: idField<'coupon'>(),
  name: z.string(),
  kind: z.enum(couponKinds),
  /** What it takes off the service fee; null for a percentage. */
  amountFen: z.nullable(fenField),
  /** The part of the service fee that it takes off; null for an amount. */
  percent: z.nullable(z.int()),
  /** The most that a percentage takes off. */
  maxFen: z.nullable(fenField),
  /** Null at all sites. */
  siteIds: z.nullable(z.array(idField<'site'>())),
  siteNames: z.nullable(z.string()),
  from: z.nullable(instantField),
  to: z.nullable(instantField),
  bearer: z.enum(couponBearers),
  budgetFen: z.nullable(fenField),
  /** What its uses took off. */
  usedFen: fenField,
  given: z.int(),
  used: z.int(),
  stoppedAt: z.nullable(instantField),
  creatorName: z.nullable(z.string()),
  createdAt: instantField,
});
export type Coupon = z.output<typeof coupon>;

export const listCoupons = listRoute({
  name: 'listCoupons',
  path: '/coupons',
  summary: 'Coupons on the service fee',
  permission: 'coupon.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    kind: filter.choice(couponKinds),
    bearer: filter.choice(couponBearers),
    stopped: filter.flag(),
  },
  item: coupon,
  columns: columnsOf<Coupon>()({
    name: { kind: 'text', title: 'coupons.name' },
    kind: { kind: 'choice', title: 'coupons.kind', words: 'coupon-kind' },
    amountFen: { kind: 'money', title: 'coupons.amount' },
    percent: { kind: 'percent', title: 'coupons.percent' },
    maxFen: { kind: 'money', title: 'coupons.max' },
    siteNames: { kind: 'text', title: 'coupons.sites', absent: 'coupons.allSites' },
    from: { kind: 'instant', title: 'coupons.from', absent: 'coupons.open' },
    to: { kind: 'instant', title: 'coupons.to', absent: 'coupons.open' },
    bearer: { kind: 'choice', title: 'coupons.bearer', words: 'coupon-bearer' },
    budgetFen: { kind: 'money', title: 'coupons.budget', absent: 'coupons.noBudget' },
    usedFen: { kind: 'money', title: 'coupons.usedFen' },
    given: { kind: 'count', title: 'coupons.given' },
    used: { kind: 'count', title: 'coupons.used' },
    stoppedAt: { kind: 'instant', title: 'coupons.stoppedAt' },
    creatorName: { kind: 'text', title: 'coupons.creator' },
    createdAt: { kind: 'instant', title: 'coupons.createdAt' },
  }),
});

export const createCoupon = route({
  method: 'POST',
  path: '/coupons',
  summary: 'Add a coupon on the service fee, which is then given to people',
  permission: 'coupon.edit',
  /** An amount, or a percentage. */
  body: z.object({
    name: textField(64),
    kind: z.enum(couponKinds),
    amountFen: z.optional(fenFieldUpTo(couponFenMax)),
    percent: z.optional(z.int().check(z.gte(1), z.lte(100))),
    maxFen: z.optional(fenFieldUpTo(couponFenMax)),
    siteIds: z.optional(z.array(idField<'site'>()).check(z.maxLength(couponSitesMax))),
    from: z.optional(z.nullable(instantField)),
    to: z.optional(z.nullable(instantField)),
    bearer: z.enum(couponBearers),
    budgetFen: z.optional(fenFieldUpTo(couponBudgetFenMax)),
  }),
  answer: coupon,
  errors: ['coupon.period_invalid'],
});

export const giveCoupon = route({
  method: 'POST',
  path: '/coupons/{id}/gifts',
  summary: 'Give a coupon to registered users by phone, or to all of them; each gets one more',
  permission: 'coupon.edit',
  params: z.object({ id: idParameter<'coupon'>() }),
  /** Phones, or all. */
  body: z.object({
    phones: z.optional(z.array(phoneField).check(z.minLength(1), z.maxLength(couponPhonesMax))),
    all: z.optional(z.boolean()),
  }),
  answer: z.object({
    given: z.int(),
    /** Phones that no registered user has; nothing was given to them. */
    unknown: z.array(z.object({ phone: shown.phone() })),
  }),
  errors: ['coupon.stopped'],
  idempotency: 'required',
});

export const stopCoupon = route({
  method: 'POST',
  path: '/coupons/{id}/stops',
  summary: 'Stop a coupon: unused ones apply no more',
  permission: 'coupon.edit',
  params: z.object({ id: idParameter<'coupon'>() }),
  answer: coupon,
  errors: ['coupon.stopped'],
});
