import {
  connectorGroups,
  connectorKinds,
  connectorStates,
  equipmentTypes,
  groundLockStates,
  nationalStandards,
  parkingBayStates,
  protocols,
  siteStates,
  stationSignIns,
  stationTypes,
  tariffStates,
} from '@voltdeck/charging/states';
import { triggeredMessages } from '@voltdeck/charging/station-command';
import type { Id } from '@voltdeck/units/id';
import * as z from 'zod/mini';
import {
  dayField,
  filter,
  idField,
  idParameter,
  instantField,
  linesField,
  listFields,
  shown,
  stationNumberField,
  textField,
} from './fields.ts';
import { labelFormatNames } from './label-formats.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

const connectorTally = z.object({ free: z.int(), occupied: z.int(), fault: z.int(), offline: z.int() });

/** The tariff that a self-pricing station runs, as it last reported or confirmed it. */
const runningTariff = z.object({
  state: z.enum(tariffStates),
  /** The station's four-digit number for it; null when it never reported one. */
  version: z.nullable(z.string()),
  /** Null when the station runs a tariff that is not ours. */
  tariffId: z.nullable(idField<'tariff'>()),
  tariffName: z.nullable(z.string()),
  at: z.nullable(instantField),
  /** When we last tried to send another one, and the kind of the resulting CommandOutcome. */
  askedAt: z.nullable(instantField),
  outcome: z.nullable(z.string()),
});

export const station = z.object({
  id: idField<'station'>(),
  number: z.string(),
  name: z.string(),
  type: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  protocol: z.enum(protocols),
  siteId: idField<'site'>(),
  siteName: z.string(),
  /** Where in its site it stands, in the operator's words. */
  customSite: z.string(),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  enabled: z.boolean(),
  /** Charges here cost nothing, whatever its rules say. */
  free: z.boolean(),
  online: z.boolean(),
  lastSeenAt: z.nullable(instantField),
  /** Null while it is connected. */
  offlineSince: z.nullable(instantField),
  /** When it first connected. */
  activatedAt: z.nullable(instantField),
  /** When its latest charge began or ended. */
  lastUsedAt: z.nullable(instantField),
  connectorCount: z.int(),
  connectors: connectorTally,
  maxPowerKw: z.number(),
  /** Rated volts and amperes, as entered. */
  voltageV: z.nullable(z.int()),
  currentA: z.nullable(z.int()),
  cardTariffId: z.nullable(idField<'tariff'>()),
  cardTariffName: z.nullable(z.string()),
  wechatTariffId: z.nullable(idField<'tariff'>()),
  wechatTariffName: z.nullable(z.string()),
  expiresOn: z.nullable(z.string()),
  imei: z.nullable(z.string()),
  /** Of the SIM, as entered or as the station last reported. */
  iccid: z.nullable(z.string()),
  simExpiresOn: z.nullable(z.string()),
  manufacturer: z.nullable(z.string()),
  manufacturerCode: z.nullable(z.string()),
  equipmentModel: z.nullable(z.string()),
  producedOn: z.nullable(z.string()),
  firmwareVersion: z.nullable(z.string()),
  signIn: z.enum(stationSignIns),
  /** Addresses that a station without credentials may connect from; empty allows any. */
  signInNetworks: z.array(z.string()),
  /** Null where the station does not price by itself. */
  runningTariff: z.nullable(runningTariff),
  totalEnergyWh: z.int(),
  createdAt: instantField,
});
export type Station = z.output<typeof station>;

