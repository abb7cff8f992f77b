import { isAwaitingStop } from '@voltdeck/charging/charge/charge';
import { authorizationAt, authorizationToBegin } from '@voltdeck/charging/charge/decide-authorization';
import type { Authorization } from '@voltdeck/charging/states';
import type { DecidedEvent, EventAnswer, PlainEvent } from '@voltdeck/charging/station-event';
import { FewByNumber } from '@voltdeck/units/few-by-number';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { unreachable } from '@voltdeck/units/result';
import type { Kysely, Transaction } from 'kysely';
import type { ScopedEvent } from '../bus/bus.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { ConnectorChange } from '../journal/connectors.ts';
import type { GroundLockChange } from '../journal/ground-locks.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { authorizeCard, type Payer } from '../orders/authorize-card.ts';
import { type OrderMoved, publishMoved } from '../orders/order-events.ts';
import { chargeOf } from '../orders/order-row.ts';
import { checkTariff, giveTariff } from '../stations/tariffs/answer-tariff.ts';
import { keepFailed } from './keep-failed.ts';
import { keepAllWithinLimits, keepWithinLimits } from './keep-within-limits.ts';
import { noteRefusedCard } from './note-refused-card.ts';
import { runningEvent } from './running-event.ts';
import { atTapOf, authorizationHere, isFreeOfCharge, readStation } from './station-facts.ts';
import { forgetCharge, openOrder, openOrderOf, type SessionConnector, type StationSession } from './station-session.ts';
import { figuresDue, orderOfReadings, takeReadings } from './take-readings.ts';
import { takeRequest } from './take-request.ts';
import { type StartTaken, takeStart } from './take-start.ts';
import { takeStop } from './take-stop.ts';
import { noteVehicle } from './vehicle-of-order.ts';

/** The heartbeat interval given to stations. */
export const heartbeatSeconds = 300;

export type NotedEvent = Pick<
  JournalEntry,
  'readings' | 'connectorChanges' | 'groundLockChanges' | 'notes' | 'figures'
> & {
  /** What to publish to consoles once all this is durable. */
  events?: readonly ScopedEvent[];
};

/** What a plain event stores and then publishes: it updates the session and fills the journal's entry. */
export function notePlainEvent(
  context: Context,
  session: StationSession,
  event: PlainEvent,
  receivedAt: Instant,
): NotedEvent {
  switch (event.kind) {
    case 'readings-taken':
      return noteReadings(context, session, event, receivedAt);
    case 'connector-state-changed':
      return changeConnector(session, event, receivedAt);
    case 'ground-lock-changed':
      return changeGroundLock(session, event, receivedAt);
    case 'charge-noted': {
      const { connectorNumber, note } = event;
      if (note.kind === 'vehicle-identified') noteVehicle(context, session, event, note.values.vin);
      const orderId = orderOfReadings(session, event)?.id ?? null;
      return { notes: [{ at: receivedAt, orderId, stationId: session.stationId, connectorNumber, note }] };
    }
    case 'heartbeat':
      keepAllWithinLimits(context.on('money'), session);
      return {};
    // The interaction log has their content.
    case 'firmware-status-changed':
    case 'diagnostics-status-changed':
    case 'security-event-reported':
    case 'certificate-requested':
      return {};
    default:
      return unreachable(event);
  }
}

function noteReadings(
  context: Context,
  session: StationSession,
  event: Extract<PlainEvent, { kind: 'readings-taken' }>,
  receivedAt: Instant,
): NotedEvent {
  const order = orderOfReadings(session, event);
  if (order === null) return {};
  const readings = takeReadings(order, event.readings, receivedAt);
  if (!order.isRunning) return { readings };
  const running = runningEvent(order, receivedAt);
  keepWithinLimits(context.on('money'), session, order);
  const figures = figuresDue(order, receivedAt);
  return {
    readings,
    ...(figures !== undefined && { figures }),
    ...(running !== null && { events: [running] }),
  };
}

