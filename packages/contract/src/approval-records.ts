import * as z from 'zod/mini';
import { approvalKinds, approvalStates, approvalSubjectKinds } from './approvals.ts';
import {
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  type PersonalKind,
  shown,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** A waiting approval that nobody decides lapses. */
export const approvalWaitsDays = 30;

const personalSubjects: Readonly<Record<string, PersonalKind>> = { card: 'card', customer: 'phone' };

/** Accounts that were given by each other or by one person so shortly before an act count as one person for it. */
export const accessGivenDays = 7;

/** Why the caller may not decide an approval. */
export const undecidableCodes = [
  'approval.own',
  'approval.same_phone',
  'approval.access_given',
  'withdrawal.own',
  'approval.act_not_permitted',
] as const;
export type UndecidableCode = (typeof undecidableCodes)[number];

export const approval = z.object({
  id: idField<'approval'>(),
  number: z.string(),
  kind: z.enum(approvalKinds),
  state: z.enum(approvalStates),
  /** Null for acts that change prices. */
  amountFen: z.nullable(fenField),
  /** The largest change of a price, in 1e-5 yuan per kWh or per step; null for acts that move money. */
  priceChangeE5: z.nullable(z.int()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  subjectKind: z.enum(approvalSubjectKinds),
  subjectId: z.int(),
  subjectText: shown.by(({ subjectKind }) => personalSubjects[String(subjectKind)] ?? null),
  /** Why, in the words of who asked. */
  reason: z.string(),
  askerId: idField<'user'>(),
  askerName: z.string(),
  askedAt: instantField,
  /** Null while it waits, and when it lapsed. */
  deciderName: z.nullable(z.string()),
  decidedAt: z.nullable(instantField),
  decisionReason: z.string(),
  /** Why an approved act was refused when it was carried out, in the caller's language. */
  failure: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The record that the act made or changed. */
  resultId: z.nullable(z.int()),
  /** Why the caller may not decide it; null where they may, while it waits. */
  undecidable: z.nullable(z.enum(undecidableCodes)),
});
export type Approval = z.output<typeof approval>;

/** What an act changes, by the name of the figure. */
export const approvalFactNames = [
  'bill',
  'givenBack',
  'refundable',
  'energy',
  'endedAt',
  'stopOf',
  'balance',
  'owed',
  'receiver',
  'payout',
  'customer',
  'party',
  'outcome',
  'way',
  'payeeName',
  'payeeBank',
  'payeeAccount',
  'accountSetBy',
  'accountSetAt',
  'paidOut',
  'fee',
  'giftsTaken',
  'gift',
  'gifts',
  'recharged',
  'prepaid',
  'payable',
  'holder',
  'reversed',
  'takenFrom',
  'returnedTo',
  'receiverBalance',
  'receiverGifts',
  'platformShare',
  'agentShares',
  'dividerShares',
  'defaultRule',
  'equipment',
  'givesToStations',
  'largestPriceChange',
] as const;
export type ApprovalFactName = (typeof approvalFactNames)[number];

const factValue = z.nullable(z.union([z.int(), z.string()]));
export const approvalFact = z.object({
  name: z.enum(approvalFactNames),
  kind: z.enum(['money', 'energyWh', 'priceE5', 'instant', 'text', 'word']),
  /** As it is now, or was when the approval ended; null for what does not change. */
  before: factValue,
  /** As the act leaves it. A `word` is a phrase key, an `instant` is ISO 8601. */
  after: factValue,
});
export type ApprovalFact = z.output<typeof approvalFact>;

export const approvalDetail = z.extend(approval, {
  /** Empty for who asked and may no longer do the act, and for approvals that ended before their facts were kept. */
  facts: z.array(approvalFact),
});
export type ApprovalDetail = z.output<typeof approvalDetail>;

export const listApprovals = listRoute({
  name: 'listApprovals',
  path: '/approvals',
  summary: 'Acts that wait or waited for a second person',
  permission: 'approval.read',
  sorts: ['askedAt', 'amountFen'],
  first: '-askedAt',
  filters: {
    /** What the caller may decide now, or what they asked for. */
    mine: filter.one(['waits', 'asked']),
    state: filter.choice(approvalStates),
    kind: filter.choice(approvalKinds),
    number: filter.text(),
    /** The number of an order, a recharge or a card, a phone, a rule's name: whole. */
    subject: filter.text(),
    askerId: filter.id('user'),
    agentId: filter.id('agent'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: approval,
  columns: columnsOf<Approval>()({
    number: { kind: 'number', title: 'approvals.number' },
    kind: { kind: 'choice', title: 'approvals.kind', words: 'approval-kind' },
    state: { kind: 'choice', title: 'approvals.state', words: 'approval-state' },
    subjectText: { kind: 'number', title: 'approvals.subject' },
    amountFen: { kind: 'money', title: 'approvals.amount', summed: true },
    reason: { kind: 'text', title: 'approvals.reason' },
    askerName: { kind: 'text', title: 'approvals.asker' },
    askedAt: { kind: 'instant', title: 'approvals.askedAt' },
    agentName: { kind: 'text', title: 'approvals.agent', absent: 'list.ofPlatform' },
    deciderName: { kind: 'text', title: 'approvals.decider' },
    decidedAt: { kind: 'instant', title: 'approvals.decidedAt' },
    decisionReason: { kind: 'text', title: 'approvals.decisionReason' },
    failure: { kind: 'text', title: 'approvals.failure', of: ({ failure }) => failure?.message ?? null },
  }),
});

const ofApproval = z.object({ id: idParameter<'approval'>() });

export const getApproval = route({
  method: 'GET',
  path: '/approvals/{id}',
  summary: 'One act that waits or waited for a second person: one’s own, or any within the data scope',
  permission: 'signed-in',
  params: ofApproval,
  answer: approvalDetail,
  errors: [],
});

export const approvalDecisions = ['approve', 'refuse'] as const;

export const decideApproval = route({
  method: 'POST',
  path: '/approvals/{id}/decisions',
  summary:
    'Approve an act of somebody else, which carries it out, or refuse it; the permission of the act is needed too',
  permission: 'approval.decide',
  params: ofApproval,
  /** A refusal needs its reason. */
  body: z.object({ decision: z.enum(approvalDecisions), reason: z.optional(linesField(200, 2)) }),
  answer: approval,
  errors: [...undecidableCodes, 'approval.already_decided', 'approval.asker_disabled', 'approval.asker_rights_lost'],
  idempotency: 'required',
});

export const withdrawApproval = route({
  method: 'POST',
  path: '/approvals/{id}/withdrawals',
  summary: 'Take back an act that one asked for and nobody has decided',
  permission: 'signed-in',
  params: ofApproval,
  answer: approval,
  errors: ['approval.already_decided'],
  idempotency: 'required',
});