export const connector = z.object({
  id: idField<'connector'>(),
  number: z.int(),
  name: z.string(),
  stationId: idField<'station'>(),
  stationNumber: z.string(),
  stationName: z.string(),
  stationType: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  stationProtocol: z.enum(protocols),
  stationEnabled: z.boolean(),
  stationOnline: z.boolean(),
  siteId: idField<'site'>(),
  siteName: z.string(),
  siteState: z.enum(siteStates),
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  state: z.enum(connectorStates),
  stateSince: z.nullable(instantField),
  faultCode: z.nullable(z.string()),
  faultInfo: z.nullable(z.string()),
  open: z.boolean(),
  /** As painted on the ground; null where nobody entered it, like the facts that follow. */
  bayNumber: z.nullable(z.string()),
  kind: z.nullable(z.enum(connectorKinds)),
  nationalStandard: z.nullable(z.enum(nationalStandards)),
  ratedVoltageMinV: z.nullable(z.int()),
  ratedVoltageMaxV: z.nullable(z.int()),
  ratedCurrentA: z.nullable(z.int()),
  ratedPowerW: z.nullable(z.int()),
  /** Of its station, which count where the port has no figures of its own. */
  stationVoltageV: z.nullable(z.int()),
  stationCurrentA: z.nullable(z.int()),
  orderId: z.nullable(idField<'order'>()),
  orderNumber: z.nullable(z.string()),
  powerW: z.nullable(z.int()),
  socPercent: z.nullable(z.int()),
  /** Null when the port has no ground lock, or none was reported. */
  groundLock: z.nullable(
    z.object({
      state: z.enum(groundLockStates),
      bay: z.nullable(z.enum(parkingBayStates)),
      batteryPercent: z.nullable(z.int()),
      /** The lock's fault in the protocol's spelling. */
      alarm: z.nullable(z.string()),
      at: instantField,
    }),
  ),
  /** The content of the port's QR code. */
  qrText: z.string(),
});
export type Connector = z.output<typeof connector>;

export const stationDetail = z.extend(station, {
  ports: z.array(connector),
  /** In the station's spelling, e.g. 1.6. */
  protocolVersion: z.nullable(z.string()),
  /** Number of gun ports that the station reports. */
  reportedConnectors: z.nullable(z.int()),
  vendor: z.nullable(z.string()),
  model: z.nullable(z.string()),
  serialNumber: z.nullable(z.string()),
  bootedAt: z.nullable(instantField),
  onlineSince: z.nullable(instantField),
  remoteAddress: z.nullable(z.string()),
});
export type StationDetail = z.output<typeof stationDetail>;

export const connectorsMax = 32;

/** GB/T 20234.1-2023: up to 1,500 V. */
const ratedVoltageField = z.int().check(z.gte(1), z.lte(1500));
const ratedCurrentField = z.int().check(z.gte(1), z.lte(2000));
const ratedPowerMaxKw = 2000;

export const stationForm = z.object({
  number: stationNumberField,
  name: textField(64),
  type: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  protocol: z._default(z.enum(protocols), 'ocpp1.6'),
  siteId: idField<'site'>(),
  customSite: z.optional(textField(64, 0)),
  /** One within the caller's scope. Omitted, it is the site's, or stays with a station that stays at its site. */
  agentId: z.optional(idField<'agent'>()),
  connectorCount: z.int().check(z.gte(1), z.lte(connectorsMax)),
  /** Specification section 5: gun count, max power, voltage and current are positive integers. */
  maxPowerKw: z.int().check(z.gte(1), z.lte(ratedPowerMaxKw)),
  voltageV: z.optional(ratedVoltageField),
  currentA: z.optional(ratedCurrentField),
  cardTariffId: z.optional(idField<'tariff'>()),
  wechatTariffId: z.optional(idField<'tariff'>()),
  /** Omitted, a new station is charged and another stays as it is. */
  free: z.optional(z.boolean()),
  expiresOn: z.optional(dayField),
  imei: z.optional(z.string().check(z.trim(), z.regex(/^\d{15}$/, 'imei'))),
  iccid: z.optional(z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-F]{19,20}$/, 'iccid'))),
  simExpiresOn: z.optional(dayField),
  manufacturer: z.optional(textField(64)),
  /** GB 11714 or the first nine of a GB 32100 code, as T/CEC 102 wants it. */
  manufacturerCode: z.optional(
    z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-Z]{9}$/, 'organization_code')),
  ),
  equipmentModel: z.optional(textField(64)),
  producedOn: z.optional(dayField),
  /**
   * The charger's password (OCPP security profile 1), 16 to 20 bytes; generated when omitted. Refused for protocols
   * without passwords.
   */
  password: z.optional(z.string().check(z.minLength(16), z.maxLength(20))),
  /** `password` when omitted, or unchanged when editing a station. Only for protocols with passwords. */
  signIn: z.optional(z.enum(stationSignIns)),
  /** Addresses or ranges ("203.0.113.0/24"), for `open`; unchanged when omitted. */
  signInNetworks: z.optional(z.array(textField(64)).check(z.maxLength(32))),
});
export type StationForm = z.output<typeof stationForm>;

