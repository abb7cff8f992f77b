import { protocols } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, instantField, shown } from './fields.ts';
import { columnsOf, fileOf } from './list.ts';
import { route } from './route.ts';

export const exchangeDirections = ['from-station', 'to-station'] as const;

/** One call and its answer, exactly as they crossed the wire. */
export const interactionLog = shown.exchange(
  z.object({
    id: z.string(),
    /** Unique key of the row: `{at}_{id}`. */
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
  }),
);
export type InteractionLog = z.output<typeof interactionLog>;

/** The key of a log row: its instant in ms since 1970 and its number. */
export const logKeyPattern = /^(\d{1,15})_(\d{1,15})$/;

/** Filters of the interaction log; the live tail takes the same. */
const logFilters = {
  stationId: filter.id('station'),
  stationNumber: filter.text(),
  direction: filter.choice(exchangeDirections),
  protocol: filter.choice(protocols),
  /** The name of a call on the wire: an OCPP action, or a YKC frame type such as 0x13. */
  action: filter.text(),
  hideHeartbeats: filter.flag(),
  /** Only failed exchanges: unanswered, refused or unreadable. */
  faulty: filter.flag(),
  /** Any part of a frame; whole words only for callers who see frames masked. */
  text: filter.text(),
};
const listedFilters = { ...logFilters, from: filter.instant(), to: filter.instant() };

/**
 * Newest first, by keyset: pass `before` from `nextBefore` to continue. Where a filter matches little of a long log, a
 * page may hold fewer rows than requested, or none, and still have a `nextBefore`.
 */
export const listInteractionLogs = {
  ...route({
    method: 'GET',
    path: '/interaction-logs',
    summary: 'Every frame exchanged with stations',
    permission: 'log.read',
    readsMuch: ['text', 'action', 'faulty', 'direction', 'protocol', 'stationNumber'],
    query: z.object({
      ...listedFilters,
      before: z.optional(z.string().check(z.regex(logKeyPattern, 'bad_format'))),
      pageSize: z._default(
        z.coerce.number().check(z.int(), z.gte(1), z.lte(200)),
        50,
      ) as unknown as z.ZodMiniDefault<z.ZodMiniNumber>,
    }),
    answer: z.object({ items: z.array(interactionLog), nextBefore: z.nullable(z.string()) }),
    errors: [],
  }),
  name: 'listInteractionLogs',
  exportPermission: 'log.export',
  /** Newest first, the only order. */
  sorts: [],
  columns: columnsOf<InteractionLog>()({
    at: { kind: 'exactInstant', title: 'logs.at' },
    stationNumber: { kind: 'number', title: 'logs.station' },
    protocol: { kind: 'choice', title: 'logs.protocol', words: 'protocol' },
    direction: {
      kind: 'flag',
      title: 'logs.direction',
      words: ['logs.toStation', 'logs.fromStation'],
      of: ({ direction }) => direction === 'to-station',
    },
    message: { kind: 'text', title: 'logs.message', of: ({ action }) => action },
    action: { kind: 'text', title: 'export.wireName' },
    messageId: { kind: 'number', title: 'logs.messageId' },
    request: { kind: 'text', title: 'logs.request' },
    answer: { kind: 'text', title: 'logs.answerFrame' },
    latencyMs: { kind: 'count', title: 'export.latencyMs' },
    fault: { kind: 'choice', title: 'logs.faultColumn', words: 'logs.fault' },
  }),
  totals: null,
  file: fileOf('/interaction-logs', 'Every frame exchanged with stations', 'log.export', listedFilters),
} as const;

export const exportInteractionLogs = listInteractionLogs.file;

/** The role of a part of a frame: bytes of a binary frame, characters of a text one. */
export const frameParts = ['start', 'length', 'header', 'field', 'surplus', 'checksum', 'syntax'] as const;
export const checksumVerdicts = ['right', 'right_high_first', 'wrong', 'none'] as const;

