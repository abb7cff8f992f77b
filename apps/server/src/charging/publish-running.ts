import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import type { OpenOrder } from './station-session.ts';

/** Consoles are told of a running order no more often than this. */
export const publishEveryMs = 1_000;

/** Tells consoles how a running order stands, or leaves it to `catchUp` when they were told a moment ago. */
export function publishRunning(context: Context, order: OpenOrder, now: Instant): void {
  order.isPublished = now - order.publishedAt >= publishEveryMs;
  if (!order.isPublished) return;
  order.publishedAt = now;
  context.bus.publish({
    agentId: order.agentId,
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
  });
}