export const stationColumns = columnsOf<Station>()({
  number: { kind: 'number', title: 'stations.number' },
  name: { kind: 'text', title: 'stations.name' },
  online: {
    kind: 'flag',
    title: 'stations.online',
    words: ['station-state.online', 'station-state.offline'],
  },
  connectors: {
    kind: 'text',
    title: 'stations.running',
    hint: 'stations.runningHint',
    of: ({ connectors: { free, occupied, fault, offline } }) => [free, occupied, fault, offline].join(' / '),
  },
  enabled: {
    kind: 'flag',
    title: 'stations.enabled',
    words: ['station-state.enabled', 'station-state.disabled'],
  },
  siteName: { kind: 'text', title: 'stations.site' },
  customSite: { kind: 'text', title: 'stations.customSite' },
  agentName: { kind: 'text', title: 'stations.agent', absent: 'list.ofPlatform' },
  type: { kind: 'choice', title: 'stations.type', words: 'station-type' },
  equipmentType: { kind: 'choice', title: 'stations.equipmentType', words: 'equipment-type' },
  connectorCount: { kind: 'count', title: 'stations.connectorCount' },
  maxPowerKw: { kind: 'powerKw', title: 'stations.maxPower' },
  voltageV: { kind: 'voltageV', title: 'stations.voltage' },
  currentA: { kind: 'currentA', title: 'stations.current' },
  protocol: { kind: 'choice', title: 'stations.protocol', words: 'protocol' },
  runningTariff: {
    kind: 'choice',
    title: 'stations.runningTariff',
    hint: 'stations.runningTariffHint',
    words: 'tariff-state',
    of: ({ runningTariff }) => runningTariff?.state ?? null,
  },
  free: { kind: 'flag', title: 'stations.free', words: ['station-fee.free', 'station-fee.charged'] },
  cardTariffName: { kind: 'text', title: 'stations.cardTariff' },
  wechatTariffName: { kind: 'text', title: 'stations.wechatTariff' },
  totalEnergyWh: { kind: 'energyWh', title: 'stations.totalEnergy', summed: true },
  lastUsedAt: { kind: 'instant', title: 'stations.lastUsed' },
  lastSeenAt: { kind: 'instant', title: 'stations.lastSeen' },
  offlineSince: { kind: 'instant', title: 'stations.offlineSince' },
  activatedAt: { kind: 'instant', title: 'stations.activatedAt', absent: 'stations.notActivated' },
  expiresOn: { kind: 'day', title: 'stations.expiresOn' },
  imei: { kind: 'number', title: 'stations.imei' },
  iccid: { kind: 'number', title: 'stations.iccid' },
  simExpiresOn: { kind: 'day', title: 'stations.simExpiresOn' },
  manufacturer: { kind: 'text', title: 'stations.manufacturer' },
  manufacturerCode: { kind: 'number', title: 'stations.manufacturerCode' },
  equipmentModel: { kind: 'text', title: 'stations.equipmentModel' },
  producedOn: { kind: 'day', title: 'stations.producedOn' },
  firmwareVersion: { kind: 'text', title: 'stations.firmwareVersion' },
  createdAt: { kind: 'instant', title: 'stations.createdAt' },
});

/** Two years ahead is no longer a warning. */
const expiryDaysMax = 731;