function changeConnector(
  session: StationSession,
  event: Extract<PlainEvent, { kind: 'connector-state-changed' }>,
  receivedAt: Instant,
): NotedEvent {
  const connector = session.connectors.get(event.connectorNumber);
  if (connector === undefined) return {};
  connector.state = event.state;
  const change: ConnectorChange = {
    connectorId: connector.id,
    stationId: session.stationId,
    state: event.state,
    at: receivedAt,
    faultCode: event.state === 'fault' ? (event.fault?.code ?? null) : null,
    faultInfo: event.fault?.info ?? null,
  };
  return { connectorChanges: [change], events: [connectorEvent(session, connector, receivedAt)] };
}

function changeGroundLock(
  session: StationSession,
  event: Extract<PlainEvent, { kind: 'ground-lock-changed' }>,
  receivedAt: Instant,
): NotedEvent {
  const connector = session.connectors.get(event.connectorNumber);
  if (connector === undefined) return {};
  const { lock, bay, batteryPercent, alarm = null } = event;
  const change: GroundLockChange = {
    connectorId: connector.id,
    stationId: session.stationId,
    lock,
    bay,
    batteryPercent,
    alarm,
    at: receivedAt,
  };
  return { groundLockChanges: [change], events: [connectorEvent(session, connector, receivedAt)] };
}

function connectorEvent(session: StationSession, connector: SessionConnector, at: Instant): ScopedEvent {
  return {
    agentId: session.agentId,
    event: {
      kind: 'connector-changed',
      connectorId: connector.id,
      stationId: session.stationId,
      number: connector.number,
      state: connector.state,
      at: toIso(at),
    },
  };
}

/** Decides an event; the decision is durable when it returns. Throws when the database is away. */
export async function onStationEvent(
  context: Context<'money'>,
  session: StationSession,
  event: DecidedEvent,
  receivedAt: Instant,
): Promise<EventAnswer> {
  switch (event.kind) {
    case 'booted':
      await storeIdentity(context, session, event, receivedAt);
      return { kind: 'boot', decision: 'accepted', heartbeatSeconds };
    case 'authorization-requested':
      return authorize(context, session, event.cardNumber, receivedAt);
    case 'charge-requested': {
      const taken = await decided(context, session, (trx, draft) => takeRequest(trx, draft, event, receivedAt));
      publishSteps(context, session, taken.moved);
      return taken.answer;
    }
    case 'charge-started': {
      const taken = await decided(context, session, (trx, draft) => takeStart(trx, draft, event, receivedAt));
      await openCharge(context, session, taken, receivedAt);
      publishSteps(context, session, taken.moved);
      const { transactionNumber, authorization, expiresAt } = taken;
      return { kind: 'charge-started', transactionNumber, authorization, ...expiry(expiresAt) };
    }
    case 'charge-stopped': {
      const taken = await decided(context, session, (trx, draft) => takeStop(trx, draft, event, receivedAt)).catch(
        (error: unknown) => keepFailed(context, session, event, { error, receivedAt }),
      );
      publishSteps(context, session, taken.moved);
      return { kind: 'charge-stopped' };
    }
    case 'tariff-reported':
      return checkTariff(context, session, event.version, receivedAt);
    case 'tariff-requested':
      return giveTariff(context, session, receivedAt);
    case 'data-transferred':
      return { kind: 'data-transferred', status: 'unknown_vendor' };
    default:
      return unreachable(event);
  }
}

/**
 * Loads the facts, asks the rules and writes the outcome, in one transaction. A gun port added by it joins the session
 * only after the commit, because an id that was rolled back never exists; other ports may have moved meanwhile.
 */
async function decided<Taken>(
  context: Context<'money'>,
  session: StationSession,
  take: (trx: Transaction<Tables>, draft: StationSession) => Promise<Taken>,
): Promise<Taken> {
  const known = new FewByNumber(session.connectors);
  const draft = { ...session, connectors: new FewByNumber(known) };
  const taken = await context.database.db.transaction().execute((trx) => take(trx, draft));
  for (const [number, connector] of draft.connectors) {
    if (connector !== known.get(number)) session.connectors.set(number, connector);
  }
  return taken;
}

