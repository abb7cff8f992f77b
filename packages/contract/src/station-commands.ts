import { type BulkCommandKind, triggeredMessages } from '@voltdeck/charging/station-command';
import * as z from 'zod/mini';
import { idField, idParameter, linesField, shown, textField } from './fields.ts';
import { route } from './route.ts';

/** Printed or physical card numbers. */
const offlineCards = z.array(textField(32)).check(z.minLength(1), z.maxLength(100));
/** Width of the field on the wire. */
const asciiField = (max: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(max), z.regex(/^[\x21-\x7e]*$/, 'bad_format'));

/** What a command says, by its kind. */
export const commandBodies = {
  reset: z.object({ kind: z.literal('reset'), mode: z._default(z.enum(['soft', 'hard']), 'soft') }),
  'unlock-connector': z.object({
    kind: z.literal('unlock-connector'),
    connectorNumber: z.int().check(z.gte(1), z.lte(255)),
  }),
  'change-availability': z.object({
    kind: z.literal('change-availability'),
    connectorNumber: z._default(z.int().check(z.gte(0), z.lte(255)), 0),
    available: z.boolean(),
  }),
  'read-configuration': z.object({
    kind: z.literal('read-configuration'),
    keys: z._default(z.array(textField(50)).check(z.maxLength(100)), []),
  }),
  'write-configuration': z.object({
    kind: z.literal('write-configuration'),
    key: textField(50),
    value: linesField(500, 0),
  }),
  'clear-cache': z.object({ kind: z.literal('clear-cache') }),
  'trigger-message': z.object({
    kind: z.literal('trigger-message'),
    message: z.enum(triggeredMessages),
    connectorNumber: z.optional(z.int().check(z.gte(0), z.lte(255))),
  }),
  'transfer-data': z.object({
    kind: z.literal('transfer-data'),
    vendor: textField(255),
    message: z.optional(textField(50)),
    data: z.optional(z.string().check(z.maxLength(10_000))),
  }),
  'start-charge': z.object({
    kind: z.literal('start-charge'),
    connectorNumber: z.int().check(z.gte(1), z.lte(255)),
    cardNumber: textField(20),
  }),
  'stop-charge': z.object({
    kind: z.literal('stop-charge'),
    /** The number of an OCPP charge, or the 32 digits of a YKC one. */
    transaction: z.union([z.int(), z.string().check(z.regex(/^\d{1,32}$/, 'bad_format'))]),
    connectorNumber: z.optional(z.int().check(z.gte(1), z.lte(255))),
  }),
  /** The station's own tariff. */
  'set-tariff': z.object({ kind: z.literal('set-tariff') }),
  'set-clock': z.object({ kind: z.literal('set-clock') }),
  /** The balance of the payer whose charge runs at the port. */
  'update-balance': z.object({
    kind: z.literal('update-balance'),
    connectorNumber: z.int().check(z.gte(1), z.lte(255)),
  }),
  'store-cards': z.object({ kind: z.literal('store-cards'), cardNumbers: offlineCards }),
  'clear-cards': z.object({ kind: z.literal('clear-cards'), cardNumbers: offlineCards }),
  'query-cards': z.object({ kind: z.literal('query-cards'), cardNumbers: offlineCards }),
  'limit-power': z.object({
    kind: z.literal('limit-power'),
    available: z.boolean(),
    maxPowerPercent: z.int().check(z.gte(30), z.lte(100)),
  }),
  'move-ground-lock': z.object({
    kind: z.literal('move-ground-lock'),
    connectorNumber: z.int().check(z.gte(1), z.lte(255)),
    to: z.enum(['raised', 'lowered']),
  }),
  'update-firmware': z.object({
    kind: z.literal('update-firmware'),
    /** Address or name of an FTP server. */
    host: asciiField(16),
    port: z.int().check(z.gte(1), z.lte(65_535)),
    user: asciiField(16),
    password: asciiField(16),
    path: asciiField(32),
    when: z.enum(['now', 'when_idle']),
    timeoutMinutes: z.int().check(z.gte(1), z.lte(255)),
  }),
  raw: z.object({ kind: z.literal('raw'), action: textField(50), payload: z.unknown() }),
} as const;