export const listStations = listRoute({
  name: 'listStations',
  path: '/stations',
  summary: 'Charging stations',
  permission: 'station.read',
  sorts: ['number', 'name', 'createdAt', 'expiresOn', 'simExpiresOn'],
  first: '-createdAt',
  filters: {
    number: filter.text(),
    name: filter.text(),
    siteId: filter.id('site'),
    online: filter.flag(),
    state: filter.choice(connectorGroups),
    type: filter.choice(stationTypes),
    equipmentType: filter.choice(equipmentTypes),
    agentId: filter.id('agent'),
    enabled: filter.flag(),
    protocol: filter.choice(protocols),
    free: filter.flag(),
    activated: filter.flag(),
    /** Expired ones included. */
    expiresWithinDays: filter.number(0, expiryDaysMax),
    simExpiresWithinDays: filter.number(0, expiryDaysMax),
    tariffState: filter.choice(tariffStates),
  },
  item: station,
  columns: stationColumns,
});

export const getStation = route({
  method: 'GET',
  path: '/stations/{id}',
  summary: 'One station with its gun ports',
  permission: 'station.read',
  params: z.object({ id: idParameter<'station'>() }),
  answer: stationDetail,
  errors: [],
});

export const createStation = route({
  method: 'POST',
  path: '/stations',
  summary: 'Add a station',
  permission: 'station.create',
  body: stationForm,
  /** The password is shown only this once; null where the protocol has none. */
  answer: z.extend(station, { password: z.nullable(z.string()) }),
  errors: ['station.number_taken'],
});

export const changeStation = route({
  method: 'PUT',
  path: '/stations/{id}',
  summary: 'Change a station; ports are added or (unused ones) removed to match the count',
  permission: 'station.edit',
  params: z.object({ id: idParameter<'station'>() }),
  body: z.omit(stationForm, { password: true, protocol: true }),
  answer: station,
  errors: ['station.number_taken', 'station.in_use'],
});

export const enableStation = route({
  method: 'PATCH',
  path: '/stations/{id}',
  summary: 'Enable or disable a station; a disabled one starts no new charge',
  permission: 'station.edit',
  params: z.object({ id: idParameter<'station'>() }),
  body: z.object({ enabled: z.boolean() }),
  answer: station,
  errors: [],
});

export const deleteStation = route({
  method: 'DELETE',
  path: '/stations/{id}',
  summary: 'Delete a station that has no orders',
  permission: 'station.delete',
  params: z.object({ id: idParameter<'station'>() }),
  answer: z.null(),
  errors: ['station.in_use'],
});

export const getStationConnection = route({
  method: 'GET',
  path: '/stations/{id}/connection',
  summary: 'What to enter in the charger',
  permission: 'station.read',
  params: z.object({ id: idParameter<'station'>() }),
  answer: z.object({
    protocol: z.enum(protocols),
    /** Null while the server does not listen for this protocol (YKC_PORT=0). */
    url: z.nullable(z.string()),
    identity: z.string(),
    subprotocol: z.nullable(z.string()),
    hasPassword: z.boolean(),
    signIn: z.enum(stationSignIns),
    online: z.boolean(),
    lastSeenAt: z.nullable(instantField),
    /** The latest refused attempt under this number, to show an installer what is wrong. */
    lastRefusal: z.nullable(z.object({ at: instantField, reason: z.string(), remoteAddress: z.string() })),
  }),
  errors: [],
});

export const renewStationPassword = route({
  method: 'POST',
  path: '/stations/{id}/passwords',
  summary: 'Give a station a new password; the old one stops working at its next connection',
  permission: 'station.edit',
  params: z.object({ id: idParameter<'station'>() }),
  answer: z.object({ password: z.string() }),
  errors: ['station.no_password'],
});

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

/** The commands that make sense for many stations at once: none for a single gun port, charge or payer. */
export const bulkCommandKinds = [
  'reset',
  'change-availability',
  'trigger-message',
  'set-clock',
  'set-tariff',
  'limit-power',
  'clear-cache',
  'read-configuration',
  'write-configuration',
  'store-cards',
  'query-cards',
  'clear-cards',
  'transfer-data',
  'update-firmware',
] as const satisfies readonly (keyof typeof commandBodies)[];
export type BulkCommandKind = (typeof bulkCommandKinds)[number];

/** A queued background task, and the stations that it leaves out because their protocol lacks the command. */
const startedTask = z.object({ taskId: idField<'task'>(), stations: z.int(), skipped: z.int() });

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

