import { connectorStates, orderStates } from '@voltdeck/charging/states';
import { invoiceStates } from '@voltdeck/invoices/states';
import * as z from 'zod/mini';
import { approvalStates } from './approvals.ts';
import { idField, instantField } from './fields.ts';
import type { RoutePermission } from './permissions.ts';
import { route } from './route.ts';
import { taskStates } from './tasks.ts';

/**
 * What the server pushes to consoles (server-sent events, `data:` is one of these as JSON). Each names the record and
 * carries what a list needs to update its row; a page that needs more fetches the record.
 */
export const consoleEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order-changed'),
    orderId: idField<'order'>(),
    number: z.string(),
    state: z.enum(orderStates),
    connectorId: z.nullable(idField<'connector'>()),
    energyWh: z.int(),
    amountFen: z.int(),
    electricityFeeFen: z.int(),
    serviceFeeFen: z.int(),
    powerW: z.nullable(z.int()),
    socPercent: z.nullable(z.int()),
    at: instantField,
  }),
  /** The charge as its port shows it, for users who may see ports but not orders. */
  z.object({
    kind: z.literal('port-order-changed'),
    orderId: idField<'order'>(),
    number: z.string(),
    state: z.enum(orderStates),
    connectorId: z.nullable(idField<'connector'>()),
    powerW: z.nullable(z.int()),
    socPercent: z.nullable(z.int()),
    at: instantField,
  }),
  /** Totals over orders changed, for users who may see only totals. */
  z.object({ kind: z.literal('figures-changed') }),
  z.object({
    kind: z.literal('connector-changed'),
    connectorId: idField<'connector'>(),
    stationId: idField<'station'>(),
    number: z.int(),
    state: z.enum(connectorStates),
    at: instantField,
  }),
  z.object({
    kind: z.literal('station-changed'),
    stationId: idField<'station'>(),
    online: z.boolean(),
    at: instantField,
  }),
  /** The list of unregistered stations changed. */
  z.object({ kind: z.literal('unknown-stations-changed') }),
  /** A price change was made, cancelled or carried out; its stations tell of themselves. */
  z.object({ kind: z.literal('price-change-changed'), priceChangeId: idField<'price_change'>() }),
  /** An act began to wait for a second person, or waits no more. */
  z.object({ kind: z.literal('approval-changed'), approvalId: idField<'approval'>(), state: z.enum(approvalStates) }),
  /** A pull of a partner's stations ended. */
  z.object({
    kind: z.literal('partner-pull-changed'),
    pullId: idField<'partner_pull'>(),
    partnerId: idField<'partner'>(),
  }),
  /** A payment by code changed. */
  z.object({ kind: z.literal('recharge-code-changed'), rechargeCodeId: idField<'channel_payment'>() }),
  /** An invoice is at another step. */
  z.object({ kind: z.literal('invoice-changed'), invoiceId: idField<'invoice'>(), state: z.enum(invoiceStates) }),
  /** One of the caller's own tasks changed. */
  z.object({
    kind: z.literal('task-changed'),
    taskId: idField<'task'>(),
    state: z.enum(taskStates),
    doneCount: z.int(),
    totalCount: z.nullable(z.int()),
  }),
  /** Events were dropped (slow connection, restart): fetch what is shown again. */
  z.object({ kind: z.literal('missed') }),
]);
export type ConsoleEvent = z.output<typeof consoleEvent>;
export type ConsoleEventKind = ConsoleEvent['kind'];

/**
 * Who may receive each kind of event: any one of these permissions is enough. An event reveals nothing that their lists
 * do not show.
 */
export const eventPermissions: Readonly<Record<ConsoleEventKind, RoutePermission>> = {
  'order-changed': 'order.read',
  'port-order-changed': ['connector.read', 'station.read'],
  'figures-changed': 'overview.read',
  'connector-changed': ['connector.read', 'station.read', 'site.read', 'overview.read'],
  'station-changed': ['station.read', 'connector.read', 'site.read', 'overview.read'],
  'unknown-stations-changed': 'station.create',
  'price-change-changed': 'price_change.read',
  'approval-changed': 'approval.read',
  'partner-pull-changed': 'partner_site.read',
  'recharge-code-changed': ['recharge.create', 'recharge.read'],
  'invoice-changed': ['invoice.read'],
  'task-changed': 'signed-in',
  missed: 'signed-in',
};

export const streamEvents = route({
  method: 'GET',
  path: '/events',
  summary: 'Server-sent events for consoles, within the data scope of the caller',
  permission: 'signed-in',
  answer: z.unknown(),
  answerKind: 'stream',
  errors: [],
});
