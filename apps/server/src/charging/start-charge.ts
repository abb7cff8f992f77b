import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import { type Instant, minuteMs } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, payerOfPlaced } from '../orders/authorize-card.ts';
import { type Begun, beginOrder, closeFormer } from './begin-order.ts';
import { isNamedStart, startNamedCharge } from './start-named-charge.ts';
import { type OpenOrder, openOrderColumns, openOrderOf, type StationSession } from './station-session.ts';

/** A charge asked for from the console waits so long for the station to begin it. */
export const placedOrderMaxMs = 5 * minuteMs;

export type ChargeBegun = Omit<Begun, 'orderId' | 'isRunning'> & {
  /** Null when it was begun before and has ended since, or may not begin. */
  order: OpenOrder | null;
};

/**
 * A station says that energy begins to flow. It always gets a transaction number, even for a card that may not charge
 * (OCPP 1.6, section 4.8); the same start told twice is one order. One database transaction.
 */
export async function startCharge(
  context: Context<'money'>,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
): Promise<ChargeBegun> {
  const startKey = startKeyOf(session, event);
  const begun = await context.database.db.transaction().execute(async (trx): Promise<Begun> => {
    if (isNamedStart(event)) return startNamedCharge(trx, session, event, receivedAt);
    const known = await trx
      .selectFrom('orders')
      .select([...openOrderColumns, 'state'])
      .where('start_key', '=', startKey)
      .executeTakeFirst();
    if (known !== undefined) {
      return {
        transactionNumber: known.transaction_number ?? 0,
        authorization: (known.start_authorization ?? 'accepted') as Authorization,
        expiresAt: null,
        orderId: known.id,
        isRunning: known.state === 'charging',
        closed: null,
      };
    }
    return begin(trx, session, event, startKey, receivedAt);
  });
  if (begun.orderId === null || !begun.isRunning) return { ...begun, order: null };
  const row = await context.database.db
    .selectFrom('orders')
    .select(openOrderColumns)
    .where('id', '=', begun.orderId)
    .executeTakeFirstOrThrow();
  return { ...begun, order: await openOrderOf(context.database, row) };
}

/** A repeated start has the same key, with the same message id or a new one (read of several stations' retries). */
function startKeyOf(session: StationSession, event: ChargeStarted): string {
  return [session.stationId, event.connectorNumber, event.cardNumber, event.stationTime, event.meterStartWh].join('|');
}

/**
 * A charge that the station names after it began. It belongs to the order that was placed for this card, or to the
 * card itself.
 */
async function begin(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  startKey: string,
  receivedAt: Instant,
): Promise<Begun> {
  const closed = await closeFormer(trx, session, event, receivedAt);
  const placed = await trx
    .selectFrom('orders')
    .selectAll()
    .where('station_id', '=', session.stationId)
    .where('state', '=', 'placed')
    .where('card_number', '=', event.cardNumber ?? '')
    .orderBy('placed_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const payer =
    placed === undefined
      ? await authorizeCard(trx, event.cardNumber ?? '', receivedAt, { lock: true })
      : payerOfPlaced(placed);
  return beginOrder(
    trx,
    session,
    event,
    {
      startKey,
      transactionKey: null,
      placed: placed ?? null,
      payer,
      paymentType: 'card',
      cardNumber: event.cardNumber ?? null,
      vin: null,
      closed,
      isOver: false,
      flags: [],
    },
    receivedAt,
  );
}
