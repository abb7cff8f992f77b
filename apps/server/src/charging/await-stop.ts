import type { OrderId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { appendTimeline, flagOrder, timelineEntry } from '../orders/order-record.ts';
import { type ChargeSettled, lockOrder } from '../orders/settle-charge.ts';

/**
 * The charge is over but its stop is missing: it waits in `settling`, its hold kept, for the stop or a person. Null when
 * it runs no more.
 */
export async function awaitStop(
  trx: Transaction<Tables>,
  orderId: OrderId,
  { now, evidence }: { now: Instant; evidence: Readonly<Record<string, unknown>> },
): Promise<ChargeSettled | null> {
  const order = await lockOrder(trx, orderId);
  if (order.state !== 'charging') return null;
  await flagOrder(trx, orderId, [{ rule: 'no_stop_received', evidence }], now);
  await trx
    .updateTable('orders')
    .set({
      state: 'settling',
      abnormal: true,
      ended_at: order.last_reading_at ?? order.started_at ?? now,
      stop_reason: 'no_stop_received',
      power_w: null,
      timeline: appendTimeline(timelineEntry(now, 'settlement_waits', { because: 'no_stop_received' })) as never,
    })
    .where('id', '=', orderId)
    .execute();
  return {
    id: orderId,
    number: order.number,
    state: 'settling',
    connectorId: order.connector_id,
    connectorNumber: order.connector_number,
    agentId: order.agent_id,
    transactionNumber: order.transaction_number,
    energyWh: order.energy_wh,
    electricityFeeFen: order.electricity_fee_fen,
    serviceFeeFen: order.service_fee_fen,
  };
}
