import { equipmentTypes, protocols, stationTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, instantField, stationNumberField, textField } from './fields.ts';
import { identitiesMax } from './identity-numbers.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { connectorsMax } from './stations.ts';

/** Made for the factory; given to a site, where its station has never connected; installed, and connected at least once. */
export const identityStates = ['in_stock', 'assigned', 'installed'] as const;
export type IdentityState = (typeof identityStates)[number];

export const stationIdentity = z.object({
  id: idField<'station_identity'>(),
  number: z.string(),
  /** An order number or whatever else its batch is called. */
  batch: z.string(),
  protocol: z.enum(protocols),
  type: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  connectorCount: z.int(),
  maxPowerKw: z.number(),
  manufacturer: z.nullable(z.string()),
  equipmentModel: z.nullable(z.string()),
  /** The agent it is for. */
  agentId: z.nullable(idField<'agent'>()),
  agentName: z.nullable(z.string()),
  state: z.enum(identityStates),
  /** Null while it is in stock. */
  stationId: z.nullable(idField<'station'>()),
  siteName: z.nullable(z.string()),
  createdAt: instantField,
});
export type StationIdentity = z.output<typeof stationIdentity>;

export const listStationIdentities = listRoute({
  name: 'listStationIdentities',
  path: '/station-identities',
  summary: 'Numbers that were made for a factory, and what became of them',
  permission: 'station.create',
  sorts: ['createdAt', 'number'],
  first: '-createdAt',
  filters: {
    number: filter.text(),
    batch: filter.text(),
    state: filter.choice(identityStates),
    protocol: filter.choice(protocols),
    agentId: filter.id('agent'),
  },
  item: stationIdentity,
  columns: columnsOf<StationIdentity>()({
    number: { kind: 'number', title: 'stations.number' },
    state: { kind: 'choice', title: 'identities.state', words: 'identity-state' },
    batch: { kind: 'text', title: 'identities.batch' },
    protocol: { kind: 'choice', title: 'stations.protocol', words: 'protocol' },
    type: { kind: 'choice', title: 'stations.type', words: 'station-type' },
    equipmentType: { kind: 'choice', title: 'stations.equipmentType', words: 'equipment-type' },
    connectorCount: { kind: 'count', title: 'stations.connectorCount' },
    maxPowerKw: { kind: 'powerKw', title: 'stations.maxPower' },
    manufacturer: { kind: 'text', title: 'stations.manufacturer' },
    equipmentModel: { kind: 'text', title: 'stations.equipmentModel' },
    agentName: { kind: 'text', title: 'stations.agent', absent: 'list.ofPlatform' },
    siteName: { kind: 'text', title: 'stations.site' },
    createdAt: { kind: 'instant', title: 'identities.createdAt' },
  }),
});

export const identityBatch = z.object({
  batch: textField(64),
  protocol: z._default(z.enum(protocols), 'ocpp1.6'),
  /** Counted up, or a prefix (`identityNumbers`). */
  startNumber: stationNumberField,
  count: z.int().check(z.gte(1), z.lte(identitiesMax)),
  type: z.enum(stationTypes),
  equipmentType: z.enum(equipmentTypes),
  connectorCount: z.int().check(z.gte(1), z.lte(connectorsMax)),
  maxPowerKw: z.int().check(z.gte(1), z.lte(2000)),
  manufacturer: z.optional(textField(64)),
  equipmentModel: z.optional(textField(64)),
  /** The agent the stations are for; the platform may leave it open. */
  agentId: z.optional(idField<'agent'>()),
  /** Where they will stand, if that is known already; they are registered there at once. */
  siteId: z.optional(idField<'site'>()),
});
export type IdentityBatch = z.output<typeof identityBatch>;

export const makeIdentities = route({
  method: 'POST',
  path: '/station-identities',
  summary: 'Make numbers and passwords for a factory, as a background task whose file has them',
  permission: 'station.create',
  body: identityBatch,
  answer: z.object({ taskId: idField<'task'>(), count: z.int() }),
  errors: ['identity.number_taken', 'task.too_many'],
});

/** Identities assigned or removed at once. */
export const changedIdentitiesMax = 1_000;

const identityIds = z.array(idField<'station_identity'>()).check(z.minLength(1), z.maxLength(changedIdentitiesMax));

export const assignIdentities = route({
  method: 'POST',
  path: '/station-identities/assignments',
  summary: 'Register the stations of identities in stock at a site: all of them or none',
  permission: 'station.create',
  body: z.object({ identityIds, siteId: idField<'site'>() }),
  answer: z.object({ assigned: z.int() }),
  errors: ['identity.not_in_stock', 'identity.number_taken'],
});

export const removeIdentities = route({
  method: 'POST',
  path: '/station-identities/removals',
  summary: 'Remove identities in stock, whose numbers become free: all of them or none',
  permission: 'station.delete',
  body: z.object({ identityIds }),
  answer: z.object({ removed: z.int() }),
  errors: ['identity.not_in_stock'],
});