export const unknownStation = z.object({
  id: z.int(),
  number: z.string(),
  protocol: z.enum(protocols),
  remoteAddress: z.string(),
  firstSeenAt: instantField,
  lastSeenAt: instantField,
  attempts: z.int(),
  /** The factory identity in stock with this number; null for a stranger. */
  identity: z.nullable(
    z.object({
      batch: z.string(),
      type: z.enum(stationTypes),
      equipmentType: z.enum(equipmentTypes),
      connectorCount: z.int(),
      maxPowerKw: z.number(),
      manufacturer: z.nullable(z.string()),
      equipmentModel: z.nullable(z.string()),
    }),
  ),
});
export type UnknownStation = z.output<typeof unknownStation>;

export const listUnknownStations = listRoute({
  name: 'listUnknownStations',
  path: '/unknown-stations',
  summary: 'Stations that tried to connect but are not registered',
  permission: 'station.create',
  sorts: ['lastSeenAt'],
  first: '-lastSeenAt',
  filters: {},
  item: unknownStation,
  columns: columnsOf<z.output<typeof unknownStation>>()({
    number: { kind: 'number', title: 'stations.number' },
    protocol: { kind: 'choice', title: 'stations.protocol', words: 'protocol' },
    batch: { kind: 'text', title: 'stations.identityBatch', of: ({ identity }) => identity?.batch ?? null },
    remoteAddress: { kind: 'text', title: 'stations.remoteAddress' },
    attempts: { kind: 'count', title: 'stations.attempts' },
    firstSeenAt: { kind: 'instant', title: 'stations.firstSeen' },
    lastSeenAt: { kind: 'instant', title: 'stations.lastSeen' },
  }),
});

export const deleteUnknownStation = route({
  method: 'DELETE',
  path: '/unknown-stations/{id}',
  summary: 'Remove an unknown station from the list; it reappears when it connects again',
  permission: 'station.create',
  params: z.object({ id: idParameter<'unknown-station'>() }),
  answer: z.null(),
  errors: [],
});

export const adoptStation = route({
  method: 'POST',
  path: '/unknown-stations/{id}/adoptions',
  summary: 'Register an unknown station under the number it used',
  permission: 'station.create',
  params: z.object({ id: idParameter<'unknown-station'>() }),
  body: z.omit(stationForm, { number: true, protocol: true }),
  answer: z.extend(station, { password: z.nullable(z.string()) }),
  errors: ['station.number_taken'],
});

/** The highest number of a gun port in any protocol. */
export const connectorNumberMax = 255;

/** Port filters: the groups of port states, and the two kinds of occupied port that operators ask for. */
export const connectorFilters = ['free', 'plugged_in', 'charging', 'occupied', 'fault', 'offline'] as const;
export type ConnectorFilter = (typeof connectorFilters)[number];

/** The rated volts, "200–1000", by the port's own limits or else its station's figure. */
export function ratedVoltageOf({ ratedVoltageMinV: min, ratedVoltageMaxV: max, stationVoltageV }: Connector): Rating {
  if (min !== null && max !== null) return { text: min === max ? `${max}` : `${min}–${max}`, isOfStation: false };
  if (max !== null) return { text: `≤ ${max}`, isOfStation: false };
  if (min !== null) return { text: `≥ ${min}`, isOfStation: false };
  return stationVoltageV === null ? null : { text: `${stationVoltageV}`, isOfStation: true };
}

/** The rated amperes: the port's own, or else its station's. */
export function ratedCurrentOf({ ratedCurrentA, stationCurrentA }: Connector): Rating {
  const amperes = ratedCurrentA ?? stationCurrentA;
  return amperes === null ? null : { text: `${amperes}`, isOfStation: ratedCurrentA === null };
}

/** A rated figure, and whether it is only the station's; null where neither is known. */
export type Rating = { text: string; isOfStation: boolean } | null;

