import * as z from 'zod/mini';
import { payout, payoutKinds } from './agents.ts';
import {
  dayField,
  fenField,
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

/** Sites and stations that one request adds terms at. */
export const termPlacesMax = 500;

export const divider = z.object({
  id: idField<'divider'>(),
  name: z.string(),
  /** The agent whose remainder it gets a part of; null for the platform's. It never changes. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  phone: z.nullable(shown.phone('userId')),
  enabled: z.boolean(),
  enteredOn: z.string(),
  /** Terms in force now, and those still to come. */
  termsInForce: z.int(),
  termsToCome: z.int(),
  /** The lowest and the highest rate of its terms in force, such as "10 %" or "5–12.5 %"; null without any. */
  electricityRates: z.nullable(z.string()),
  serviceRates: z.nullable(z.string()),
  occupancyRates: z.nullable(z.string()),
  /** Everything it ever got, corrections counted, whether it is unpaid, on its balance, being withdrawn or withdrawn. */
  incomeFen: fenField,
  /** Of it, what is in periods that are not paid out yet. */
  unpaidFen: fenField,
  /** Paid out by its periods and not withdrawn yet. */
  balanceFen: fenField,
  /** Its own account; null for a divider who does not sign in. */
  userId: z.nullable(idField<'user'>()),
  loginName: z.nullable(shown.name('userId')),
  /** Whether nobody has replaced the password that was shown with the account. */
  passwordIsInitial: z.nullable(z.boolean()),
  lastLoginAt: z.nullable(instantField),
  /** Where it is paid what it withdraws. */
  payoutKind: z.nullable(z.enum(payoutKinds)),
  payoutHolder: z.nullable(z.string()),
  payoutBank: z.nullable(z.string()),
  payoutBranch: z.nullable(z.string()),
  payoutBankCode: z.nullable(z.string()),
  payoutNumber: z.nullable(shown.card()),
  remark: z.string(),
  createdBy: z.nullable(z.string()),
  createdAt: instantField,
});
export type Divider = z.output<typeof divider>;

export const listDividers = listRoute({
  name: 'listDividers',
  path: '/dividers',
  summary: 'Dividers within the caller’s data scope, with what they got',
  permission: 'divider.read',
  sorts: ['enteredOn', 'name'],
  first: '-enteredOn',
  filters: {
    name: filter.text(),
    phone: filter.phone(),
    agentId: filter.id('agent'),
    /** With terms in force or to come that hold there, those for every station of their holder included. */
    siteId: filter.id('site'),
    stationId: filter.id('station'),
    enabled: filter.flag(),
    /** Entered on these days. */
    from: filter.instant(),
    to: filter.instant(),
  },
  item: divider,
  columns: columnsOf<Divider>()({
    name: { kind: 'text', title: 'dividers.name' },
    agentName: { kind: 'text', title: 'dividers.holder', absent: 'list.ofPlatform' },
    phone: { kind: 'number', title: 'dividers.phone' },
    enabled: { kind: 'flag', title: 'dividers.state', words: ['station-state.enabled', 'station-state.disabled'] },
    electricityRates: { kind: 'text', title: 'dividers.electricity', group: 'dividers.rates' },
    serviceRates: { kind: 'text', title: 'dividers.service', group: 'dividers.rates' },
    occupancyRates: { kind: 'text', title: 'dividers.occupancy', group: 'dividers.rates' },
    termsInForce: { kind: 'count', title: 'dividers.termsInForce' },
    termsToCome: { kind: 'count', title: 'dividers.termsToCome' },
    enteredOn: { kind: 'day', title: 'dividers.enteredOn' },
    incomeFen: { kind: 'money', title: 'dividers.incomeSoFar', summed: true },
    unpaidFen: { kind: 'money', title: 'dividers.unpaid', hint: 'dividers.unpaidHint', summed: true },
    balanceFen: { kind: 'money', title: 'dividers.balance', hint: 'dividers.balanceHint', summed: true },
    loginName: { kind: 'number', title: 'dividers.loginName', absent: 'dividers.noAccount' },
    passwordIsInitial: {
      kind: 'flag',
      title: 'dividers.initialPassword',
      words: ['dividers.passwordInitial', 'dividers.passwordChanged'],
    },
    lastLoginAt: { kind: 'instant', title: 'dividers.lastLogin' },
    remark: { kind: 'text', title: 'dividers.remark' },
    createdBy: { kind: 'text', title: 'dividers.createdBy' },
    createdAt: { kind: 'instant', title: 'dividers.createdAt' },
  }),
});

const dividerParams = z.object({ id: idParameter<'divider'>() });

export const getDivider = route({
  method: 'GET',
  path: '/dividers/{id}',
  summary: 'One divider',
  permission: 'divider.read',
  params: dividerParams,
  answer: divider,
  errors: [],
});

const optionalFields = {
  phone: z.optional(z.nullable(phoneField)),
  /** Today if omitted. */
  enteredOn: z.optional(z.nullable(dayField)),
  remark: z.optional(linesField(200, 0)),
  ...payout,
};
const ofAccount = ['divider.no_position', 'user.name_taken', 'user.phone_taken', 'position.beyond_own'] as const;
const initialPassword = z.nullable(z.string());

export const createDivider = route({
  method: 'POST',
  path: '/dividers',
  summary: 'Add a divider; with a login name it gets an account, whose initial password is shown once',
  permission: 'divider.edit',
  body: z.object({
    name: textField(64),
    /** The holder; without one the caller’s own agent, or the platform. */
    agentId: z.optional(z.nullable(idField<'agent'>())),
    ...optionalFields,
    loginName: z.optional(z.nullable(userNameField)),
  }),
  answer: z.extend(divider, { initialPassword }),
  errors: ofAccount,
  idempotency: 'required',
});

export const changeDivider = route({
  method: 'PUT',
  path: '/dividers/{id}',
  summary: 'Change a divider; its holder enters a first payout account, the platform changes one. Omitted fields stay',
  permission: 'divider.edit',
  params: dividerParams,
  body: z.object({ name: z.optional(textField(64)), ...optionalFields }),
  answer: divider,
  errors: ['user.phone_taken', 'payout_account.already_set', 'position.beyond_own'],
});

export const openDividerAccount = route({
  method: 'POST',
  path: '/dividers/{id}/accounts',
  summary: 'Give a divider an account of its own, whose initial password is shown once',
  permission: 'divider.edit',
  params: dividerParams,
  body: z.object({ loginName: userNameField }),
  answer: z.extend(divider, { initialPassword }),
  errors: ['divider.has_account', ...ofAccount],
});

export const enableDivider = route({
  method: 'PUT',
  path: '/dividers/{id}/enabled',
  summary: 'Enable or disable a divider. A disabled one does not sign in and gets no new terms',
  permission: 'divider.edit',
  params: dividerParams,
  body: z.object({
    enabled: z.boolean(),
    /** Also ends its terms now and takes back those to come; otherwise they go on. */
    endTerms: z.optional(z.boolean()),
  }),
  answer: divider,
  errors: [],
});

export const resetDividerPassword = route({
  method: 'POST',
  path: '/dividers/{id}/password-resets',
  summary: 'Give the account of a divider a new initial password, shown once; ends every session of it',
  permission: 'divider.reset_password',
  params: dividerParams,
  answer: z.object({ initialPassword: z.string() }),
  errors: ['divider.no_account', 'position.beyond_own'],
});

export const deleteDivider = route({
  method: 'DELETE',
  path: '/dividers/{id}',
  summary: 'Delete a divider that never had terms in force or money, and for whom nobody has signed in',
  permission: 'divider.delete',
  params: dividerParams,
  answer: nothing,
  errors: ['divider.has_terms', 'divider.has_records', 'divider.was_used'],
});

/** Days back to which terms that were agreed in time and entered late may begin. */
export const termsBackDaysMax = 366;

/** Where terms hold: at every station of the holder, at those of a site, or at one station. */
export const termPlaceKinds = ['everywhere', 'site', 'station'] as const;
export type TermPlaceKind = (typeof termPlaceKinds)[number];
export const termStates = ['to_come', 'in_force', 'over'] as const;
export type TermState = (typeof termStates)[number];

const rates = { electricityPercent: z.number(), servicePercent: z.number(), occupancyPercent: z.number() };

export const dividerTerm = z.object({
  id: idField<'divider_term'>(),
  dividerId: idField<'divider'>(),
  dividerName: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  place: z.enum(termPlaceKinds),
  /** The site of the terms, or where their station stands. */
  siteId: z.nullable(idField<'site'>()),
  siteName: z.nullable(z.string()),
  stationId: z.nullable(idField<'station'>()),
  stationName: z.nullable(z.string()),
  stationNumber: z.nullable(z.string()),
  ...rates,
  state: z.enum(termStates),
  /** From this instant up to `to`; without one they go on. An order belongs to the terms of the instant it ended. */
  from: instantField,
  to: z.nullable(instantField),
  createdBy: z.nullable(z.string()),
  createdAt: instantField,
  /** Who set the end, where that was not known from the beginning. */
  endedBy: z.nullable(z.string()),
  endedAt: z.nullable(instantField),
});
export type DividerTerm = z.output<typeof dividerTerm>;

export const listDividerTerms = listRoute({
  name: 'listDividerTerms',
  path: '/divider-terms',
  summary: 'Terms of dividers: who gets how much, where and when, those that are over included',
  permission: 'divider.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    dividerId: filter.id('divider'),
    agentId: filter.id('agent'),
    siteId: filter.id('site'),
    stationId: filter.id('station'),
    state: filter.choice(termStates),
  },
  item: dividerTerm,
  columns: columnsOf<DividerTerm>()({
    dividerName: { kind: 'text', title: 'dividers.divider' },
    agentName: { kind: 'text', title: 'dividers.holder', absent: 'list.ofPlatform' },
    place: { kind: 'choice', title: 'dividers.place', words: 'term-place' },
    siteName: { kind: 'text', title: 'dividers.site', absent: 'dividers.allSites' },
    stationName: { kind: 'text', title: 'dividers.station', absent: 'dividers.allStations' },
    stationNumber: { kind: 'number', title: 'dividers.stationNumber' },
    electricityPercent: { kind: 'percent', title: 'dividers.electricity', group: 'dividers.rates' },
    servicePercent: { kind: 'percent', title: 'dividers.service', group: 'dividers.rates' },
    occupancyPercent: { kind: 'percent', title: 'dividers.occupancy', group: 'dividers.rates' },
    state: { kind: 'choice', title: 'dividers.state', words: 'term-state' },
    from: { kind: 'instant', title: 'dividers.from' },
    to: { kind: 'instant', title: 'dividers.to', absent: 'dividers.forEver' },
    createdBy: { kind: 'text', title: 'dividers.createdBy' },
    createdAt: { kind: 'instant', title: 'dividers.createdAt' },
    endedBy: { kind: 'text', title: 'dividers.endedBy' },
    endedAt: { kind: 'instant', title: 'dividers.endedAt' },
  }),
});

