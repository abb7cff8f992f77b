import { type Instant, toIso } from '@voltdeck/units/instant';
import type { ScopedEvent } from '../bus/bus.ts';
import type { OpenOrder } from './station-session.ts';

/** The shortest interval between two events of a running order. */
export const publishEveryMs = 1_000;

/**
 * The event of a running order to publish once it is durable; null leaves it to `catchUp`, because one was published a
 * moment ago.
 */
export function runningEvent(order: OpenOrder, now: Instant): ScopedEvent | null {
  order.isPublished = now - order.publishedAt >= publishEveryMs;
  if (!order.isPublished) return null;
  order.publishedAt = now;
  return {
    agentId: order.agentId,
    customerId: order.customerId,
    event: {
      kind: 'order-changed',
      orderId: order.id,
      number: order.number,
      state: 'charging',
      connectorId: order.connectorId,
      energyWh: order.energyWh,
      amountFen: order.electricityFeeFen + order.serviceFeeFen,
      electricityFeeFen: order.electricityFeeFen,
      serviceFeeFen: order.serviceFeeFen,
      powerW: order.powerW,
      socPercent: order.socPercent,
      at: toIso(now),
    },
  };
}
