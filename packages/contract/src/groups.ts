import { hoursOfDayText, parseHoursOfDay } from '@voltdeck/charging/hours-of-day';
import { groupFundings, groupStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { orWaits, waitingAct } from './approvals.ts';
import {
  cardNumberField,
  fenField,
  fenFieldUpTo,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  nothing,
  shown,
  textField,
} from './fields.ts';
import { emailField, taxNumberField } from './invoices.ts';
import { columnsOf, listRoute } from './list.ts';
import { recharge, rechargeFenMax } from './payments.ts';
import { route } from './route.ts';

/** Sites that a group may be limited to. */
export const groupSitesMax = 500;
/** Members whose pots one act fills or empties. */
export const membersAtOnceMax = 1_000;
/** Charges of one member in a month, as a limit. */
export const monthChargesMax = 1_000;

export const group = z.object({
  id: idField<'group'>(),
  name: z.string(),
  contact: z.string(),
  contactPhone: shown.phone(),
  cardNumber: shown.card(),
  state: z.enum(groupStates),
  funding: z.enum(groupFundings),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  /** What can be spent of the group's own balance, without the pots of its members. */
  balanceFen: fenField,
  /** What running charges hold of it. */
  heldFen: fenField,
  /** What its members have in their pots, free and held. */
  potsFen: fenField,
  /** What earlier orders left owing. */
  owedFen: fenField,
  /** Everything that was paid in, less what was refunded or reversed. */
  rechargedFen: fenField,
  boundCount: z.int(),
  waitingCount: z.int(),
  /** What one member may spend in a month of Asia/Shanghai, and how often charge; null without a limit. */
  monthLimitFen: z.nullable(fenField),
  monthLimitCharges: z.nullable(z.int()),
  /** Where its members may charge. */
  sites: z.array(z.object({ id: idField<'site'>(), name: z.string() })),
  /** Everywhere; otherwise at `sites` alone. */
  allSites: z.boolean(),
  /** When charges may begin, "08:00-20:00, 22:00-06:00"; empty for always. */
  hours: z.string(),
  /** Who its invoices are for; empty for the group's name. */
  title: z.string(),
  taxNumber: z.string(),
  titleAddress: z.string(),
  titlePhone: z.string(),
  bank: z.string(),
  bankAccount: shown.card(),
  email: shown.email(),
  remark: z.string(),
  createdAt: instantField,
  /** What waits for a second person. */
  waits: z.array(waitingAct),
});
export type Group = z.output<typeof group>;

export const listGroups = listRoute({
  name: 'listGroups',
  path: '/groups',
  summary: 'Groups within the caller’s data scope',
  permission: 'group.read',
  sorts: ['createdAt', 'name'],
  first: '-createdAt',
  filters: {
    name: filter.text(),
    contact: filter.text(),
    contactPhone: filter.phone(),
    cardNumber: filter.card(),
    state: filter.choice(groupStates),
    funding: filter.choice(groupFundings),
    agentId: filter.id('agent'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: group,
  columns: columnsOf<Group>()({
    name: { kind: 'text', title: 'groups.name' },
    contact: { kind: 'text', title: 'groups.contact' },
    contactPhone: { kind: 'number', title: 'groups.contactPhone' },
    cardNumber: { kind: 'number', title: 'groups.cardNumber' },
    state: { kind: 'choice', title: 'groups.state', words: 'group-state' },
    balanceFen: { kind: 'money', title: 'groups.balance', hint: 'groups.balanceHint', summed: true },
    rechargedFen: { kind: 'money', title: 'groups.recharged', hint: 'groups.rechargedHint' },
    boundCount: { kind: 'count', title: 'groups.boundCount' },
    waitingCount: { kind: 'count', title: 'groups.waitingCount' },
    funding: { kind: 'choice', title: 'groups.funding', words: 'group-funding' },
    potsFen: { kind: 'money', title: 'groups.pots', hint: 'groups.potsHint' },
    heldFen: { kind: 'money', title: 'groups.held' },
    owedFen: { kind: 'money', title: 'groups.owed' },
    monthLimitFen: { kind: 'money', title: 'groups.monthLimit', absent: 'groups.noLimit' },
    monthLimitCharges: { kind: 'count', title: 'groups.monthLimitCharges', absent: 'groups.noLimit' },
    sites: {
      kind: 'text',
      title: 'groups.sites',
      absent: 'groups.allSites',
      of: ({ sites, allSites }) => (allSites ? null : sites.map(({ name }) => name).join(', ')),
    },
    hours: {
      kind: 'text',
      title: 'groups.hours',
      absent: 'groups.always',
      of: ({ hours }) => (hours === '' ? null : hours),
    },
    agentName: { kind: 'text', title: 'groups.agent', absent: 'list.ofPlatform' },
    title: { kind: 'text', title: 'groups.title' },
    taxNumber: { kind: 'text', title: 'groups.taxNumber' },
    remark: { kind: 'text', title: 'groups.remark' },
    createdAt: { kind: 'instant', title: 'groups.createdAt' },
    waits: { kind: 'number', title: 'list.waits', of: ({ waits }) => waits[0]?.number ?? null },
  }),
});

const groupParams = z.object({ id: idParameter<'group'>() });

export const getGroup = route({
  method: 'GET',
  path: '/groups/{id}',
  summary: 'One group',
  permission: 'group.read',
  params: groupParams,
  answer: group,
  errors: [],
});

/** Parts of the day, written in one way. */
const hoursField = z.string().check(
  z.trim(),
  z.maxLength(200),
  z.refine((text) => parseHoursOfDay(text) !== null, { error: 'hours_format', abort: true }),
  z.overwrite((text) => hoursOfDayText(parseHoursOfDay(text) ?? [])),
);

export const limitFields = {
  monthLimitFen: z.optional(z.nullable(fenFieldUpTo(rechargeFenMax))),
  monthLimitCharges: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(monthChargesMax)))),
};

