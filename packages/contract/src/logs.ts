import { protocols } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, instantField, textField } from './fields.ts';
import { route } from './route.ts';

export const exchangeDirections = ['from-station', 'to-station'] as const;

/** One call and its answer, exactly as they crossed the wire. */
export const interactionLog = z.object({
  id: z.string(),
  /** Names the row among all of them: `{at}_{id}`. */
  key: z.string(),
  at: instantField,
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  protocol: z.enum(protocols),
  direction: z.enum(exchangeDirections),
  action: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  request: z.string(),
  answer: z.nullable(z.string()),
  latencyMs: z.nullable(z.int()),
  fault: z.nullable(z.string()),
});
export type InteractionLog = z.output<typeof interactionLog>;

/** How a row of the log is named: its instant in ms since 1970 and its number. */
export const logKeyPattern = /^(\d{1,15})_(\d{1,15})$/;

/** What the interaction log is looked through by; the live tail takes the same. */
const logFilters = {
  stationId: filter.id<'station'>(),
  stationNumber: filter.text(),
  direction: filter.choice(exchangeDirections),
  protocol: filter.choice(protocols),
  /** A call by its name on the wire: an OCPP action, the type of a YKC frame such as 0x13. */
  action: filter.text(),
  hideHeartbeats: filter.flag(),
  /** Only what went wrong: no answer, refused, unreadable. */
  faulty: filter.flag(),
  text: filter.text(),
};

/**
 * Newest first, by keyset: pass `before` from `nextBefore` to go on. Where a filter matches little of a long log, a page
 * may hold fewer rows than asked for, or none, and still go on.
 */
export const listInteractionLogs = route({
  method: 'GET',
  path: '/interaction-logs',
  summary: 'Every frame exchanged with stations',
  permission: 'log.read',
  readsMuch: ['text', 'action', 'faulty', 'direction', 'protocol', 'stationNumber'],
  query: z.object({
    ...logFilters,
    from: filter.instant(),
    to: filter.instant(),
    before: z.optional(z.string().check(z.regex(logKeyPattern, 'bad_format'))),
    pageSize: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(200)),
      50,
    ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
  }),
  answer: z.object({ items: z.array(interactionLog), nextBefore: z.nullable(z.string()) }),
  errors: [],
});

export const exportInteractionLogs = route({
  method: 'GET',
  path: '/interaction-logs/export',
  summary: 'The filtered interaction log as an Excel file, streamed',
  permission: 'log.export',
  readsMuch: 'always',
  query: z.object({ ...logFilters, from: filter.instant(), to: filter.instant() }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['export.too_many_rows'],
});

/** What a part of a frame is for: bytes of a binary frame, characters of a text one. */
export const frameParts = ['start', 'length', 'header', 'field', 'surplus', 'checksum', 'syntax'] as const;
export const checksumVerdicts = ['right', 'right_high_first', 'wrong', 'none'] as const;

/** A part of a span that holds several: a bit field, 48 half hours. */
export const frameSpanItem = z.object({
  /** Phrase key; null where `text` names the item in every language, such as 07:30. */
  name: z.nullable(z.string()),
  text: z.nullable(z.string()),
  value: z.string(),
  /** Phrase keys. */
  unit: z.nullable(z.string()),
  meaning: z.nullable(z.string()),
  /** Not 0: what there is to tell. */
  isSet: z.boolean(),
});

/** One part of a frame: every byte (or character) of it belongs to exactly one. */
export const frameSpan = z.object({
  offset: z.int(),
  length: z.int(),
  part: z.enum(frameParts),
  /** Phrase key of what it is called, e.g. `ykc.field.pileNo`; null for syntax. */
  name: z.nullable(z.string()),
  /** How the protocol's own papers call it, e.g. `pileNo` or `meterValue[0].timestamp`. */
  path: z.nullable(z.string()),
  /** As on the wire: hexadecimal for bytes. */
  raw: z.string(),
  /** Decoded, ready to show; null when it cannot be read. */
  value: z.nullable(z.string()),
  /** Phrase key of the unit. */
  unit: z.nullable(z.string()),
  /** Phrase keys of what the value means: one for an enumeration, several for bits that are set. */
  meanings: z.array(z.string()),
  /** Absent where the value is one thing. */
  items: z.optional(z.array(frameSpanItem)),
});
export type FrameSpan = z.output<typeof frameSpan>;

export const frameExplanation = z.object({
  protocol: z.enum(protocols),
  direction: z.nullable(z.enum(exchangeDirections)),
  /** The name on the wire. */
  action: z.nullable(z.string()),
  /** Phrase key of the message's name. */
  name: z.nullable(z.string()),
  messageId: z.nullable(z.string()),
  checksum: z.object({
    verdict: z.enum(checksumVerdicts),
    found: z.nullable(z.string()),
    expected: z.nullable(z.string()),
  }),
  /** Phrase key of why it cannot be read, wholly or in part. */
  fault: z.nullable(z.string()),
  /** The frame itself: hexadecimal for bytes. */
  text: z.string(),
  spans: z.array(frameSpan),
});
export type FrameExplanation = z.output<typeof frameExplanation>;

/** One row of the log with both frames taken apart. */
export const getInteractionLog = route({
  method: 'GET',
  path: '/interaction-logs/{id}',
  summary: 'One exchange, its frames explained part by part',
  permission: 'log.read',
  /** `{at}_{id}` as the list gives it in `key`. */
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}_\d{1,15}$/, 'bad_format')) }),
  answer: z.extend(interactionLog, { frames: z.array(frameExplanation) }),
  errors: [],
});
export type InteractionLogDetail = z.output<typeof getInteractionLog.answer>;

