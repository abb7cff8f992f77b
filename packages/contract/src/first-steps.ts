import { orderStates } from '@voltdeck/charging/states';
import * as z from 'zod/mini';
import { filter, idField, nothing } from './fields.ts';
import { route } from './route.ts';

/**
 * The way from an empty installation to its first charge, in order. An agent's people begin with what the platform
 * hands over.
 */
export const firstStepsOf = {
  network: ['site', 'tariff', 'station', 'connection', 'money', 'charge'],
  agent: ['handover', 'tariff', 'connection', 'staff', 'money', 'charge'],
} as const;
export const firstStepKinds = ['network', 'agent'] as const;
export type FirstStepKind = (typeof firstStepKinds)[number];
export type FirstStep = (typeof firstStepsOf)[FirstStepKind][number];
export const firstStepNames = [
  'site',
  'tariff',
  'handover',
  'station',
  'connection',
  'staff',
  'money',
  'charge',
] as const;

/** A record that is the only one of its kind, so that a form can start with it; null for none or several. */
const only = <const Kind extends string>() => z.nullable(idField<Kind>());

export const firstSteps = z.object({
  of: z.enum(firstStepKinds),
  /** `open`: something is left to do. `hidden`: the caller put the list away. `over`: the network runs. */
  state: z.enum(['open', 'hidden', 'over']),
  steps: z.array(z.object({ step: z.enum(firstStepNames), isDone: z.boolean() })),
  /** What is there already, for the forms to start with. */
  known: z.object({
    siteId: only<'site'>(),
    tariffId: only<'tariff'>(),
    /** The newest station without a billing rule, while none has one. */
    unpricedStationId: z.nullable(idField<'station'>()),
    /** The station that has never connected; null for none or several. */
    awaitedStation: z.nullable(z.object({ id: idField<'station'>(), name: z.string() })),
    awaitedStations: z.int(),
    /** The one port with a vehicle plugged in that can start. */
    pluggedConnectorId: only<'connector'>(),
    /** Whether anything can be recharged at all. */
    hasPayer: z.boolean(),
    cardId: only<'card'>(),
    customerId: only<'customer'>(),
    /** The newest order. */
    order: z.nullable(z.object({ id: idField<'order'>(), number: z.string(), state: z.enum(orderStates) })),
  }),
});
export type FirstSteps = z.output<typeof firstSteps>;

export const getFirstSteps = route({
  method: 'GET',
  path: '/overview/first-steps',
  summary: 'What is left to do until the first charge, within the data scope of the caller',
  permission: 'overview.read',
  query: z.object({
    /** Also when the network runs or the caller put the list away. */
    always: filter.flag(),
  }),
  answer: firstSteps,
  errors: [],
});

export const showFirstSteps = route({
  method: 'PUT',
  path: '/overview/first-steps/shown',
  summary: 'Put the list of first steps away, or bring it back; for the caller alone',
  permission: 'overview.read',
  body: z.object({ shown: z.boolean() }),
  answer: nothing,
  errors: [],
});
