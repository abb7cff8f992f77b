import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, linesField, phoneField, shown } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

export const feedbackKinds = [
  'cannot_start',
  'connector_broken',
  'slow',
  'bay_occupied',
  'billing',
  'suggestion',
  'other',
] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];
export const feedbackStates = ['waiting', 'handled', 'ignored'] as const;
export type FeedbackState = (typeof feedbackStates)[number];

export const feedback = z.object({
  id: idField<'feedback'>(),
  kind: z.enum(feedbackKinds),
  state: z.enum(feedbackStates),
  description: z.string(),
  phone: shown.phone(),
  customerId: z.nullable(idField<'customer'>()),
  nickname: z.nullable(z.string()),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  stationId: z.nullable(idField<'station'>()),
  stationNumber: z.string(),
  pictureUrls: z.array(z.string()),
  annotation: z.string(),
  reply: z.string(),
  handledByName: z.nullable(z.string()),
  handledAt: z.nullable(instantField),
  createdAt: instantField,
});
export type Feedback = z.output<typeof feedback>;

export const listFeedbacks = listRoute({
  name: 'listFeedbacks',
  path: '/feedbacks',
  summary: 'Feedback from riders and drivers',
  permission: 'feedback.read',
  sorts: ['createdAt'],
  first: '-createdAt',
  filters: {
    kind: filter.choice(feedbackKinds),
    state: filter.choice(feedbackStates),
    from: filter.instant(),
    to: filter.instant(),
    phone: filter.phone(),
    stationNumber: filter.text(48),
    agentId: filter.id('agent'),
  },
  item: feedback,
  columns: columnsOf<Feedback>()({
    description: { kind: 'text', title: 'content.description' },
    id: { kind: 'number', title: 'content.feedbackId', of: ({ id }) => String(id) },
    kind: { kind: 'choice', title: 'content.feedbackKind', words: 'feedback-kind' },
    state: { kind: 'choice', title: 'content.feedbackState', words: 'feedback-state' },
    createdAt: { kind: 'instant', title: 'content.feedbackAt' },
    stationNumber: { kind: 'number', title: 'content.stationNumber' },
    nickname: { kind: 'text', title: 'content.customer' },
    phone: { kind: 'number', title: 'content.phone' },
    agentName: { kind: 'text', title: 'content.agent', absent: 'list.ofPlatform' },
    pictureUrls: { kind: 'count', title: 'content.pictures', of: ({ pictureUrls }) => pictureUrls.length },
    handledByName: { kind: 'text', title: 'content.handledBy' },
    handledAt: { kind: 'instant', title: 'content.handledAt' },
    annotation: { kind: 'text', title: 'content.annotation' },
    reply: { kind: 'text', title: 'content.reply' },
  }),
});

export const getFeedback = route({
  method: 'GET',
  path: '/feedbacks/{id}',
  summary: 'One feedback',
  permission: 'feedback.read',
  params: z.object({ id: idParameter<'feedback'>() }),
  answer: feedback,
  errors: [],
});

export const createFeedback = route({
  method: 'POST',
  path: '/feedbacks',
  summary: 'Record a feedback, as an app or the hotline does',
  permission: 'feedback.create',
  body: z.object({
    kind: z.enum(feedbackKinds),
    description: linesField(1_000),
    phone: z.optional(phoneField),
    stationNumber: z.optional(z.string().check(z.trim(), z.maxLength(48))),
    pictureKeys: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(9))),
  }),
  answer: feedback,
  errors: [],
});

/** All or nothing: if one of them has been handled in the meantime, none is changed. */
export const handleFeedbacks = route({
  method: 'POST',
  path: '/feedbacks/handlings',
  summary: 'Handle or ignore feedback, one or many',
  permission: 'feedback.handle',
  body: z.object({
    ids: z.array(idField<'feedback'>()).check(z.minLength(1), z.maxLength(100)),
    outcome: z.enum(['handled', 'ignored']),
    annotation: linesField(500),
    reply: z.optional(z.string().check(z.trim(), z.maxLength(256))),
  }),
  answer: z.object({ handled: z.int() }),
  errors: ['feedback.already_handled'],
});
