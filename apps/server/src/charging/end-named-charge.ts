import type { ChargeStopped } from '@voltdeck/charging/station-event';
import { connectorOfTransactionKey } from '@voltdeck/charging/transaction-key';
import { wattHours } from '@voltdeck/units/energy';
import type { Instant } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard } from '../orders/authorize-card.ts';
import { closeUnbegun } from '../orders/cancel-order.ts';
import { readingsOf } from '../orders/order-readings.ts';
import { type Flag, flagOrder, timelineEntry } from '../orders/order-record.ts';
import { isAwaitingStop, lockOrder, lockOrderOf } from '../orders/settle-charge.ts';
import { type ChargeEnded, noteRecord, settleStop } from './settle-stop.ts';
import { beginUnplaced, lockName, type NamedStart, startNamedCharge } from './start-named-charge.ts';
import type { StationSession } from './station-session.ts';

/** A station's record of a charge that had a name before it began. */
export type NamedStop = ChargeStopped & { transaction: string };

type LockedOrder = Awaited<ReturnType<typeof lockOrder>>;

/**
 * The record of a charge is settled once, however often and wherever it comes. One that tells of a failed start gives
 * the hold back; one of a charge that nobody placed, or whose order was cancelled, becomes an order of its own when it
 * tells of energy.
 */
export async function endNamedCharge(
  trx: Transaction<Tables>,
  session: StationSession,
  event: NamedStop,
  receivedAt: Instant,
): Promise<ChargeEnded> {
  await lockName(trx, session.stationId, event.transaction);
  const known = await lockOrderOf(trx, session.stationId, event.transaction);
  const isEmpty = event.meterStopWh !== undefined && event.meterStopWh <= 0;
  if (known === undefined) {
    if (isEmpty) return { kind: 'empty' };
    return settleUnplaced(trx, session, event, receivedAt);
  }
  if (known.state !== 'placed' && !isAwaitingStop(known)) {
    await compareWithClosed(trx, known, event, receivedAt);
    return { kind: 'repeated', transactionNumber: known.transaction_number ?? 0 };
  }
  if (isEmpty && (known.state === 'placed' || event.failedToStart === true) && !(await hasEnergy(trx, known))) {
    const moved = await closeUnbegun(trx, known, {
      at: receivedAt,
      entries: [
        timelineEntry(receivedAt, 'start_refused', {
          stopReason: event.reason,
          ...(event.reasonCode === undefined ? {} : { stopCode: event.reasonCode }),
        }),
        timelineEntry(receivedAt, 'cancelled'),
      ],
    });
    await noteRecord(trx, known, event, { stop_reason: event.reason });
    return { kind: 'cancelled', order: moved, transactionNumber: known.transaction_number };
  }
  if (known.state === 'placed') {
    // The record comes before anything else was heard: it begins and ends the charge.
    await startNamedCharge(trx, session, startOf(session, event), receivedAt, { isRecord: true });
  }
  const flags = await findPayer(trx, known, event, receivedAt);
  const order = await lockOrder(trx, known.id);
  return settleStop(trx, session, order, event, { receivedAt, flags });
}

async function settleUnplaced(
  trx: Transaction<Tables>,
  session: StationSession,
  event: NamedStop,
  receivedAt: Instant,
): Promise<ChargeEnded> {
  const evidence = { transaction: event.transaction, cardNumber: event.cardNumber ?? null };
  const flags: Flag[] = [{ rule: 'start_missing', evidence }];
  const { orderId } = await beginUnplaced(trx, session, startOf(session, event), { isOver: true, flags }, receivedAt);
  if (orderId === null) throw new Error(`the charge ${event.transaction} was not begun`);
  const order = await lockOrder(trx, orderId);
  const payerFlags = await findPayer(trx, order, event, receivedAt);
  return settleStop(trx, session, await lockOrder(trx, orderId), event, { receivedAt, flags: payerFlags });
}

/** The start that a stop without one stands for: all that is known of it is its end. */
function startOf(session: StationSession, event: NamedStop): NamedStart {
  const only = session.connectors.size === 1 ? [...session.connectors.keys()][0] : undefined;
  return {
    kind: 'charge-started',
    connectorNumber: event.connectorNumber ?? connectorOfTransactionKey(event.transaction) ?? only ?? 1,
    ...(event.cardNumber === undefined ? {} : { cardNumber: event.cardNumber }),
    transaction: event.transaction,
    meterStartWh: wattHours(0),
    ...(event.at === undefined ? {} : { at: event.at }),
    stationTime: event.stationTime,
  };
}

/** Whoever charged offline is known by the record's card: they pay. Money of nobody is for a person to look into. */
async function findPayer(
  trx: Transaction<Tables>,
  order: LockedOrder,
  { cardNumber }: NamedStop,
  at: Instant,
): Promise<Flag[]> {
  if (order.card_id !== null || order.customer_id !== null) return [];
  if (cardNumber === undefined) {
    return [{ rule: 'card_not_accepted', evidence: { cardNumber: null, authorization: 'unknown' } }];
  }
  const payer = await authorizeCard(trx, cardNumber, at, { lock: true });
  await trx
    .updateTable('orders')
    .set({
      card_number: payer.card?.number ?? cardNumber,
      card_id: payer.cardId,
      customer_id: payer.customerId,
      payment_type: 'card',
      balance_before_fen: payer.wallet === null ? null : payer.availableFen,
    })
    .where('id', '=', order.id)
    .execute();
  if (payer.authorization === 'accepted') return [];
  return [{ rule: 'card_not_accepted', evidence: { cardNumber, authorization: payer.authorization } }];
}

async function hasEnergy(trx: Transaction<Tables>, order: LockedOrder): Promise<boolean> {
  if (order.started_at === null) return false;
  const registerWh = order.meter_start_wh ?? 0;
  const readings = await readingsOf(trx, order.id, order.started_at);
  return readings.some(({ energyWh }) => energyWh !== null && energyWh > registerWh);
}

/** A charge that was closed without its record: what the record says now is kept, and a person told when it differs. */
async function compareWithClosed(
  trx: Transaction<Tables>,
  order: LockedOrder,
  event: NamedStop,
  at: Instant,
): Promise<void> {
  const { station_bill: told } = await trx
    .selectFrom('orders')
    .select('station_bill')
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  if (told !== null || event.bill === undefined) return;
  await noteRecord(trx, order, event);
  if (event.meterStopWh === undefined) return;
  const energyWh = event.meterStopWh - (order.meter_start_wh ?? 0);
  if (energyWh === order.energy_wh) return;
  const evidence = {
    stationAmountE4: event.bill.amountE4,
    stationFen: Math.round(event.bill.amountE4 / 100),
    oursFen: order.amount_fen,
    energyWh,
    billedWh: order.energy_wh,
  };
  await flagOrder(trx, order.id, [{ rule: 'amount_differs', evidence }], at);
  await trx.updateTable('orders').set({ abnormal: true }).where('id', '=', order.id).execute();
}
