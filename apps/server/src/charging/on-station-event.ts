import type { EventAnswer, StationEvent } from '@voltdeck/charging/station-event';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { ScopedEvent } from '../bus/bus.ts';
import type { Context } from '../context.ts';
import type { ConnectorChange } from '../journal/connectors.ts';
import type { GroundLockChange } from '../journal/ground-locks.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import { authorizeCard } from '../orders/authorize-card.ts';
import { publishMoved } from '../orders/order-events.ts';
import { checkTariff, giveTariff } from '../stations/tariffs/answer-tariff.ts';
import { decideCharge } from './decide-charge.ts';
import { endCharge } from './end-charge.ts';
import { keepWithinLimits } from './keep-within-limits.ts';
import { runningEvent } from './running-event.ts';
import { startCharge } from './start-charge.ts';
import type { SessionConnector, StationSession } from './station-session.ts';
import { figuresDue, orderOfReadings, takeReadings } from './take-readings.ts';
import { noteVehicle } from './vehicle-of-order.ts';

/** How often a station is asked to show that it lives. */
export const heartbeatSeconds = 300;

export type NotedEvent = Pick<
  JournalEntry,
  'readings' | 'connectorChanges' | 'groundLockChanges' | 'notes' | 'figures'
> & {
  /** What consoles are to be told once all this is durable. */
  events?: readonly ScopedEvent[];
};

/**
 * What an event that needs no decision makes durable and whom it tells then: it moves the session on and fills the
 * journal's entry. The events that need one go through `onStationEvent`.
 */
export function notePlainEvent(
  context: Context,
  session: StationSession,
  event: StationEvent,
  receivedAt: Instant,
): NotedEvent {
  if (event.kind === 'readings-taken') {
    const order = orderOfReadings(session, event);
    if (order === null) return {};
    const readings = takeReadings(order, event.readings, receivedAt);
    const running = runningEvent(order, receivedAt);
    keepWithinLimits(context.on('money'), session, order);
    const figures = figuresDue(order, receivedAt);
    return {
      readings,
      ...(figures !== undefined && { figures }),
      ...(running !== null && { events: [running] }),
    };
  }
  if (event.kind === 'connector-state-changed') {
    return changeConnector(session, event, receivedAt);
  }
  if (event.kind === 'ground-lock-changed') {
    return changeGroundLock(session, event, receivedAt);
  }
  if (event.kind === 'charge-noted') {
    const { connectorNumber, note } = event;
    if (note.kind === 'vehicle-identified') noteVehicle(context, session, event, note.values.vin);
    const orderId = orderOfReadings(session, event)?.id ?? null;
    return { notes: [{ at: receivedAt, orderId, stationId: session.stationId, connectorNumber, note }] };
  }
  return {};
}

function changeConnector(
  session: StationSession,
  event: Extract<StationEvent, { kind: 'connector-state-changed' }>,
  receivedAt: Instant,
): NotedEvent {
  const connector = session.connectors.get(event.connectorNumber);
  if (connector === undefined) return {};
  connector.state = event.state;
  const change: ConnectorChange = {
    connectorId: connector.id,
    state: event.state,
    at: receivedAt,
    faultCode: event.state === 'fault' ? (event.fault?.code ?? null) : null,
    faultInfo: event.fault?.info ?? null,
  };
  return { connectorChanges: [change], events: [connectorEvent(session, connector, receivedAt)] };
}

function changeGroundLock(
  session: StationSession,
  event: Extract<StationEvent, { kind: 'ground-lock-changed' }>,
  receivedAt: Instant,
): NotedEvent {
  const connector = session.connectors.get(event.connectorNumber);
  if (connector === undefined) return {};
  const { lock, bay, batteryPercent, alarm = null } = event;
  const change: GroundLockChange = { connectorId: connector.id, lock, bay, batteryPercent, alarm, at: receivedAt };
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

/** Decides an event; when it returns, what was decided is durable. Throws when the database is away. */
export async function onStationEvent(
  context: Context<'money'>,
  session: StationSession,
  event: StationEvent,
  receivedAt: Instant,
): Promise<EventAnswer> {
  switch (event.kind) {
    case 'booted':
      await storeIdentity(context, session, event, receivedAt);
      return { kind: 'boot', decision: 'accepted', heartbeatSeconds };
    case 'authorization-requested': {
      if (await isExpected(context, session, event.cardNumber))
        return { kind: 'authorization', authorization: 'accepted' };
      const payer = await authorizeCard(context.database.db, event.cardNumber, receivedAt);
      return { kind: 'authorization', authorization: payer.authorization, ...expiry(payer.expiresAt) };
    }
    case 'charge-requested': {
      const { answer, placed } = await decideCharge(context, session, event, receivedAt);
      if (placed !== null) publishMoved(context, placed);
      return answer;
    }
    case 'charge-started': {
      const begun = await startCharge(context, session, event, receivedAt);
      if (begun.closed !== null) {
        if (begun.closed.transactionNumber !== null) session.orders.delete(begun.closed.transactionNumber);
        publishMoved(context, begun.closed);
      }
      if (begun.order !== null) {
        if (!session.orders.has(begun.transactionNumber)) session.orders.set(begun.transactionNumber, begun.order);
        const running = runningEvent(begun.order, receivedAt);
        if (running !== null) context.bus.publish(running);
      }
      const { transactionNumber, authorization } = begun;
      return { kind: 'charge-started', transactionNumber, authorization, ...expiry(begun.expiresAt) };
    }
    case 'charge-stopped': {
      const ended = await endCharge(context, session, event, receivedAt);
      if (ended.kind === 'settled') {
        if (ended.order.transactionNumber !== null) session.orders.delete(ended.order.transactionNumber);
        publishMoved(context, ended.order);
      } else if (ended.kind === 'cancelled') {
        if (ended.transactionNumber !== null) session.orders.delete(ended.transactionNumber);
        publishMoved(context, ended.order);
      } else if (ended.kind === 'repeated') {
        session.orders.delete(ended.transactionNumber);
      }
      return { kind: 'charge-stopped' };
    }
    case 'tariff-reported':
      return checkTariff(context, session, event.version, receivedAt);
    case 'tariff-requested':
      return giveTariff(context, session, receivedAt);
    case 'data-transferred':
      return { kind: 'data-transferred', status: 'unknown_vendor' };
    default:
      return { kind: 'noted' };
  }
}

/**
 * Whether the card belongs to a charge of this very station: one that runs here (the driver asks to stop it) or one that
 * was placed and waits for the station to begin. Their money is held already, so the free balance says nothing.
 */
async function isExpected(context: Context, session: StationSession, cardNumber: string): Promise<boolean> {
  for (const order of session.orders.values()) if (order.cardNumber === cardNumber) return true;
  const placed = await context.database.db
    .selectFrom('orders')
    .select('id')
    .where('station_id', '=', session.stationId)
    .where('state', '=', 'placed')
    .where('card_number', '=', cardNumber)
    .limit(1)
    .executeTakeFirst();
  return placed !== undefined;
}

function expiry(expiresAt: Instant | null): { expiresAt?: Instant } {
  return expiresAt === null ? {} : { expiresAt };
}

async function storeIdentity(
  context: Context,
  session: StationSession,
  { identity }: Extract<StationEvent, { kind: 'booted' }>,
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
      iccid: identity.iccid ?? null,
      imsi: identity.imsi ?? null,
      booted_at: receivedAt,
    })
    .where('id', '=', session.stationId)
    .execute();
}
