import { groupFundings, groupMemberSources, groupMemberStates, groupStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import {
  fenField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  phoneField,
  shown,
  textField,
} from './fields.ts';
import { limitFields } from './groups.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

/** Bindings decided in one call. */
export const reviewsAtOnceMax = 100;

/** A binding of a registered user to a group. */
export const groupMember = z.object({
  id: idField<'group_member'>(),
  groupId: idField<'group'>(),
  groupName: z.string(),
  groupState: z.enum(groupStates),
  funding: z.enum(groupFundings),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  phone: shown.phone(),
  /** As the group calls them. */
  name: z.string(),
  /** Null while nobody has registered the phone. */
  customerId: z.nullable(idField<'customer'>()),
  state: z.enum(groupMemberStates),
  source: z.enum(groupMemberSources),
  /** What whoever decided wrote. */
  opinion: z.string(),
  /** Agreed to before anybody registered the phone: bound as soon as somebody does. */
  isAgreed: z.boolean(),
  reviewerName: z.nullable(z.string()),
  reviewedAt: z.nullable(instantField),
  /** The member's own limits; null where those of the group hold. */
  monthLimitFen: z.nullable(fenField),
  monthLimitCharges: z.nullable(z.int()),
  /** Those that hold; null without a limit. */
  limitFen: z.nullable(fenField),
  limitCharges: z.nullable(z.int()),
  /** This month in Asia/Shanghai: settled charges less refunds, and what running ones hold. */
  monthSpentFen: fenField,
  monthCharges: z.int(),
  /** Free money in the member's own pot. */
  potFen: fenField,
  /** What running charges hold of it. */
  potHeldFen: fenField,
  createdAt: instantField,
  releasedAt: z.nullable(instantField),
});
export type GroupMember = z.output<typeof groupMember>;

export const listGroupMembers = listRoute({
  name: 'listGroupMembers',
  path: '/group-bindings',
  summary: 'Bindings of registered users to groups',
  permission: 'group_member.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    groupId: filter.id('group'),
    phone: filter.phone(),
    name: filter.text(),
    state: filter.choice(groupMemberStates),
    source: filter.choice(groupMemberSources),
    agentId: filter.id('agent'),
    customerId: filter.id('customer'),
    from: filter.instant(),
    to: filter.instant(),
  },
  item: groupMember,
  columns: columnsOf<GroupMember>()({
    name: { kind: 'text', title: 'groupMembers.name' },
    phone: { kind: 'number', title: 'groupMembers.phone' },
    groupName: { kind: 'text', title: 'groupMembers.group' },
    state: { kind: 'choice', title: 'groupMembers.state', words: 'group-member-state' },
    opinion: { kind: 'text', title: 'groupMembers.opinion' },
    monthSpentFen: { kind: 'money', title: 'groupMembers.monthSpent', hint: 'groupMembers.monthSpentHint' },
    limitFen: { kind: 'money', title: 'groupMembers.limit', absent: 'groups.noLimit' },
    monthCharges: { kind: 'count', title: 'groupMembers.monthCharges' },
    limitCharges: { kind: 'count', title: 'groupMembers.limitCharges', absent: 'groups.noLimit' },
    potFen: { kind: 'money', title: 'groupMembers.pot', hint: 'groupMembers.potHint', summed: true },
    potHeldFen: { kind: 'money', title: 'groupMembers.potHeld' },
    source: { kind: 'choice', title: 'groupMembers.source', words: 'group-member-source' },
    reviewerName: { kind: 'text', title: 'groupMembers.reviewer' },
    reviewedAt: { kind: 'instant', title: 'groupMembers.reviewedAt' },
    agentName: { kind: 'text', title: 'groups.agent', absent: 'list.ofPlatform' },
    createdAt: { kind: 'instant', title: 'groupMembers.createdAt' },
    releasedAt: { kind: 'instant', title: 'groupMembers.releasedAt' },
  }),
});

const memberParams = z.object({ id: idParameter<'group_member'>() });

export const getGroupMember = route({
  method: 'GET',
  path: '/group-bindings/{id}',
  summary: 'One binding',
  permission: 'group_member.read',
  params: memberParams,
  answer: groupMember,
  errors: [],
});

export const createGroupMember = route({
  method: 'POST',
  path: '/group-bindings',
  summary: 'Name a user of a group by phone; it waits for a review, or for somebody to register the phone',
  permission: 'group_member.edit',
  body: z.object({
    groupId: idField<'group'>(),
    customerPhone: phoneField,
    name: z.optional(textField(32, 0)),
    ...limitFields,
  }),
  answer: groupMember,
  errors: ['group.disabled', 'group_member.named_already', 'group_member.bound_elsewhere', 'request.too_many'],
});

export const changeGroupMember = route({
  method: 'PATCH',
  path: '/group-bindings/{id}',
  summary: 'Change the name and the limits of a group user; null takes those of the group',
  permission: 'group_member.edit',
  params: memberParams,
  body: z.object({ name: z.optional(textField(32, 0)), ...limitFields }),
  answer: groupMember,
  errors: ['group_member.over'],
});

export const bindingDecisions = ['agree', 'refuse'] as const;
const review = {
  decision: z.enum(bindingDecisions),
  /** Required to refuse. */
  opinion: z.optional(linesField(200, 0)),
};

const reviewErrors = [
  'group_member.opinion_required',
  'group.disabled',
  'group_member.not_waiting',
  'group_member.bound_elsewhere',
] as const;

export const reviewGroupMember = route({
  method: 'POST',
  path: '/group-bindings/{id}/reviews',
  summary: 'Agree to a binding or refuse it',
  permission: 'group_member.review',
  params: memberParams,
  body: z.object(review),
  answer: groupMember,
  errors: reviewErrors,
});

export const reviewGroupMembers = route({
  method: 'POST',
  path: '/group-bindings/reviews',
  summary: 'Decide several bindings, all of them or none',
  permission: 'group_member.review',
  body: z.object({
    ids: z.array(idField<'group_member'>()).check(z.minLength(1), z.maxLength(reviewsAtOnceMax)),
    ...review,
  }),
  answer: z.object({ decided: z.int() }),
  errors: reviewErrors,
});

export const releaseGroupMember = route({
  method: 'POST',
  path: '/group-bindings/{id}/releases',
  summary: 'Unbind a user; what is left in the pot goes back to the group, after a running charge has ended',
  permission: 'group_member.release',
  params: memberParams,
  answer: groupMember,
  errors: ['group_member.over'],
});