/** A mobile or a landline number. */
const contactPhoneField = z.string().check(z.trim(), z.regex(/^\+?\d[\d -]{4,18}\d$/, 'bad_format'));

const furtherFields = {
  funding: z.optional(z.enum(groupFundings)),
  ...limitFields,
  /** Everywhere for none. */
  siteIds: z.optional(z.array(idField<'site'>()).check(z.maxLength(groupSitesMax))),
  hours: z.optional(hoursField),
  title: z.optional(textField(100, 0)),
  taxNumber: z.optional(z.union([z.literal(''), taxNumberField])),
  titleAddress: z.optional(textField(200, 0)),
  titlePhone: z.optional(textField(20, 0)),
  bank: z.optional(textField(100, 0)),
  bankAccount: z.optional(textField(50, 0)),
  email: z.optional(z.union([z.literal(''), emailField])),
  remark: z.optional(linesField(200, 0)),
};

export const createGroup = route({
  method: 'POST',
  path: '/groups',
  summary: 'Add a group whose members charge at its expense',
  permission: 'group.edit',
  body: z.object({
    name: textField(64),
    contact: textField(32),
    contactPhone: contactPhoneField,
    /** Made up when omitted. */
    cardNumber: z.optional(cardNumberField),
    /** The caller’s own agent when omitted, or the platform. */
    agentId: z.optional(z.nullable(idField<'agent'>())),
    ...furtherFields,
  }),
  answer: group,
  errors: ['card.number_taken'],
});

export const changeGroup = route({
  method: 'PATCH',
  path: '/groups/{id}',
  summary: 'Change a group; what is left out stays',
  permission: 'group.edit',
  params: groupParams,
  body: z.object({
    name: z.optional(textField(64)),
    contact: z.optional(textField(32)),
    contactPhone: z.optional(contactPhoneField),
    ...furtherFields,
  }),
  answer: group,
  errors: ['group.has_pots'],
});

