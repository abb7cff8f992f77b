import { isPaidOut, withdrawalStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { payout, payoutKinds } from './agents.ts';
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
import { decision, reviewsMax } from './withdrawals.ts';

/** The most that one application takes: ten million yuan. */
export const agentWithdrawalFenMax = 1_000_000_000;

/** Who withdraws from a balance. */
export const payeeParties = ['agent', 'divider'] as const;
export type PayeeParty = (typeof payeeParties)[number];

/** How the money leaves: by a person at the bank to the payout account, or in another way, such as cash. */
export const agentWithdrawalWays = ['bank', 'other'] as const;
export type AgentWithdrawalWay = (typeof agentWithdrawalWays)[number];

/** A payout account but for its number. */
const payee = {
  payeeKind: z.enum(payoutKinds),
  payeeHolder: z.string(),
  payeeBank: z.string(),
  payeeBranch: z.nullable(z.string()),
  payeeBankCode: z.nullable(z.string()),
};

export const agentWithdrawal = z.object({
  id: idField<'agent_withdrawal'>(),
  number: z.string(),
  party: z.enum(payeeParties),
  agentId: z.nullable(idField<'agent'>()),
  dividerId: z.nullable(idField<'divider'>()),
  partyName: z.string(),
  /** The agent is frozen or the divider disabled, so that it is not paid. */
  partyIsFrozen: z.boolean(),
  /** The payout account as it was at the application. */
  ...payee,
  payeeAccount: shown.card(),
  /** What was applied for; frozen from the application to the end. */
  amountFen: fenField,
  feeFen: fenField,
  /** What is paid out: the amount less the fee. */
  payoutFen: fenField,
  way: z.enum(agentWithdrawalWays),
  state: z.enum(withdrawalStates),
  /** Its money is set aside: it can still be paid. */
  frozen: z.boolean(),
  remark: z.string(),
  /** Why it was rejected, was not paid, or came back. */
  failure: z.nullable(z.string()),
  /** The number of the bank's receipt, or what proves another payment. */
  receipt: z.nullable(z.string()),
  appliedByName: z.string(),
  appliedAt: instantField,
  /** These two are the platform's people, whose names others do not see. */
  reviewedByName: z.nullable(z.string()),
  paidByName: z.nullable(z.string()),
  paidAt: z.nullable(instantField),
  /** The payment came back and the money is on the balance again. */
  returnedAt: z.nullable(instantField),
  processedAt: z.nullable(instantField),
  /** What waits for a second person. */
  waits: z.array(waitingAct),
});
export type AgentWithdrawal = z.output<typeof agentWithdrawal>;

export const listAgentWithdrawals = listRoute({
  name: 'listAgentWithdrawals',
  path: '/agent-withdrawals',
  summary: 'Withdrawals of agents and dividers; they see their own, and an agent those of its dividers too',
  permission: 'agent_withdrawal.read',
  sorts: ['appliedAt'],
  first: '-appliedAt',
  filters: {
    state: filter.choice(withdrawalStates),
    number: filter.text(),
    agentId: filter.id('agent'),
    dividerId: filter.id('divider'),
    party: filter.choice(payeeParties),
    way: filter.choice(agentWithdrawalWays),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: agentWithdrawal,
  columns: columnsOf<AgentWithdrawal>()({
    number: { kind: 'number', title: 'agent-withdrawals.number' },
    partyName: { kind: 'text', title: 'agent-withdrawals.party' },
    party: { kind: 'choice', title: 'agent-withdrawals.partyKind', words: 'payee-party' },
    state: { kind: 'choice', title: 'agent-withdrawals.state', words: 'withdrawal-state' },
    amountFen: { kind: 'money', title: 'agent-withdrawals.amount', summed: true },
    feeFen: {
      kind: 'money',
      title: 'agent-withdrawals.fee',
      summed: true,
      of: ({ state, feeFen }) => (isPaidOut(state) ? feeFen : null),
    },
    payoutFen: {
      kind: 'money',
      title: 'agent-withdrawals.payout',
      summed: true,
      of: ({ state, payoutFen }) => (isPaidOut(state) ? payoutFen : null),
    },
    appliedAt: { kind: 'instant', title: 'agent-withdrawals.appliedAt' },
    failure: { kind: 'text', title: 'agent-withdrawals.failure' },
    receipt: { kind: 'number', title: 'agent-withdrawals.receipt' },
    payeeHolder: { kind: 'text', title: 'agent-withdrawals.holder' },
    payeeBank: { kind: 'text', title: 'agent-withdrawals.bank' },
    payeeAccount: { kind: 'number', title: 'agent-withdrawals.account' },
    payeeKind: { kind: 'choice', title: 'agent-withdrawals.accountKind', words: 'agent-withdrawal-account' },
    way: { kind: 'choice', title: 'agent-withdrawals.way', words: 'agent-withdrawal-way' },
    appliedByName: { kind: 'text', title: 'agent-withdrawals.appliedBy' },
    reviewedByName: { kind: 'text', title: 'agent-withdrawals.reviewedBy' },
    paidByName: { kind: 'text', title: 'agent-withdrawals.paidBy' },
    paidAt: { kind: 'instant', title: 'agent-withdrawals.paidAt' },
    returnedAt: { kind: 'instant', title: 'agent-withdrawals.returnedAt' },
    processedAt: { kind: 'instant', title: 'agent-withdrawals.processedAt' },
    remark: { kind: 'text', title: 'agent-withdrawals.remark' },
    waits: { kind: 'number', title: 'list.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});

export const getAgentWithdrawal = route({
  method: 'GET',
  path: '/agent-withdrawals/{id}',
  summary: 'One withdrawal of an agent or a divider',
  permission: 'agent_withdrawal.read',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  answer: agentWithdrawal,
  errors: [],
});

/** What became of what a party earned; the first is the sum of the others. */
export const partyIncome = z.object({
  /** Everything that it earned, less what refunds took back. */
  incomeFen: fenField,
  /** Earned and not yet settled. */
  unpaidFen: fenField,
  /** Settled, free to withdraw. */
  balanceFen: fenField,
  /** On its way out. */
  frozenFen: fenField,
  /** Withdrawn, with the fees. */
  withdrawnFen: fenField,
});
export type PartyIncome = z.output<typeof partyIncome>;

export const getPartyIncome = route({
  method: 'GET',
  path: '/agent-withdrawals/income',
  summary: 'Income and balance of the caller, of a divider that they hold or, for the platform, of anybody or of all',
  permission: 'agent_withdrawal.read',
  query: z.object({ agentId: z.optional(idParameter<'agent'>()), dividerId: z.optional(idParameter<'divider'>()) }),
  answer: z.extend(partyIncome, {
    /** Applications that nobody has decided. */
    waiting: z.int(),
    waitingFen: fenField,
  }),
  errors: [],
});

/** What the caller's own agent or divider can withdraw now, so that a form can say it before it is sent. */
export const agentWithdrawalTerms = z.object({
  partyName: z.string(),
  balanceFen: fenField,
  minFen: fenField,
  /** In hundredths of a percent of the amount. */
  feeBp: z.int(),
  /** Applications that are left today. */
  leftToday: z.int(),
  /** Where it is paid; null while no payout account is set. */
  payee: z.nullable(z.object({ ...payee, payeeAccount: shown.card() })),
});
export type AgentWithdrawalTerms = z.output<typeof agentWithdrawalTerms>;

export const getAgentWithdrawalTerms = route({
  method: 'GET',
  path: '/agent-withdrawals/terms',
  summary:
    'What the caller’s agent or divider, or a divider that they hold, can withdraw, its fee and where it is paid',
  permission: ['agent_withdrawal.create', 'agent_withdrawal.account'],
  query: z.object({ dividerId: z.optional(idParameter<'divider'>()) }),
  answer: agentWithdrawalTerms,
  errors: ['agent_withdrawal.no_balance'],
});

/** The whole of it at once. One that is set is changed by the party itself or by the platform. */
export const setOwnPayoutAccount = route({
  method: 'PUT',
  path: '/agent-withdrawals/account',
  summary:
    'Set where the caller’s own agent or divider is paid; withdrawals to it wait for a second person for some days',
  permission: 'agent_withdrawal.account',
  body: z.object({
    payoutKind: z.enum(payoutKinds),
    payoutHolder: textField(64),
    payoutBank: textField(64),
    payoutBranch: payout.payoutBranch,
    payoutBankCode: payout.payoutBankCode,
    payoutNumber: payout.payoutNumber,
  }),
  answer: agentWithdrawalTerms,
  errors: ['agent_withdrawal.no_balance', 'agent_withdrawal.party_frozen'],
});

/** The whole account, for who pays: it must be typed at the bank. */
export const getAgentWithdrawalPayee = route({
  method: 'GET',
  path: '/agent-withdrawals/{id}/payee',
  summary: 'The payout account of a withdrawal in full, while it can be paid, for whoever pays it',
  permission: 'agent_withdrawal.pay',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  answer: z.object({ ...payee, account: z.string(), payoutFen: fenField }),
  errors: ['withdrawal.not_payable', 'withdrawal.own'],
});

export const createAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals',
  summary:
    'Apply for a withdrawal from the balance of the caller’s own agent or divider, or of a divider that they hold; its money is frozen until the end',
  permission: 'agent_withdrawal.create',
  body: z.object({
    amountFen: fenFieldUpTo(agentWithdrawalFenMax),
    remark: z.optional(linesField(200, 0)),
    /** Of the caller’s own agent or, for the platform, any; otherwise it is for the caller’s own balance. */
    dividerId: z.optional(idField<'divider'>()),
  }),
  answer: agentWithdrawal,
  errors: [
    'agent_withdrawal.no_balance',
    'agent_withdrawal.no_account',
    'agent_withdrawal.party_frozen',
    'agent_withdrawal.too_little',
    'agent_withdrawal.play_money',
    'withdrawal.out_of_range',
    'withdrawal.too_many_today',
    'withdrawal.below_fee',
  ],
  idempotency: 'required',
});

const reviewErrors = [
  'withdrawal.already_reviewed',
  'withdrawal.own',
  'agent_withdrawal.party_frozen',
  'review.reason_required',
] as const;

export const reviewAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals/{id}/reviews',
  summary: 'Pass a withdrawal, so that it can be paid, or reject it, which returns its money to the balance',
  permission: 'agent_withdrawal.review',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  body: z.object(decision),
  answer: orWaits(agentWithdrawal),
  errors: reviewErrors,
  idempotency: 'required',
});

/** All or nothing: if one of them was decided in the meantime, none is changed. */
export const reviewAgentWithdrawals = route({
  method: 'POST',
  path: '/agent-withdrawals/reviews',
  summary: 'Pass or reject many withdrawals of agents and dividers',
  permission: 'agent_withdrawal.review',
  body: z.object({
    ids: z.array(idField<'agent_withdrawal'>()).check(z.minLength(1), z.maxLength(reviewsMax)),
    ...decision,
  }),
  answer: z.object({ decided: z.int(), waiting: z.int() }),
  errors: reviewErrors,
  idempotency: 'required',
});

const ofPayment = [
  'withdrawal.not_payable',
  'withdrawal.own',
  'agent_withdrawal.party_frozen',
  'agent_withdrawal.play_money',
] as const;

export const payAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals/{id}/payments',
  summary: 'Record that a passed withdrawal was paid: at the bank, with the number of its receipt, or in another way',
  permission: 'agent_withdrawal.pay',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  body: z.object({
    /** By the bank if omitted. */
    way: z.optional(z.enum(agentWithdrawalWays)),
    receipt: textField(64),
    remark: z.optional(linesField(200, 0)),
  }),
  answer: agentWithdrawal,
  errors: [...ofPayment, 'agent_withdrawal.receipt_used'],
  idempotency: 'required',
});

/** The money stays frozen, so that it can be paid again or rejected. */
export const failAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals/{id}/failures',
  summary: 'Record that the bank did not pay a passed withdrawal',
  permission: 'agent_withdrawal.pay',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: agentWithdrawal,
  errors: ['agent_withdrawal.not_under_way', 'withdrawal.own'],
  idempotency: 'required',
});

export const retryAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals/{id}/retries',
  summary: 'Put a withdrawal that the bank did not pay up for payment again, to the same account',
  permission: 'agent_withdrawal.pay',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  answer: agentWithdrawal,
  errors: ['agent_withdrawal.not_failed', 'withdrawal.own', 'agent_withdrawal.party_frozen'],
  idempotency: 'required',
});

export const returnAgentWithdrawal = route({
  method: 'POST',
  path: '/agent-withdrawals/{id}/returns',
  summary:
    'Record that the payment of a withdrawal came back: its whole amount, the fee included, returns to the balance',
  permission: 'agent_withdrawal.return',
  params: z.object({ id: idParameter<'agent_withdrawal'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: orWaits(agentWithdrawal),
  errors: ['agent_withdrawal.not_paid', 'withdrawal.own'],
  idempotency: 'required',
});
