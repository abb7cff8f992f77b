import * as z from 'zod/mini';
import { orWaits } from './approvals.ts';
import { isCreditCode } from './credit-code.ts';
import {
  dayField,
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  nothing,
  percentField,
  phoneField,
  shown,
  textField,
  userNameField,
} from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Limit of one top-up of an agent's prepaid account: ten million yuan. */
export const agentRechargeFenMax = 1_000_000_000;
/** Agents below one another, the uppermost included. */
export const agentDepthMax = 5;
/** Suggestions of one search. */
export const agentNamesMax = 100;

export const agentKinds = ['agent', 'individual', 'self_run', 'other'] as const;
export type AgentKind = (typeof agentKinds)[number];
export const agentStates = ['normal', 'frozen'] as const;
export type AgentState = (typeof agentStates)[number];
export const payoutKinds = ['private', 'corporate'] as const;
export type PayoutKind = (typeof payoutKinds)[number];

const creditCodeField = z.string().check(z.trim(), z.toUpperCase(), z.refine(isCreditCode, { error: 'credit_code' }));
const bankCodeField = z.string().check(z.trim(), z.regex(/^\d{12}$/, 'bank_code'));
const accountNumberField = z.string().check(z.trim(), z.regex(/^[0-9-]{6,32}$/, 'account_number'));

export const agent = z.object({
  id: idField<'agent'>(),
  /** A company's full name, or a person's. */
  realName: z.string(),
  /** The main account; null for an agent of an earlier version, which has none. */
  userId: z.nullable(idField<'user'>()),
  loginName: z.nullable(shown.name('userId')),
  phone: z.nullable(shown.phone('userId')),
  contact: z.string(),
  kind: z.enum(agentKinds),
  state: z.enum(agentStates),
  frozenAt: z.nullable(instantField),
  frozenReason: z.string(),
  /** The agent above; null for the platform, and where the caller does not see it. */
  parentId: z.nullable(idField<'agent'>()),
  parentName: z.nullable(z.string()),
  /** Agents directly below. */
  subordinates: z.int(),
  sharePercent: z.number(),
  stationCount: z.int(),
  /** Charges at its stations, and what they cost before discounts and refunds, whoever has the stations now. */
  useCount: z.int(),
  amountFen: fenField,
  /** What it earned of orders, less what refunds took back: what is unpaid, on the balance, on its way out and withdrawn. */
  incomeFen: fenField,
  /** Earned and not yet settled. */
  unpaidFen: fenField,
  /** Settled, free to withdraw. */
  balanceFen: fenField,
  /** What the agent can still pay recharges from. */
  prepaidFen: fenField,
  address: z.string(),
  subscribedOn: z.nullable(z.string()),
  creditCode: z.nullable(z.string()),
  positionId: z.nullable(idField<'position'>()),
  positionName: z.nullable(z.string()),
  /** Whether nobody has replaced the password that was shown when the agent was added or reset. */
  passwordIsInitial: z.nullable(z.boolean()),
  lastLoginAt: z.nullable(instantField),
  payoutKind: z.nullable(z.enum(payoutKinds)),
  payoutHolder: z.nullable(z.string()),
  payoutBank: z.nullable(z.string()),
  payoutBranch: z.nullable(z.string()),
  payoutBankCode: z.nullable(z.string()),
  payoutNumber: z.nullable(shown.card()),
  licenceFileId: z.nullable(idField<'file'>()),
  licenceUrl: z.nullable(z.string()),
  createdBy: z.nullable(z.string()),
  createdAt: instantField,
});
export type Agent = z.output<typeof agent>;

export const agentDetail = z.extend(agent, {
  siteCount: z.int(),
  portCount: z.int(),
  /** Everybody who may sign in for it. */
  staff: z.int(),
  /** Open sessions of its staff. */
  sessions: z.int(),
  /** Charges that run at its stations now. */
  runningCharges: z.int(),
  /** Its withdrawals that are not over: how many, and what is frozen for them. */
  openWithdrawals: z.int(),
  frozenFen: fenField,
});
export type AgentDetail = z.output<typeof agentDetail>;

