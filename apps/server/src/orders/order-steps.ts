import type { OrderState } from '@voltdeck/charging/states';
import type { OrderDetail } from '@voltdeck/contract/orders';
import { type Instant, isoOrNull, toIso } from '@voltdeck/units/instant';

type Steps = OrderDetail['steps'];

/**
 * The tracking steps (specification section 4): placed, charging started, charging ended, settling, complete. A step
 * still to come has no time. A cancelled order ends with its cancellation.
 */
export function orderSteps(order: {
  state: OrderState;
  placedAt: Instant;
  startedAt: Instant | null;
  endedAt: Instant | null;
  settledAt: Instant | null;
  timeline: readonly { at: string; event: string }[];
}): Steps {
  const placed = { step: 'placed', at: toIso(order.placedAt) } as const;
  if (order.state === 'cancelled') {
    return [placed, { step: 'cancelled', at: isoOrNull(order.settledAt ?? order.endedAt) }];
  }
  const hasEnded = order.state === 'settling' || order.state === 'completed';
  // The time we received the end; a late message arrives after the end itself.
  const heardOfEnd = order.timeline.findLast(({ event }) => event === 'ended' || event === 'settled_by_hand')?.at;
  return [
    placed,
    { step: 'charging', at: isoOrNull(order.startedAt) },
    { step: 'ended', at: hasEnded ? isoOrNull(order.endedAt) : null },
    { step: 'settling', at: hasEnded ? (heardOfEnd ?? isoOrNull(order.endedAt)) : null },
    { step: 'completed', at: order.state === 'completed' ? isoOrNull(order.settledAt) : null },
  ];
}
