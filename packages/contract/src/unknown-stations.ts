import { equipmentTypes, protocols, stationTypes } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { idParameter, instantField } from './fields.ts';
import { columnsOf, listRoute } from './list.ts';
import { route } from './route.ts';
import { station, stationForm } from './stations.ts';

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