export const enableGroup = route({
  method: 'PUT',
  path: '/groups/{id}/enabled',
  summary: 'Enable or disable a group; one with bound customers cannot be disabled',
  permission: 'group.block',
  params: groupParams,
  body: z.object({ enabled: z.boolean() }),
  answer: group,
  errors: ['group.has_members', 'group.has_waiting'],
});

export const deleteGroup = route({
  method: 'DELETE',
  path: '/groups/{id}',
  summary: 'Delete a group that was never used',
  permission: 'group.delete',
  params: groupParams,
  answer: nothing,
  errors: ['group.has_records'],
});

export const rechargeGroup = route({
  method: 'POST',
  path: '/groups/{id}/recharges',
  summary: 'Put money on a group; an agent pays out of its prepaid account',
  permission: 'recharge.create',
  params: groupParams,
  body: z.object({
    amountFen: fenFieldUpTo(rechargeFenMax),
    /** Given beside it; needs a permission of its own. */
    giftFen: z.optional(fenFieldUpTo(rechargeFenMax)),
    remark: z.optional(linesField(200, 0)),
  }),
  answer: orWaits(recharge),
  errors: ['group.disabled', 'agent.prepaid_too_low', 'recharge.day_limit'],
  idempotency: 'required',
});

/** `each`: as much to everybody; `fill`: up to as much in everybody's pot. */
export const allocationWays = ['each', 'fill'] as const;

const memberIdsField = z.optional(
  z.array(idField<'group_member'>()).check(z.minLength(1), z.maxLength(membersAtOnceMax)),
);
/** What an allocation moved; a number stands on each of its movements. */
const allocated = z.object({ number: z.string(), members: z.int(), amountFen: fenField });

export const allocateToMembers = route({
  method: 'POST',
  path: '/groups/{id}/allocations',
  summary: 'Fill the pots of members from the balance of their group: all of them, or none where it does not suffice',
  permission: 'group.allocate',
  params: groupParams,
  body: z.object({
    amountFen: fenFieldUpTo(rechargeFenMax),
    /** `each` when omitted. */
    way: z.optional(z.enum(allocationWays)),
    /** All bound members when omitted. */
    memberIds: memberIdsField,
    remark: z.optional(linesField(200, 0)),
  }),
  answer: allocated,
  errors: [
    'group.disabled',
    'group.is_shared',
    'group.no_members',
    'group.balance',
    'group.nothing_to_move',
    'group.too_many_members',
  ],
  idempotency: 'required',
});

export const takeBackFromMembers = route({
  method: 'POST',
  path: '/groups/{id}/take-backs',
  summary: 'Take money out of the pots of members back to their group; what running charges hold stays',
  permission: 'group.allocate',
  params: groupParams,
  body: z.object({
    /** From each, as far as it is there; everything when omitted. */
    amountFen: z.optional(fenFieldUpTo(rechargeFenMax)),
    /** All bound members when omitted. */
    memberIds: memberIdsField,
    remark: z.optional(linesField(200, 0)),
  }),
  answer: allocated,
  errors: ['group.no_members', 'group.nothing_to_move', 'group.too_many_members'],
  idempotency: 'required',
});

/** A month of Asia/Shanghai, "2026-11". */
export const monthField = z.string().check(z.regex(/^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/, 'bad_format'));
export const statementFormats = ['xlsx', 'pdf'] as const;

export const getGroupStatement = route({
  method: 'GET',
  path: '/groups/{id}/statements/{month}',
  summary: 'The month of a group as a workbook or a PDF: balances, recharges, orders of each member and refunds',
  permission: 'group.read',
  params: z.object({ id: idParameter<'group'>(), month: monthField }),
  query: z.object({ format: z._default(z.enum(statementFormats), 'xlsx') }),
  answer: z.unknown(),
  answerKind: 'file',
  readsMuch: 'always',
  errors: [],
});
