import { isBadStop } from '@voltdeck/charging/start-attempt';
import type { Pause } from '@voltdeck/charging/story/troubles';
import type { Order } from '@voltdeck/contract/orders';
import type { Instant } from '@voltdeck/units/instant';
import { orderList } from '../orders/queries.ts';
import type { Telling } from './telling.ts';

type Of = { stationId: number } | { customerId: number };

/** The orders of a station or a customer that were placed in a period, each in two sentences; the rest is its own story. */
export async function tellOrders(telling: Telling, of: Of, period: { from: string; to: string }): Promise<Order[]> {
  const orders = await telling.read<Order>('order', orderList, { ...of, time: 'placed', ...period });
  for (const order of orders) {
    const { number, stationName, connectorNumber, energyWh, amountFen, owedFen, stopReason } = order;
    const link = { to: 'order-story', id: order.id } as const;
    telling.tell(order.placedAt, { kind: 'order_placed', params: { number, stationName, connectorNumber } }, { link });
    const endedAt = order.endedAt ?? order.placedAt;
    if (order.state === 'cancelled') {
      telling.tell(endedAt, { kind: 'order_cancelled', params: { number } }, { link });
    } else if (order.state === 'settling') {
      const params = { number, energyWh, stopReason };
      telling.tell(order.waitsSince ?? endedAt, { kind: 'order_waits', params }, { link });
    } else if (order.state === 'completed') {
      const params = { number, energyWh, amountFen, owedFen, stopReason };
      telling.tell(
        endedAt,
        { kind: owedFen > 0 ? 'order_owes' : 'order_ended', params },
        { link, isTrouble: isBadStop(stopReason) },
      );
    }
  }
  return orders;
}

/** When they charged. */
export function chargesOf(orders: readonly Order[], now: Instant): Pause[] {
  return orders.flatMap(({ startedAt, endedAt }) =>
    startedAt === null ? [] : [{ fromMs: Date.parse(startedAt), toMs: endedAt === null ? now : Date.parse(endedAt) }],
  );
}