const connectorFilterFields = {
  number: filter.number(1, connectorNumberMax),
  stationNumber: filter.text(),
  name: filter.text(),
  siteId: filter.id('site'),
  state: filter.choice(connectorFilters),
  stationId: filter.id('station'),
  stationType: filter.choice(stationTypes),
  equipmentType: filter.choice(equipmentTypes),
  bayNumber: filter.text(),
  kind: filter.choice(connectorKinds),
  open: filter.flag(),
  agentId: filter.id('agent'),
};
const connectorSorts = ['stationNumber', 'stateSince'] as const;

export const listConnectors = listRoute({
  name: 'listConnectors',
  path: '/connectors',
  summary: 'Gun ports',
  permission: 'connector.read',
  sorts: connectorSorts,
  first: 'stationNumber',
  filters: connectorFilterFields,
  item: connector,
  columns: columnsOf<Connector>()({
    siteName: { kind: 'text', title: 'stations.site' },
    stationName: { kind: 'text', title: 'stations.name' },
    name: { kind: 'text', title: 'stations.portName' },
    state: { kind: 'choice', title: 'stations.state', words: 'connector-state' },
    stateSince: { kind: 'instant', title: 'stations.since' },
    orderNumber: { kind: 'number', title: 'stations.currentOrder' },
    powerW: { kind: 'powerW', title: 'orders.power' },
    socPercent: { kind: 'percent', title: 'orders.soc' },
    open: { kind: 'flag', title: 'stations.open', words: ['connector-open.open', 'connector-open.closed'] },
    stationNumber: { kind: 'number', title: 'stations.number' },
    number: { kind: 'count', title: 'stations.portNo' },
    stationType: { kind: 'choice', title: 'stations.type', words: 'station-type' },
    equipmentType: { kind: 'choice', title: 'stations.equipmentType', words: 'equipment-type' },
    faultCode: { kind: 'text', title: 'stations.faultCode' },
    groundLock: {
      kind: 'choice',
      title: 'stations.groundLock',
      words: 'ground-lock',
      of: ({ groundLock }) => groundLock?.state ?? null,
    },
    parkingBay: {
      kind: 'choice',
      title: 'stations.parkingBay',
      words: 'parking-bay',
      of: ({ groundLock }) => groundLock?.bay ?? null,
    },
    bayNumber: { kind: 'text', title: 'ports.bayNumber' },
    kind: { kind: 'choice', title: 'ports.kind', words: 'connector-kind' },
    nationalStandard: { kind: 'choice', title: 'ports.nationalStandard', words: 'national-standard' },
    ratedVoltage: { kind: 'text', title: 'ports.ratedVoltage', of: (port) => ratedVoltageOf(port)?.text ?? null },
    ratedCurrent: { kind: 'text', title: 'ports.ratedCurrent', of: (port) => ratedCurrentOf(port)?.text ?? null },
    ratedPowerW: { kind: 'powerW', title: 'ports.ratedPower' },
    agentName: { kind: 'text', title: 'stations.agent', absent: 'list.ofPlatform' },
  }),
});

/** Labels of a sheet that is drawn while it is downloaded; a larger one is a background task. */
export const downloadedLabelsMax = 500;
/** Labels of one sheet. */
export const sheetLabelsMax = 10_000;

/** "12,13": the ports of a sheet. */
const connectorIdsField = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(downloadedLabelsMax * 12)),
    z.transform((text): unknown[] => text.split(',')),
  ),
  z.array(idParameter<'connector'>()).check(z.maxLength(downloadedLabelsMax)),
) as unknown as z.ZodMiniType<Id<'connector'>[], unknown>;

export const getLabelSheet = route({
  method: 'GET',
  path: '/connectors/labels',
  summary: 'Labels with the QR codes of the chosen gun ports, or of all that the filters match, as PDF',
  permission: 'connector.read',
  readsMuch: 'always',
  query: z.object({
    ...connectorFilterFields,
    sort: listFields(connectorSorts).sort,
    format: z.enum(labelFormatNames),
    /** Filters are ignored when ids are given. */
    connectorIds: z.optional(connectorIdsField),
  }),
  answer: z.unknown(),
  answerKind: 'file',
  errors: ['label.none', 'label.too_many'],
});