const percents = { electricityPercent: percentField, servicePercent: percentField, occupancyPercent: percentField };
const validity = {
  /**
   * The first day; from now on if omitted. It may be past where terms are added: orders that are settled keep their
   * shares until they are corrected.
   */
  fromOn: z.optional(z.nullable(dayField)),
  /** The last day; without one they go on. */
  lastOn: z.optional(z.nullable(dayField)),
};
const ofTerms = ['divider.no_room', 'divider.same_terms', 'divider.nothing_shared', 'divider.disabled'] as const;

export const addDividerTerms = route({
  method: 'POST',
  path: '/dividers/{id}/terms',
  summary: 'Add terms of a divider at one place; the same ones that it has there already are refused',
  permission: 'divider.terms',
  params: dividerParams,
  body: z.object({
    /** Every station of the holder unless one of them is given. */
    siteId: z.optional(z.nullable(idField<'site'>())),
    stationId: z.optional(z.nullable(idField<'station'>())),
    ...percents,
    ...validity,
  }),
  answer: dividerTerm,
  errors: ofTerms,
  idempotency: 'required',
});

export const addDividerTermsAtSites = route({
  method: 'POST',
  path: '/dividers/{id}/term-batches',
  summary: 'Add the same terms of a divider at many sites: each where there is room, with the reason where not',
  permission: 'divider.terms',
  params: dividerParams,
  body: z.object({
    siteIds: z.array(idField<'site'>()).check(z.minLength(1), z.maxLength(termPlacesMax)),
    ...percents,
    ...validity,
  }),
  answer: z.object({
    added: z.int(),
    results: z.array(
      z.object({
        siteId: idField<'site'>(),
        /** Null for a site that the caller does not see. */
        siteName: z.nullable(z.string()),
        termId: z.nullable(idField<'divider_term'>()),
        /** Why nothing was added, in the caller’s language. */
        because: z.nullable(z.string()),
      }),
    ),
  }),
  errors: ['divider.nothing_shared', 'divider.disabled'],
  idempotency: 'required',
});