export const listAgents = listRoute({
  name: 'listAgents',
  path: '/agents',
  summary: 'Agents within the caller’s data scope',
  permission: 'agent.read',
  sorts: ['createdAt', 'realName', 'lastLoginAt'],
  first: '-createdAt',
  filters: {
    realName: filter.text(),
    loginName: filter.text(32),
    phone: filter.phone(),
    state: filter.choice(agentStates),
    kind: filter.choice(agentKinds),
    /** The agents directly below this one. */
    parentId: filter.id('agent'),
  },
  item: agent,
  columns: columnsOf<Agent>()({
    realName: { kind: 'text', title: 'agents.realName' },
    loginName: { kind: 'number', title: 'agents.loginName' },
    phone: { kind: 'number', title: 'agents.phone' },
    state: { kind: 'choice', title: 'agents.state', words: 'agent-state' },
    kind: { kind: 'choice', title: 'agents.kind', words: 'agent-kind' },
    parentName: { kind: 'text', title: 'agents.parent', absent: 'agents.noParent' },
    subordinates: { kind: 'count', title: 'agents.subordinates' },
    sharePercent: { kind: 'percent', title: 'agents.share', hint: 'agents.shareHint' },
    stationCount: { kind: 'count', title: 'agents.stations', summed: true },
    useCount: { kind: 'count', title: 'agents.uses', hint: 'agents.usesHint', summed: true },
    amountFen: { kind: 'money', title: 'agents.amount', hint: 'agents.amountHint', summed: true },
    incomeFen: { kind: 'money', title: 'agents.income', hint: 'agents.incomeHint', summed: true },
    unpaidFen: { kind: 'money', title: 'agents.unpaid', hint: 'agents.unpaidHint' },
    balanceFen: { kind: 'money', title: 'agents.balance', hint: 'agents.balanceHint', summed: true },
    prepaidFen: { kind: 'money', title: 'agents.prepaid', hint: 'agents.prepaidHint' },
    positionName: { kind: 'text', title: 'agents.position' },
    passwordIsInitial: {
      kind: 'flag',
      title: 'agents.initialPassword',
      words: ['agents.passwordInitial', 'agents.passwordChanged'],
    },
    subscribedOn: { kind: 'day', title: 'agents.subscribedOn' },
    lastLoginAt: { kind: 'instant', title: 'agents.lastLogin', absent: 'agents.neverSignedIn' },
    address: { kind: 'text', title: 'agents.address' },
    contact: { kind: 'text', title: 'agents.contact' },
    creditCode: { kind: 'number', title: 'agents.creditCode' },
    frozenReason: { kind: 'text', title: 'agents.frozenReason' },
    createdBy: { kind: 'text', title: 'agents.createdBy' },
    createdAt: { kind: 'instant', title: 'agents.createdAt' },
  }),
});

export const findAgents = route({
  method: 'GET',
  path: '/agent-names',
  summary: 'Agents to choose from by name, for whoever sees records of agents',
  permission: ['agent.read', 'station.read', 'order.read', 'user.read', 'position.read'],
  query: z.object({ name: filter.text(), id: filter.id('agent') }),
  answer: z.object({ items: z.array(z.object({ id: idField<'agent'>(), name: z.string() })) }),
  errors: [],
});

export const getAgent = route({
  method: 'GET',
  path: '/agents/{id}',
  summary: 'One agent',
  permission: 'agent.read',
  params: z.object({ id: idParameter<'agent'>() }),
  answer: agentDetail,
  errors: [],
});

/** Days that one call covers. */
export const incomeDaysMax = 31;

const shareOfDay = z.object({
  /** In Shanghai. */
  day: z.string(),
  /** Orders that were shared, or whose shares changed by a refund or a late payment. */
  orders: z.int(),
  electricityFen: fenField,
  serviceFen: fenField,
  occupancyFen: fenField,
  amountFen: fenField,
});
export type ShareOfDay = z.output<typeof shareOfDay>;