/** A part of a span that holds several values: a bit field, 48 half hours. */
export const frameSpanItem = z.object({
  /** Phrase key; null where `text` names the item in every language, such as 07:30. */
  name: z.nullable(z.string()),
  text: z.nullable(z.string()),
  value: z.string(),
  /** Phrase keys. */
  unit: z.nullable(z.string()),
  meaning: z.nullable(z.string()),
  /** Not 0: worth showing. */
  isSet: z.boolean(),
});

/** One part of a frame: every byte (or character) belongs to exactly one. */
export const frameSpan = z.object({
  offset: z.int(),
  length: z.int(),
  part: z.enum(frameParts),
  /** Phrase key of its name, e.g. `ykc.field.pileNo`; null for syntax. */
  name: z.nullable(z.string()),
  /** Its name in the protocol's documents, e.g. `pileNo` or `meterValue[0].timestamp`. */
  path: z.nullable(z.string()),
  /** As on the wire: hexadecimal for bytes. */
  raw: z.string(),
  /** Decoded, ready to show; null when it cannot be read. */
  value: z.nullable(z.string()),
  /** Phrase key of the unit. */
  unit: z.nullable(z.string()),
  /** Phrase keys of the value's meaning: one for an enumeration, one per set bit for a bit field. */
  meanings: z.array(z.string()),
  /** Absent where the span is a single value. */
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
  /** Phrase key of why it cannot be read, in full or in part. */
  fault: z.nullable(z.string()),
  /** The frame itself: hexadecimal for bytes. */
  text: z.string(),
  spans: z.array(frameSpan),
});
export type FrameExplanation = z.output<typeof frameExplanation>;

/** One row of the log with both frames broken down into fields. */
export const getInteractionLog = route({
  method: 'GET',
  path: '/interaction-logs/{id}',
  summary: 'One exchange, its frames explained part by part',
  permission: 'log.read',
  /** `{at}_{id}`, the `key` of the list. */
  params: z.object({ id: z.string().check(z.regex(/^\d{1,15}_\d{1,15}$/, 'bad_format')) }),
  answer: shown.exchange(z.extend(interactionLog, { frames: z.array(frameExplanation) })),
  errors: [],
});
export type InteractionLogDetail = z.output<typeof getInteractionLog.answer>;

/** A pasted frame from any source, such as a supplier's e-mail or a packet capture. Nothing is stored. */
export const explainFrames = route({
  method: 'POST',
  path: '/frame-explanations',
  summary: 'Explain pasted frames part by part',
  permission: 'log.read',
  body: z.object({
    /** When omitted: hexadecimal is YKC, text that begins with [ is OCPP. */
    protocol: z.optional(z.enum(protocols)),
    /** Hexadecimal with or without spaces, 0x, line breaks and colons, several frames in a row; or JSON. */
    /** As it was copied, whatever characters a log has. */
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(20_000)),
  }),
  answer: z.object({ frames: z.array(frameExplanation) }),
  idempotency: 'none',
  errors: [],
});

/** Server-sent events: each `data:` is one of these as JSON. */
export const tailEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logged'), items: z.array(interactionLog) }),
  /** Number of exchanges dropped because more arrived than anyone can read; the list has them. */
  z.object({ kind: z.literal('skipped'), count: z.int() }),
]);
export type TailEvent = z.output<typeof tailEvent>;

export const tailInteractionLogs = route({
  method: 'GET',
  path: '/interaction-logs/tail',
  summary: 'The live interaction log (server-sent events)',
  permission: 'log.read',
  query: z.object(logFilters),
  answer: z.unknown(),
  answerKind: 'stream',
  errors: [],
});

/** The longest conversation that can be shown or saved. */
export const conversationMax = 2_000;

/**
 * What a station and we said to each other in a stretch of time, oldest first: shown as a timeline, saved, or replayed
 * against a server by a virtual station (`npm run sim -- replay file`).
 */
export const conversation = z.object({
  version: z.literal(1),
  protocol: z.enum(protocols),
  stationNumber: z.string(),
  from: instantField,
  to: instantField,
  /** The conversation was longer than the limit. */
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