/** Detaches the station's readings from orders that ended. Call it after the commit. */
function publishSteps(context: Context, session: StationSession, moved: readonly OrderMoved[]): void {
  for (const order of moved) {
    forgetCharge(session, order);
    publishMoved(context, order);
  }
}

async function openCharge(
  context: Context<'money'>,
  session: StationSession,
  { order, isNew, transactionNumber }: StartTaken,
  receivedAt: Instant,
): Promise<void> {
  if (order === null || !isAwaitingStop(chargeOf(order)) || session.orders.has(transactionNumber)) return;
  const open = isNew ? openOrder(order, [], session) : await openOrderOf(context.database, order, session);
  session.orders.set(transactionNumber, open);
  const event = open.isRunning ? runningEvent(open, receivedAt) : null;
  if (event !== null) context.bus.publish(event);
}

/**
 * Accepts a card of a charge that runs or waits at this very station: the driver asks to stop it, or the station asks
 * before it begins. Its money is already held, so the free balance does not matter, but a station that has been disabled
 * since begins nothing.
 */
async function authorize(
  context: Context,
  session: StationSession,
  cardNumber: string,
  receivedAt: Instant,
): Promise<EventAnswer> {
  for (const order of session.orders.values()) {
    if (order.isRunning && order.cardNumber === cardNumber) return { kind: 'authorization', authorization: 'accepted' };
  }
  const { db } = context.database;
  const placed = await db
    .selectFrom('orders')
    .select('id')
    .where('station_id', '=', session.stationId)
    .where('state', '=', 'placed')
    .where('card_number', '=', cardNumber)
    .limit(1)
    .executeTakeFirst();
  if (placed !== undefined) {
    const { isEnabled } = await readStation(db, session, { startedAt: receivedAt, now: receivedAt });
    return { kind: 'authorization', authorization: authorizationToBegin({ isEnabled, isPriced: true }, 'accepted') };
  }
  const payer = await authorizeCard(db, cardNumber, receivedAt);
  // A vehicle shown in place of its card.
  for (const order of session.orders.values()) {
    if (order.isRunning && order.cardNumber === payer.card?.number) {
      return { kind: 'authorization', authorization: 'accepted' };
    }
  }
  const authorization = await authorizationFor(db, session, payer, receivedAt);
  if (authorization !== 'accepted') {
    await noteRefusedCard(db, session, { authorization, payer, cardNumber, at: receivedAt });
  }
  return { kind: 'authorization', authorization, ...expiry(payer.expiresAt) };
}

/** What a card may begin here: the answer that its start would get. */
async function authorizationFor(
  db: Kysely<Tables>,
  session: StationSession,
  payer: Payer,
  receivedAt: Instant,
): Promise<Authorization> {
  if (payer.authorization !== 'accepted' && payer.authorization !== 'no_balance') return payer.authorization;
  const station = atTapOf(await readStation(db, session, { startedAt: receivedAt, now: receivedAt }), payer);
  const asked = authorizationAt({ isFree: isFreeOfCharge(station.tariff) }, authorizationHere(station, payer));
  return authorizationToBegin({ isEnabled: station.isEnabled, isPriced: station.tariff !== null }, asked);
}

function expiry(expiresAt: Instant | null): { expiresAt?: Instant } {
  return expiresAt === null ? {} : { expiresAt };
}

async function storeIdentity(
  context: Context,
  session: StationSession,
  { identity }: Extract<DecidedEvent, { kind: 'booted' }>,
  receivedAt: Instant,
): Promise<void> {
  await context.database.db
    .updateTable('stations')
    .set({
      ...(identity.vendor !== undefined && { vendor: identity.vendor }),
      ...(identity.model !== undefined && { model: identity.model }),
      protocol_version: identity.protocolVersion ?? null,
      reported_connectors: identity.connectorCount ?? null,
      serial_number: identity.serialNumber ?? null,
      firmware_version: identity.firmwareVersion ?? null,
      // A station without a say about its SIM leaves what was entered.
      ...(identity.iccid !== undefined && { iccid: identity.iccid }),
      imsi: identity.imsi ?? null,
      booted_at: receivedAt,
    })
    .where('id', '=', session.stationId)
    .execute();
}