/** A frame from anywhere – a supplier's mail, a capture –, pasted. Nothing is stored. */
export const explainFrames = route({
  method: 'POST',
  path: '/frame-explanations',
  summary: 'Takes pasted frames apart',
  permission: 'log.read',
  body: z.object({
    /** Left out: hexadecimal is YKC, text that begins with [ is OCPP. */
    protocol: z.optional(z.enum(protocols)),
    /** Hexadecimal with or without spaces, 0x, line ends and colons; several frames one after another; or JSON. */
    text: textField(20_000),
  }),
  answer: z.object({ frames: z.array(frameExplanation) }),
  errors: [],
});

/** Server-sent events: each `data:` is one of these as JSON. */
export const tailEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logged'), items: z.array(interactionLog) }),
  /** Number of exchanges left out because more came than anyone reads; they are in the list. */
  z.object({ kind: z.literal('skipped'), count: z.int() }),
]);
export type TailEvent = z.output<typeof tailEvent>;

export const tailInteractionLogs = route({
  method: 'GET',
  path: '/interaction-logs/tail',
  summary: 'The interaction log as it grows (server-sent events)',
  permission: 'log.read',
  query: z.object(logFilters),
  answer: z.unknown(),
  answerKind: 'stream',
  errors: [],
});

/** The longest conversation that is shown or saved as one. */
export const conversationMax = 2_000;

/**
 * What a station and we said to each other in a stretch of time, oldest first: to be read as a timeline, to be saved,
 * and to be played again to a server by a virtual station (`npm run sim -- replay file`).
 */
export const conversation = z.object({
  version: z.literal(1),
  protocol: z.enum(protocols),
  stationNumber: z.string(),
  from: instantField,
  to: instantField,
  /** There was more than fits. */
  isCut: z.boolean(),
  exchanges: z.array(interactionLog),
});
export type Conversation = z.output<typeof conversation>;

export const getConversation = route({
  method: 'GET',
  path: '/conversations',
  summary: 'What a station and we said to each other, oldest first',
  permission: 'log.read',
  readsMuch: 'always',
  query: z.object({
    stationId: z.coerce.number().check(z.int(), z.gte(1)) as unknown as ReturnType<typeof idField<'station'>>,
    from: instantField,
    to: instantField,
    hideHeartbeats: filter.flag(),
  }),
  answer: conversation,
  errors: [],
});
