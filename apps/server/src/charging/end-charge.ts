import type { ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import type { ConnectorId, OrderId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard } from '../orders/authorize-card.ts';
import { flagOrder, nextNumber, orderNumber, timelineEntry } from '../orders/order-record.ts';
import { isAwaitingStop, lockOrder, lockOrderOf } from '../orders/settle-charge.ts';
import { endNamedCharge, type NamedStop } from './end-named-charge.ts';
import { type ChargeEnded, clockFlags, settleStop } from './settle-stop.ts';
import type { StationSession } from './station-session.ts';

/** A station says that a charge is over. One database transaction: readings, bill, money, order. */
export async function endCharge(
  context: Context<'money'>,
  session: StationSession,
  event: ChargeStopped,
  receivedAt: Instant,
): Promise<ChargeEnded> {
  return context.database.db.transaction().execute(async (trx) => {
    if (isNamedStop(event)) return endNamedCharge(trx, session, event, receivedAt);
    const order = await lockMeant(trx, session, event);
    if (order === null) return park(trx, session, event, receivedAt);
    if (!isAwaitingStop(order)) return { kind: 'repeated', transactionNumber: order.transaction_number ?? 0 };
    return settleStop(trx, session, order, event, { receivedAt, flags: [] });
  });
}

function isNamedStop(event: ChargeStopped): event is NamedStop {
  return typeof event.transaction === 'string' && isNamed(event.transaction);
}

/**
 * By the number we gave. Firmware that began offline invents 0 or a negative number: then the station's one running
 * charge that fits the card and the meter is meant. A positive number that we never gave means nobody's charge.
 */
async function lockMeant(trx: Transaction<Tables>, session: StationSession, event: ChargeStopped) {
  if (isNamed(event.transaction)) return (await lockOrderOf(trx, session.stationId, event.transaction)) ?? null;
  const orderId = await findByMeter(trx, session, event);
  return orderId === null ? null : lockOrder(trx, orderId);
}

async function findByMeter(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
): Promise<OrderId | null> {
  const parked = await trx
    .selectFrom('orders')
    .select('id')
    .where('start_key', '=', parkedKey(session, event))
    .executeTakeFirst();
  if (parked !== undefined) return parked.id;
  const { meterStopWh } = event;
  // What tells neither a register nor a card may be the end of any charge.
  if (meterStopWh === undefined && event.cardNumber === undefined) return null;
  let running = trx
    .selectFrom('orders')
    .select('id')
    .where('station_id', '=', session.stationId)
    .where('state', '=', 'charging')
    .limit(2);
  if (meterStopWh !== undefined) running = running.where('meter_start_wh', '<=', meterStopWh);
  if (event.connectorNumber !== undefined) {
    running = running.where('connector_number', '=', event.connectorNumber);
  }
  if (event.cardNumber !== undefined) running = running.where('card_number', '=', event.cardNumber);
  const candidates = await running.execute();
  if (candidates.length === 1) return candidates[0]?.id ?? null;
  if (meterStopWh === undefined) return null;
  const repeated = await trx
    .selectFrom('orders')
    .select('id')
    .where('station_id', '=', session.stationId)
    .where('state', 'in', ['completed', 'settling'])
    .where('meter_stop_wh', '=', meterStopWh)
    .where('ended_at', '=', event.at ?? (0 as Instant))
    .limit(1)
    .executeTakeFirst();
  return repeated?.id ?? null;
}

function parkedKey(session: StationSession, event: ChargeStopped): string {
  return ['stop', session.stationId, event.transaction, event.stationTime, event.meterStopWh ?? ''].join('|');
}

async function park(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  receivedAt: Instant,
): Promise<ChargeEnded> {
  const key = parkedKey(session, event);
  const known = await trx.selectFrom('orders').select('id').where('start_key', '=', key).executeTakeFirst();
  if (known !== undefined) return { kind: 'parked', orderId: known.id };
  const payer = event.cardNumber === undefined ? null : await authorizeCard(trx, event.cardNumber, receivedAt);
  const endedAt = event.at ?? receivedAt;
  const meterStopWh = event.meterStopWh ?? null;
  const connector = session.connectors.size === 1 ? [...session.connectors.values()][0] : undefined;
  const order = await trx
    .insertInto('orders')
    .values({
      number: orderNumber(receivedAt, await nextNumber(trx, 'order_numbers')),
      state: 'settling',
      payment_type: 'card',
      start_mode: 'card',
      billing_type: 'energy',
      abnormal: true,
      site_id: session.siteId,
      station_id: session.stationId,
      connector_id: connector?.id ?? (0 as ConnectorId),
      connector_number: connector?.number ?? 0,
      agent_id: session.agentId,
      customer_id: payer?.customerId ?? null,
      card_id: payer?.cardId ?? null,
      card_number: event.cardNumber ?? null,
      start_key: key,
      meter_stop_wh: meterStopWh,
      placed_at: receivedAt,
      ended_at: endedAt,
      stop_reason: event.reason,
      timeline: JSON.stringify([
        timelineEntry(receivedAt, 'ended', { at: toIso(endedAt), meterWh: meterStopWh, reason: event.reason }),
      ]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const evidence = {
    transaction: event.transaction,
    cardNumber: event.cardNumber ?? null,
    meterStopWh,
    stationTime: event.stationTime,
  };
  await flagOrder(trx, order.id, [{ rule: 'start_missing', evidence }, ...clockFlags(event, receivedAt)], receivedAt);
  return { kind: 'parked', orderId: order.id };
}