export const commandStation = route({
  method: 'POST',
  path: '/stations/{id}/commands',
  summary: "Ask something of a station and give the station's answer",
  /** `raw` also needs station.command_raw. */
  permission: ['station.command', 'station.command_raw'],
  params: z.object({ id: idParameter<'station'>() }),
  body: z.discriminatedUnion('kind', [
    commandBodies.reset,
    commandBodies['unlock-connector'],
    commandBodies['change-availability'],
    commandBodies['read-configuration'],
    commandBodies['write-configuration'],
    commandBodies['clear-cache'],
    commandBodies['trigger-message'],
    commandBodies['transfer-data'],
    commandBodies['start-charge'],
    commandBodies['stop-charge'],
    commandBodies['set-tariff'],
    commandBodies['set-clock'],
    commandBodies['update-balance'],
    commandBodies['store-cards'],
    commandBodies['clear-cards'],
    commandBodies['query-cards'],
    commandBodies['limit-power'],
    commandBodies['move-ground-lock'],
    commandBodies['update-firmware'],
    commandBodies.raw,
  ]),
  /** A CommandOutcome (packages/charging/station-command). */
  answer: shown.fields(z.looseObject({ kind: z.string() })),
  errors: [
    'station.offline',
    'station.busy',
    'station.no_answer',
    'station.start_needs_order',
    'order.not_charging',
    'tariff.missing',
  ],
});

/** A queued background task, and the stations that it leaves out because their protocol lacks the command. */
export const startedTask = z.object({ taskId: idField<'task'>(), stations: z.int(), skipped: z.int() });

/** Stations per task. */
export const commandedStationsMax = 10_000;

export const commandedStations = {
  /** The selected stations. */
  stationIds: z.optional(z.array(idField<'station'>()).check(z.minLength(1), z.maxLength(commandedStationsMax))),
  /** The filter of the station list as in its address, for everything that it matches. */
  query: z.optional(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(500)))),
};

/** What one command for many stations says, by its kind. */
export const bulkCommandBodies = {
  reset: z.extend(commandBodies.reset, commandedStations),
  'change-availability': z.extend(commandBodies['change-availability'], commandedStations),
  'trigger-message': z.extend(commandBodies['trigger-message'], commandedStations),
  'set-clock': z.extend(commandBodies['set-clock'], commandedStations),
  'set-tariff': z.extend(commandBodies['set-tariff'], commandedStations),
  'limit-power': z.extend(commandBodies['limit-power'], commandedStations),
  'clear-cache': z.extend(commandBodies['clear-cache'], commandedStations),
  'read-configuration': z.extend(commandBodies['read-configuration'], commandedStations),
  'write-configuration': z.extend(commandBodies['write-configuration'], commandedStations),
  'store-cards': z.extend(commandBodies['store-cards'], commandedStations),
  'query-cards': z.extend(commandBodies['query-cards'], commandedStations),
  'clear-cards': z.extend(commandBodies['clear-cards'], commandedStations),
  'transfer-data': z.extend(commandBodies['transfer-data'], commandedStations),
  'update-firmware': z.extend(commandBodies['update-firmware'], commandedStations),
} as const satisfies Record<BulkCommandKind, z.ZodMiniType>;

type BulkBody = (typeof bulkCommandBodies)[BulkCommandKind];
type Bulk = z.output<BulkBody>;
/** One command for many stations, without them. */
export type BulkCommand = Bulk extends infer One
  ? One extends Bulk
    ? Omit<One, keyof typeof commandedStations>
    : never
  : never;

export const startStationCommands = route({
  method: 'POST',
  path: '/station-commands',
  summary: 'Ask the same of many stations, as a background task with a row per station',
  permission: 'station.command',
  body: z.discriminatedUnion('kind', Object.values(bulkCommandBodies) as [BulkBody, ...BulkBody[]]),
  answer: startedTask,
  errors: ['task.too_many', 'station.too_many', 'station.none_has_command'],
});

/** Row states that can be retried. */
export const retriedRowStates = ['waiting', 'sent', 'refused', 'offline', 'timed-out', 'unknown'] as const;

export const retryStationCommands = route({
  method: 'POST',
  path: '/tasks/{id}/retries',
  summary: 'Ask the stations of a finished task again whose rows are in these states, as a new task',
  permission: 'station.command',
  params: z.object({ id: idParameter<'task'>() }),
  body: z.object({
    states: z.array(z.enum(retriedRowStates)).check(z.minLength(1), z.maxLength(retriedRowStates.length)),
  }),
  answer: startedTask,
  errors: ['task.too_many', 'task.running', 'task.nothing_to_retry'],
});
