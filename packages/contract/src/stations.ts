import {
  connectorGroups,
  equipmentTypes,
  protocols,
  stationSignIns,
  stationTypes,
  tariffStates,
} from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { connector, ratedCurrentField, ratedPowerMaxKw, ratedVoltageField } from './connectors.ts';
import { dayField, filter, idField, idParameter, instantField, stationNumberField, textField } from './fields.ts';
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
    /** Where dividers of an agent may share: its own stations and those of agents below it. */
    holderId: filter.id('agent'),
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