const termParams = z.object({ id: idParameter<'divider_term'>() });

export const followDividerTerms = route({
  method: 'POST',
  path: '/divider-terms/{id}/successors',
  summary: 'End terms and follow them by others at the same place, without a gap',
  permission: 'divider.terms',
  params: termParams,
  body: z.object({ ...percents, ...validity }),
  answer: dividerTerm,
  errors: [...ofTerms, 'divider.terms_over', 'divider.terms_to_come', 'divider.terms_end_earlier'],
});

export const endDividerTerms = route({
  method: 'POST',
  path: '/divider-terms/{id}/endings',
  summary: 'End terms: now, or after their last day',
  permission: 'divider.terms',
  params: termParams,
  body: z.object({ lastOn: z.optional(z.nullable(dayField)) }),
  answer: dividerTerm,
  errors: ['divider.terms_over', 'divider.terms_to_come', 'divider.terms_end_earlier'],
});

export const deleteDividerTerms = route({
  method: 'DELETE',
  path: '/divider-terms/{id}',
  summary: 'Take back terms that are still to come',
  permission: 'divider.terms',
  params: termParams,
  answer: nothing,
  errors: ['divider.terms_begun'],
});

/** Who gets how much of what a holder has left at one place, as an order there would be divided. */
export const dividedPlace = z.object({
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  dividers: z.array(z.object({ id: idField<'divider'>(), name: z.string(), ...rates })),
  /** The holder’s own part at that instant. */
  remainder: z.object(rates),
  /** The smallest remainder until the last day, there and at every narrower place: what new terms may have. */
  left: z.object(rates),
});
export type DividedPlace = z.output<typeof dividedPlace>;

export const getDividedPlace = route({
  method: 'GET',
  path: '/dividers/{id}/divided-places',
  summary: 'How a place is divided among the dividers of the same holder, and what is left for new terms',
  permission: 'divider.read',
  params: dividerParams,
  query: z.object({
    siteId: filter.id('site'),
    stationId: filter.id('station'),
    /** Now if omitted. */
    fromOn: z.optional(dayField),
    lastOn: z.optional(dayField),
  }),
  answer: dividedPlace,
  errors: [],
});
