import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import type { OrderId, StationId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant } from '@voltdeck/units/instant';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { authorizeCard, nobody, type Payer, payerOfPlaced } from '../orders/authorize-card.ts';
import { readingMarginMs } from '../orders/order-readings.ts';
import type { Flag } from '../orders/order-record.ts';
import { isAwaitingStop, lockOrderOf } from '../orders/settle-charge.ts';
import { type Beginning, type Begun, beginOrder, closeFormer } from './begin-order.ts';
import type { StationSession } from './station-session.ts';
import { soundVin } from './vehicle-of-order.ts';

/** Piles keep records for weeks; an older one has lost its time. */
const recordAgeMaxMs = 90 * dayMs;
const shanghaiOffsetMs = 8 * hourMs;

/** The station begins a charge that had a name before. */
export type NamedStart = ChargeStarted & { transaction: string };

export function isNamedStart(event: ChargeStarted): event is NamedStart {
  return typeof event.transaction === 'string' && isNamed(event.transaction);
}

const refused = { transactionNumber: 0, expiresAt: null, orderId: null, isRunning: false, closed: null } as const;

/**
 * The charge of a name begins: the order that was placed under it, or a new one when the station made the name up while
 * it was offline. Told again, it is the same order. Who pays for a charge begun offline may be known only at its end, so
 * it runs unasked until then.
 *
 * A charge whose order was cancelled must not run: while it does, the answer is `blocked`. Once its energy is on record
 * it becomes an order of its own, paid by who placed the cancelled one and flagged.
 */
export async function startNamedCharge(
  trx: Transaction<Tables>,
  session: StationSession,
  event: NamedStart,
  receivedAt: Instant,
  /** Its end is told with it. */
  { isRecord = false } = {},
): Promise<Begun> {
  await lockName(trx, session.stationId, event.transaction);
  const known = await lockOrderOf(trx, session.stationId, event.transaction);
  if (known !== undefined && known.state !== 'placed') {
    await correctStart(trx, known, event, receivedAt);
    return {
      transactionNumber: known.transaction_number ?? 0,
      authorization: (known.start_authorization ?? 'accepted') as Authorization,
      expiresAt: null,
      orderId: known.id,
      isRunning: known.state === 'charging',
      closed: null,
    };
  }
  if (known === undefined && isRunning(event) && (await isCancelled(trx, session.stationId, event.transaction))) {
    return { ...refused, authorization: 'blocked' };
  }
  const isOver = isRecord || (await isOlderThanRunning(trx, session, event));
  if (known === undefined) return beginUnplaced(trx, session, event, { isOver, flags: [] }, receivedAt);
  const closed = isOver ? null : await closeFormer(trx, session, event, receivedAt);
  const beginning = {
    ...namesOf(session, event),
    placed: known,
    payer: payerOfPlaced(known),
    paymentType: known.payment_type,
    cardNumber: known.card_number,
    closed,
    isOver,
    flags: [],
  } satisfies Beginning;
  return beginOrder(trx, session, event, beginning, receivedAt);
}

/** All that is decided about one name is decided one after the other, on whichever node and socket it comes. */
export async function lockName(trx: Transaction<Tables>, stationId: StationId, transaction: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge:${stationId}:${transaction}`}, 0))`.execute(trx);
}

/** An order for a charge that was not placed, or whose order was cancelled. */
export async function beginUnplaced(
  trx: Transaction<Tables>,
  session: StationSession,
  event: NamedStart,
  { isOver, flags }: { isOver: boolean; flags: readonly Flag[] },
  receivedAt: Instant,
): Promise<Begun> {
  const closed = isOver ? null : await closeFormer(trx, session, event, receivedAt);
  const names = namesOf(session, event);
  const cancelled = await findCancelled(trx, session.stationId, event.transaction);
  if (cancelled !== undefined) {
    const evidence = { transaction: event.transaction, cancelledOrder: cancelled.number };
    const beginning = {
      ...names,
      placed: null,
      payer: payerOfPlaced(cancelled),
      paymentType: cancelled.payment_type,
      startMode: cancelled.start_mode,
      cardNumber: cancelled.card_number,
      ...(cancelled.tariff === null
        ? {}
        : { tariff: { id: cancelled.tariff_id, kind: cancelled.billing_type, detail: cancelled.tariff } }),
      closed,
      isOver,
      flags: [...flags, { rule: 'start_missing', evidence }],
    } satisfies Beginning;
    return beginOrder(trx, session, event, beginning, receivedAt);
  }
  const payer: Payer =
    event.cardNumber === undefined
      ? { ...nobody, authorization: 'accepted' }
      : await authorizeCard(trx, event.cardNumber, receivedAt, { lock: true });
  const beginning = {
    ...names,
    placed: null,
    payer,
    paymentType: 'card',
    startMode: 'card',
    cardNumber: payer.card?.number ?? event.cardNumber ?? null,
    closed,
    isOver,
    flags,
  } satisfies Beginning;
  return beginOrder(trx, session, event, beginning, receivedAt);
}

function namesOf(session: StationSession, event: NamedStart) {
  return {
    startKey: `${session.stationId}|${event.transaction}`,
    transactionKey: event.transaction,
    vin: soundVin(event.vin),
  };
}

/** A charge that is told while it runs has neither card nor true time yet; its record has at least one of them. */
function isRunning(event: NamedStart): boolean {
  return event.at === undefined && event.cardNumber === undefined;
}

async function isCancelled(trx: Transaction<Tables>, stationId: StationId, transaction: string): Promise<boolean> {
  return (await findCancelled(trx, stationId, transaction)) !== undefined;
}

async function findCancelled(trx: Transaction<Tables>, stationId: StationId, transaction: string) {
  return trx
    .selectFrom('orders')
    .select([
      'number',
      'payment_type',
      'start_mode',
      'billing_type',
      'card_id',
      'customer_id',
      'card_number',
      'balance_before_fen',
      'tariff_id',
      'tariff',
    ])
    .where('station_id', '=', stationId)
    .where('transaction_key', '=', transaction)
    .where('state', '=', 'cancelled')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A record may come late, when the next charge runs on its gun port already. */
async function isOlderThanRunning(
  trx: Transaction<Tables>,
  session: StationSession,
  event: NamedStart,
): Promise<boolean> {
  const connector = session.connectors.get(event.connectorNumber);
  if (connector === undefined || event.at === undefined) return false;
  const running = await trx
    .selectFrom('orders')
    .select('id')
    .where('connector_id', '=', connector.id)
    .where('state', '=', 'charging')
    .where('started_at', '>=', event.at)
    .executeTakeFirst();
  return running !== undefined;
}

/**
 * A charge heard of while it ran began when we heard of it; its record knows better. Start and end are of one clock, as
 * everywhere: an order tells both by the station's, even where that runs behind ours. But a clock that is a whole zone
 * behind is set to UTC, and knows nothing.
 */
async function correctStart(
  trx: Transaction<Tables>,
  order: Pick<Selectable<OrdersTable>, 'state' | 'stop_reason' | 'started_at'> & { id: OrderId },
  event: NamedStart,
  receivedAt: Instant,
): Promise<void> {
  const { at } = event;
  if (at === undefined || at > receivedAt || at < receivedAt - recordAgeMaxMs) return;
  if (order.started_at === null || at === order.started_at || !isAwaitingStop(order)) return;
  if (Math.abs(order.started_at - at - shanghaiOffsetMs) <= readingMarginMs) return;
  await trx.updateTable('orders').set({ started_at: at }).where('id', '=', order.id).execute();
}