export const startLabelSheet = route({
  method: 'POST',
  path: '/tasks/label-sheets',
  summary: 'Labels with the QR codes of many gun ports as PDF, drawn in the background',
  permission: 'connector.read',
  body: z.object({
    format: z.enum(labelFormatNames),
    connectorIds: z.optional(z.array(idField<'connector'>()).check(z.minLength(1), z.maxLength(sheetLabelsMax))),
    /** The filter and the order of the list of gun ports as in its address, for everything that it matches. */
    query: z.optional(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(500)))),
  }),
  answer: z.object({ taskId: idField<'task'>(), labels: z.int() }),
  errors: ['label.none', 'label.too_many', 'task.too_many'],
});

export const connectorForm = z.object({
  name: textField(64),
  /** T/CEC 102 ParkNo. */
  bayNumber: z.optional(z.nullable(textField(10))),
  kind: z.optional(z.nullable(z.enum(connectorKinds))),
  nationalStandard: z.optional(z.nullable(z.enum(nationalStandards))),
  ratedVoltageMinV: z.optional(z.nullable(ratedVoltageField)),
  ratedVoltageMaxV: z.optional(z.nullable(ratedVoltageField)),
  ratedCurrentA: z.optional(z.nullable(ratedCurrentField)),
  /** At least 0.1 kW, the unit of T/CEC 102 Power. */
  ratedPowerW: z.optional(z.nullable(z.int().check(z.gte(100), z.lte(ratedPowerMaxKw * 1_000)))),
});
export type ConnectorForm = z.output<typeof connectorForm>;

export const changeConnector = route({
  method: 'PUT',
  path: '/connectors/{id}',
  summary: 'Change the name and the facts of a gun port; facts that are left out are not known any more',
  permission: 'connector.edit',
  params: z.object({ id: idParameter<'connector'>() }),
  body: connectorForm,
  answer: connector,
  errors: [],
});

export const openConnector = route({
  method: 'PATCH',
  path: '/connectors/{id}',
  summary: 'Open or close a gun port; a closed one starts no new charge',
  permission: 'connector.edit',
  params: z.object({ id: idParameter<'connector'>() }),
  body: z.object({ open: z.boolean() }),
  answer: connector,
  errors: [],
});

export const moveConnector = route({
  method: 'POST',
  path: '/connectors/{id}/moves',
  summary: 'Move a gun port to another station, to another number, or both; its orders stay with it',
  permission: 'connector.edit',
  params: z.object({ id: idParameter<'connector'>() }),
  /** One of the two is needed. */
  body: z.object({
    stationNumber: z.optional(stationNumberField),
    number: z.optional(z.int().check(z.gte(1), z.lte(connectorNumberMax))),
  }),
  answer: connector,
  errors: ['connector.no_target', 'connector.number_taken', 'connector.in_use'],
});

/** Gun ports opened or closed at once. */
export const changedConnectorsMax = 1_000;

export const openConnectors = route({
  method: 'PATCH',
  path: '/connectors',
  summary: 'Open or close many gun ports; closed ones start no new charge',
  permission: 'connector.edit',
  body: z.object({
    connectorIds: z.array(idField<'connector'>()).check(z.minLength(1), z.maxLength(changedConnectorsMax)),
    open: z.boolean(),
  }),
  /** Ports that actually changed. */
  answer: z.object({ changed: z.int() }),
  errors: [],
});

/** Today by the hour, or the last days by the day; in Asia/Shanghai. */
export const energyDays = ['1', '7', '30'] as const;

export const getStationEnergy = route({
  method: 'GET',
  path: '/stations/{id}/energy',
  summary: "A station's energy over time, from its charges; a charge's energy is spread evenly over its duration",
  permission: 'station.read',
  readsMuch: 'always',
  params: z.object({ id: idParameter<'station'>() }),
  query: z.object({ days: z._default(z.enum(energyDays), '7') }),
  answer: z.object({
    by: z.enum(['hour', 'day']),
    /** In order of time, without gaps. */
    stretches: z.array(z.object({ from: instantField, energyWh: z.int(), charges: z.int() })),
    /** More charges than are read; the figures are too low then. */
    isPartial: z.boolean(),
  }),
  errors: [],
});
