import { isPaidOut, withdrawalStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import {
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  shown,
  textField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** The most that one application takes: 100,000 yuan. */
export const withdrawalFenMax = 10_000_000;
/** Applications decided in one call. */
export const reviewsMax = 100;

/** How the money leaves: by a payment channel, or by hand to a bank account or at the desk. */
export const withdrawalWays = ['wechat', 'alipay', 'embedded', 'bank', 'desk'] as const;
export type WithdrawalWay = (typeof withdrawalWays)[number];

/**
 * Why a person has to look at one: it was paid a second time, its payment came back, or the channel reports its payout
 * with another amount.
 */
export const withdrawalAttentions = ['paid_twice', 'sent_back', 'amount_differs'] as const;
export type WithdrawalAttention = (typeof withdrawalAttentions)[number];

export const withdrawal = z.object({
  id: idField<'withdrawal'>(),
  number: z.string(),
  customerId: idField<'customer'>(),
  customerPhone: shown.phone(),
  nickname: z.string(),
  way: z.enum(withdrawalWays),
  /** The account it goes to; null at the desk. */
  payeeAccount: z.nullable(shown.card()),
  payeeName: z.nullable(z.string()),
  /** What was applied for; frozen from the application to the end. */
  amountFen: fenField,
  /** The gifts that went with it. */
  giftFen: fenField,
  feeFen: fenField,
  /** What is paid out: the amount less the fee. */
  payoutFen: fenField,
  state: z.enum(withdrawalStates),
  /** Its money is set aside: it can still be paid. */
  frozen: z.boolean(),
  remark: z.string(),
  /** Why it was rejected, or what the channel answered. */
  failure: z.nullable(z.string()),
  /** The user who applied for it; null where the registered user did. */
  appliedByName: z.nullable(z.string()),
  appliedAt: instantField,
  reviewedByName: z.nullable(z.string()),
  processedAt: z.nullable(instantField),
  /** The channel's number, or the receipt of a payment by hand. */
  receipt: z.nullable(z.string()),
  /** The channel pays it once the payee has confirmed it in the channel's app. */
  awaitsPayee: z.boolean(),
  attention: z.nullable(z.enum(withdrawalAttentions)),
  /** What waits for a second person. */
  waits: z.array(waitingAct),
});
export type Withdrawal = z.output<typeof withdrawal>;

export const listWithdrawals = listRoute({
  name: 'listWithdrawals',
  path: '/withdrawals',
  summary: 'Withdrawals of registered users',
  permission: 'withdrawal.read',
  sorts: ['appliedAt'],
  first: '-appliedAt',
  filters: {
    state: filter.choice(withdrawalStates),
    number: filter.text(),
    phone: filter.phone(),
    way: filter.choice(withdrawalWays),
    attention: filter.choice(withdrawalAttentions),
    customerId: filter.id('customer'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: withdrawal,
  columns: columnsOf<Withdrawal>()({
    number: { kind: 'number', title: 'withdrawals.number' },
    customerPhone: { kind: 'number', title: 'withdrawals.phone' },
    nickname: { kind: 'text', title: 'withdrawals.nickname' },
    state: { kind: 'choice', title: 'withdrawals.state', words: 'withdrawal-state' },
    amountFen: { kind: 'money', title: 'withdrawals.amount', summed: true },
    giftFen: { kind: 'money', title: 'withdrawals.gift', summed: true },
    feeFen: {
      kind: 'money',
      title: 'withdrawals.fee',
      summed: true,
      of: ({ state, feeFen }) => (isPaidOut(state) ? feeFen : null),
    },
    payoutFen: {
      kind: 'money',
      title: 'withdrawals.payout',
      summed: true,
      of: ({ state, payoutFen }) => (isPaidOut(state) ? payoutFen : null),
    },
    way: { kind: 'choice', title: 'withdrawals.way', words: 'withdrawal-way' },
    payeeAccount: { kind: 'number', title: 'withdrawals.payeeAccount' },
    payeeName: { kind: 'text', title: 'withdrawals.payeeName' },
    appliedAt: { kind: 'instant', title: 'withdrawals.appliedAt' },
    appliedByName: { kind: 'text', title: 'withdrawals.appliedBy', absent: 'withdrawals.byCustomer' },
    reviewedByName: { kind: 'text', title: 'withdrawals.reviewedBy' },
    processedAt: { kind: 'instant', title: 'withdrawals.processedAt' },
    failure: { kind: 'text', title: 'withdrawals.failure' },
    receipt: { kind: 'number', title: 'withdrawals.receipt' },
    attention: { kind: 'choice', title: 'withdrawals.attention', words: 'withdrawal-attention' },
    remark: { kind: 'text', title: 'withdrawals.remark' },
    waits: { kind: 'number', title: 'list.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});

export const getWithdrawal = route({
  method: 'GET',
  path: '/withdrawals/{id}',
  summary: 'One withdrawal',
  permission: 'withdrawal.read',
  params: z.object({ id: idParameter<'withdrawal'>() }),
  answer: withdrawal,
  errors: [],
});

/** What a registered user could withdraw now, so that a form can say it before it is sent. */
export const withdrawalTerms = z.object({
  /** Paid money that is free. */
  paidFen: fenField,
  giftFen: fenField,
  owedFen: fenField,
  minFen: fenField,
  /** In hundredths of a percent of the amount. */
  feeBp: z.int(),
  /** Whether gifts go with the money, in its proportion. */
  takesGifts: z.boolean(),
  /** The ways that are open: channels that are on, and by hand. */
  ways: z.array(z.enum(withdrawalWays)),
});
export type WithdrawalTerms = z.output<typeof withdrawalTerms>;

export const getWithdrawalTerms = route({
  method: 'GET',
  path: '/withdrawals/terms',
  summary: 'What a registered user can withdraw, its fee and the gifts that go with it',
  permission: 'withdrawal.create',
  query: z.object({ customerId: idParameter<'customer'>() }),
  answer: withdrawalTerms,
  errors: [],
});

export const createWithdrawal = route({
  method: 'POST',
  path: '/withdrawals',
  summary: 'Apply for a withdrawal on behalf of a registered user; its money is frozen until the end',
  permission: 'withdrawal.create',
  /** Exactly one of the first two; callers who see masked numbers send the id. */
  body: z.object({
    customerPhone: z.optional(textField(20)),
    customerId: z.optional(idField<'customer'>()),
    amountFen: fenFieldUpTo(withdrawalFenMax),
    /** At the desk if omitted. */
    way: z.optional(z.enum(withdrawalWays)),
    payeeAccount: z.optional(textField(64)),
    payeeName: z.optional(textField(64)),
    remark: z.optional(linesField(200, 0)),
  }),
  answer: withdrawal,
  errors: [
    'withdrawal.out_of_range',
    'withdrawal.too_little',
    'withdrawal.owes',
    'withdrawal.too_many_today',
    'withdrawal.below_fee',
    'withdrawal.play_money',
    'customer.disabled',
    'channel.off',
  ],
  idempotency: 'required',
});

/** What a review says. */
export const decision = {
  decision: z.enum(['pass', 'reject']),
  /** Required to reject. */
  reason: z.optional(linesField(200, 0)),
};

const reviewErrors = [
  'withdrawal.already_reviewed',
  'withdrawal.own',
  'withdrawal.being_paid',
  'withdrawal.paid_by_channel',
  'withdrawal.payout_unknown',
  'withdrawal.payout_channel_off',
  'review.reason_required',
  'channel.off',
] as const;

export const reviewWithdrawal = route({
  method: 'POST',
  path: '/withdrawals/{id}/reviews',
  summary: 'Pass a withdrawal, which begins its payout, or reject it, which returns its money',
  permission: 'withdrawal.review',
  params: z.object({ id: idParameter<'withdrawal'>() }),
  body: z.object(decision),
  answer: orWaits(withdrawal),
  errors: reviewErrors,
  idempotency: 'required',
});

/** All or nothing: if one of them was decided in the meantime, none is changed. */
export const reviewWithdrawals = route({
  method: 'POST',
  path: '/withdrawals/reviews',
  summary: 'Pass or reject many withdrawals',
  permission: 'withdrawal.review',
  body: z.object({
    ids: z.array(idField<'withdrawal'>()).check(z.minLength(1), z.maxLength(reviewsMax)),
    ...decision,
  }),
  answer: z.object({
    decided: z.int(),
    waiting: z.int(),
    /** Left as they are, because the channel that had refused to pay them answered too slowly to ask about them again. */
    unasked: z.int(),
  }),
  errors: reviewErrors,
  idempotency: 'required',
});

export const payWithdrawalByHand = route({
  method: 'POST',
  path: '/withdrawals/{id}/payments',
  summary: 'Record that a passed or failed withdrawal was paid by hand',
  permission: 'withdrawal.pay',
  params: z.object({ id: idParameter<'withdrawal'>() }),
  body: z.object({ receipt: textField(64), remark: z.optional(linesField(200, 0)) }),
  answer: withdrawal,
  errors: [
    'withdrawal.not_payable',
    'withdrawal.being_paid',
    'withdrawal.paid_by_channel',
    'withdrawal.payout_unknown',
    'withdrawal.payout_channel_off',
    'withdrawal.receipt_used',
  ],
  idempotency: 'required',
});

export const retryWithdrawal = route({
  method: 'POST',
  path: '/withdrawals/{id}/retries',
  summary: 'Ask the channel again to pay a withdrawal that it refused, unless it has paid it after all',
  permission: 'withdrawal.pay',
  params: z.object({ id: idParameter<'withdrawal'>() }),
  answer: withdrawal,
  errors: [
    'withdrawal.not_failed',
    'withdrawal.being_paid',
    'withdrawal.payout_unknown',
    'withdrawal.payout_channel_off',
    'channel.off',
  ],
  idempotency: 'required',
});

/**
 * What a person finds out about a withdrawal where its channel is off or says what cannot be. `paid`, `not_paid`: of its
 * payout; `returned`: its payment came back; `dealt_with`: what needed a person is over.
 */
export const withdrawalOutcomes = ['paid', 'not_paid', 'returned', 'dealt_with'] as const;
export type WithdrawalOutcome = (typeof withdrawalOutcomes)[number];

/** `returned` freezes the money again and `not_paid` leaves it frozen, to be paid anew or rejected. */
export const stateWithdrawalOutcome = route({
  method: 'POST',
  path: '/withdrawals/{id}/outcomes',
  summary: 'State what became of a payout, after checking it at its channel, or that what needed a person is over',
  permission: 'withdrawal.resolve',
  params: z.object({ id: idParameter<'withdrawal'>() }),
  body: z.object({ outcome: z.enum(withdrawalOutcomes), reason: linesField(200, 2) }),
  answer: orWaits(withdrawal),
  errors: ['withdrawal.outcome_not_open', 'withdrawal.being_paid', 'withdrawal.customer_merged'],
  idempotency: 'required',
});
