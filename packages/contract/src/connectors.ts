import {
  connectorKinds,
  connectorStates,
  equipmentTypes,
  groundLockStates,
  nationalStandards,
  parkingBayStates,
  protocols,
  siteStates,
  stationTypes,
} from '@voltdeck/charging/states';
import type { Id } from '@voltdeck/units/id';
import * as z from 'zod/mini';
import { filter, idField, idParameter, instantField, listFields, stationNumberField, textField } from './fields.ts';
import { labelFormatNames } from './label-formats.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';

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

/** GB/T 20234.1-2023: up to 1,500 V. */
export const ratedVoltageField = z.int().check(z.gte(1), z.lte(1500));
export const ratedCurrentField = z.int().check(z.gte(1), z.lte(2000));
export const ratedPowerMaxKw = 2000;

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