export const getAgentIncome = route({
  method: 'GET',
  path: '/agents/{id}/income',
  summary: 'What an agent earned day by day, the latest first: up to 31 days before a day, or until today',
  permission: 'agent.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'agent'>() }),
  query: z.object({ before: z.optional(dayField) }),
  answer: z.object({
    days: z.array(shareOfDay),
    /** The day before which to ask for earlier ones; null where there are none. */
    before: z.nullable(z.string()),
  }),
  errors: [],
});

/** A bank account has at least its kind, holder, bank and number; that of a company its branch and bank code too. */
export const payout = {
  payoutKind: z.optional(z.nullable(z.enum(payoutKinds))),
  payoutHolder: z.optional(z.nullable(textField(64))),
  payoutBank: z.optional(z.nullable(textField(64))),
  payoutBranch: z.optional(z.nullable(textField(64))),
  payoutBankCode: z.optional(z.nullable(bankCodeField)),
  payoutNumber: z.optional(z.nullable(accountNumberField)),
};

export type PayoutForm = z.output<z.ZodMiniObject<typeof payout>>;

const optionalFields = {
  kind: z.optional(z.enum(agentKinds)),
  contact: z.optional(textField(32, 0)),
  address: z.optional(textField(200, 0)),
  creditCode: z.optional(z.nullable(creditCodeField)),
  subscribedOn: z.optional(z.nullable(dayField)),
  /** The agent above; without one, it is directly below the platform or, for an agent's people, below their agent. */
  parentId: z.optional(z.nullable(idField<'agent'>())),
  /** The position of the main account; otherwise the one that new installations have for agents. */
  positionId: z.optional(idField<'position'>()),
  licenceFileId: z.optional(z.nullable(idField<'file'>())),
  ...payout,
};

const ofTree = ['agent.too_deep', 'agent.circle', 'agent.positions_of_parent'] as const;
const ofAccount = ['user.name_taken', 'user.phone_taken', 'position.beyond_own'] as const;

export const createAgent = route({
  method: 'POST',
  path: '/agents',
  summary: 'Add an agent with its main account, whose initial password is shown once',
  permission: 'agent.edit',
  body: z.object({
    loginName: userNameField,
    realName: textField(64),
    phone: phoneField,
    /** Its part of the income of its stations; for an agent below another one, of the part of that agent. */
    sharePercent: percentField,
    ...optionalFields,
  }),
  answer: z.extend(agentDetail, { initialPassword: z.string() }),
  errors: ['agent.too_deep', 'agent.no_position', ...ofAccount],
});

export const changeAgent = route({
  method: 'PUT',
  path: '/agents/{id}',
  summary: 'Change an agent; a new share counts for orders that are settled from then on. Omitted fields stay',
  permission: 'agent.edit',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object({
    realName: z.optional(textField(64)),
    phone: z.optional(phoneField),
    sharePercent: z.optional(percentField),
    ...optionalFields,
  }),
  answer: agentDetail,
  errors: ['agent.own', 'payout_account.already_set', ...ofTree, ...ofAccount],
});

export const freezeAgent = route({
  method: 'POST',
  path: '/agents/{id}/freezes',
  summary: 'Freeze an agent: nobody signs in for it until it is unfrozen. Charging at its stations goes on',
  permission: 'agent.freeze',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object({ reason: linesField(200, 2) }),
  answer: agentDetail,
  errors: ['agent.own'],
});

export const unfreezeAgent = route({
  method: 'POST',
  path: '/agents/{id}/unfreezes',
  summary: 'Let the people of a frozen agent sign in again',
  permission: 'agent.freeze',
  params: z.object({ id: idParameter<'agent'>() }),
  answer: agentDetail,
  errors: ['agent.own', 'agent.frozen_by_platform'],
});

