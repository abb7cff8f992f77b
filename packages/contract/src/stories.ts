import { refusals } from '@voltdeck/charging/abilities';
import { storyKinds, storyNowKinds, storySources, storyWeights } from '@voltdeck/charging/story/story-kinds';
import * as z from 'zod/mini';
import { idField, idParameter, instantField, shown } from './fields.ts';
import { route } from './route.ts';

/** Where a sentence or an act of a story leads. */
const storyLink = z.discriminatedUnion('to', [
  z.object({ to: z.literal('order'), id: idField<'order'>() }),
  z.object({ to: z.literal('order-story'), id: idField<'order'>() }),
  z.object({ to: z.literal('station'), id: idField<'station'>() }),
  z.object({ to: z.literal('customer'), id: idField<'customer'>() }),
  /** `key` of an exchange in the interaction log, within its minute. */
  z.object({
    to: z.literal('frame'),
    stationNumber: z.string(),
    key: z.string(),
    from: instantField,
    until: instantField,
  }),
  /** All frames of a station in a stretch of time. */
  z.object({ to: z.literal('frames'), stationNumber: z.string(), from: instantField, until: instantField }),
  z.object({ to: z.literal('approval'), number: z.string() }),
  z.object({ to: z.literal('invoice'), id: idField<'invoice'>() }),
  z.object({ to: z.literal('recharge'), customerId: idField<'customer'>() }),
]);
export type StoryLink = z.output<typeof storyLink>;

/** Figures and names by name; the unit stands last. */
const params = shown.fields(z.record(z.string(), z.nullable(z.union([z.string(), z.number()]))));

export const storyEntry = z.object({
  at: instantField,
  /** The end of what lasted. */
  until: z.nullable(instantField),
  /** The sentence that tells it, by its phrase. */
  kind: z.enum(storyKinds),
  params,
  weight: z.enum(storyWeights),
  of: z.enum(storySources),
  link: z.nullable(storyLink),
});
export type StoryEntry = z.output<typeof storyEntry>;

/** What can be done about the record of a story. */
export const storyActs = [
  'accept',
  'stop',
  'cancel',
  'settle',
  'collect',
  'refund',
  'dismiss',
  'station',
  'log',
  'command',
  'enable',
  'disable',
  'customer',
  'recharge',
] as const;
export type StoryAct = (typeof storyActs)[number];

export const storySubjects = ['order', 'station', 'customer'] as const;
export type StorySubject = (typeof storySubjects)[number];

/** What happened to a record, oldest first, with what holds now and what can be done. */
export const story = z.object({
  subject: z.object({ kind: z.enum(storySubjects), id: z.int(), name: z.string() }),
  from: instantField,
  to: instantField,
  /** The period asked for was longer than a story covers: it begins later. */
  isShortened: z.boolean(),
  /** What holds at this moment; the first is the answer. */
  now: z.array(z.object({ kind: z.enum(storyNowKinds), params })),
  acts: z.array(
    z.object({
      act: z.enum(storyActs),
      /** Why not now; null where it can be done. */
      because: z.nullable(z.enum(refusals)),
      link: storyLink,
    }),
  ),
  entries: z.array(storyEntry),
  /** Sources that the caller may not read. */
  leftOut: z.array(z.enum(storySources)),
  /** Sources with more than a story tells; the oldest entries are missing. */
  cut: z.array(z.object({ of: z.enum(storySources), shown: z.int(), more: z.int(), isAtLeast: z.boolean() })),
});
export type Story = z.output<typeof story>;

const period = { from: z.optional(instantField), to: z.optional(instantField) };

export const getOrderStory = route({
  method: 'GET',
  path: '/orders/{id}/story',
  summary: 'What happened to an order, from frames to postings, and what can be done now',
  permission: 'order.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'order'>() }),
  answer: story,
  errors: [],
});

export const getStationStory = route({
  method: 'GET',
  path: '/stations/{id}/story',
  summary: 'What happened at a station, the last six hours unless a period is given',
  permission: 'station.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'station'>() }),
  query: z.object(period),
  answer: story,
  errors: [],
});

export const getCustomerStory = route({
  method: 'GET',
  path: '/customers/{id}/story',
  summary: 'What happened to a registered user, the last seven days unless a period is given',
  permission: 'customer.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'customer'>() }),
  query: z.object(period),
  answer: story,
  errors: [],
});