export const resetAgentPassword = route({
  method: 'POST',
  path: '/agents/{id}/password-resets',
  summary: 'Give the main account of an agent a new initial password, shown once; ends every session of it',
  permission: 'agent.reset_password',
  params: z.object({ id: idParameter<'agent'>() }),
  answer: z.object({ initialPassword: z.string() }),
  errors: ['agent.own', 'agent.no_account', 'position.beyond_own'],
});

export const deleteAgent = route({
  method: 'DELETE',
  path: '/agents/{id}',
  summary: 'Delete an agent that nothing belongs to and nobody has signed in for',
  permission: 'agent.delete',
  params: z.object({ id: idParameter<'agent'>() }),
  answer: nothing,
  errors: [
    'agent.own',
    'agent.has_stations',
    'agent.has_sites',
    'agent.has_subordinates',
    'agent.has_staff',
    'agent.has_records',
    'agent.was_used',
  ],
});

/** Sites and stations of one hand-over. */
export const handedSitesMax = 1_000;
export const handedStationsMax = 10_000;
/** Stations and sites that an answer names. */
export const handedShown = 100;

const handOver = {
  /** Null for the platform. */
  toAgentId: z.nullable(idField<'agent'>()),
  /** Everything that the agent has; otherwise what is named. */
  everything: z.optional(z.boolean()),
  /** With the agent's stations at these sites. */
  siteIds: z.optional(z.array(idField<'site'>()).check(z.maxLength(handedSitesMax))),
  /** Stations on their own; they stay at their site. */
  stationIds: z.optional(z.array(idField<'station'>()).check(z.maxLength(handedStationsMax))),
};

/** Why a station cannot be handed over. */
export const handOverRefusals = ['rule_of_agent'] as const;
export type HandOverRefusal = (typeof handOverRefusals)[number];

export const handOverPreview = z.object({
  /** What moves. */
  sites: z.int(),
  stations: z.int(),
  ports: z.int(),
  /** What stays: charges that run, which are settled for the agent that they began with. */
  runningCharges: z.int(),
  /** Stations of others at the handed sites. */
  stationsOfOthers: z.int(),
  /** Stations that move while their site stays. */
  withoutSite: z.int(),
  refusedCount: z.int(),
  /** The first ones by number. While there are any, nothing moves. */
  refused: z.array(z.object({ number: z.string(), ruleName: z.string(), because: z.enum(handOverRefusals) })),
});
export type HandOverPreview = z.output<typeof handOverPreview>;

const ofHandOver = ['agent.same', 'agent.nothing_to_hand', 'station.too_many'] as const;

export const previewHandOver = route({
  method: 'POST',
  path: '/agents/{id}/hand-over-previews',
  summary: 'What a hand-over would move and leave, without moving anything',
  permission: 'agent.hand_over',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object(handOver),
  answer: handOverPreview,
  errors: ofHandOver,
});

export const handOverAgent = route({
  method: 'POST',
  path: '/agents/{id}/hand-overs',
  summary: 'Hand sites and stations of an agent to another one or back to the platform: all of them or none',
  permission: 'agent.hand_over',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object({ ...handOver, reason: linesField(200, 2) }),
  answer: z.extend(handOverPreview, { handed: z.boolean() }),
  errors: ofHandOver,
});

export const agentRecharge = z.object({
  id: idField<'agent_recharge'>(),
  number: z.string(),
  agentId: idField<'agent'>(),
  agentName: z.string(),
  amountFen: fenField,
  balanceBeforeFen: fenField,
  balanceAfterFen: fenField,
  reason: z.string(),
  createdAt: instantField,
});
export type AgentRecharge = z.output<typeof agentRecharge>;

export const rechargeAgent = route({
  method: 'POST',
  path: '/agents/{id}/recharges',
  summary: "Fill an agent's prepaid account, which its own recharges are paid out of",
  permission: 'agent.recharge',
  params: z.object({ id: idParameter<'agent'>() }),
  body: z.object({ amountFen: fenFieldUpTo(agentRechargeFenMax), reason: linesField(200, 2) }),
  answer: orWaits(agentRecharge),
  errors: ['recharge.day_limit'],
  idempotency: 'required',
});
