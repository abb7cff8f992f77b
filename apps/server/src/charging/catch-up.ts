import type { Context } from '../context.ts';
import type { StationAccount } from '../journal/station-journal.ts';
import { runningEvent } from './running-event.ts';
import type { StationSession } from './station-session.ts';
import { figuresDue } from './take-readings.ts';

/**
 * Publishes and writes the latest figures of running orders where that was deferred because they had just been
 * published. A gateway calls it every second, since no message may follow a burst of readings for a long time.
 */
export function catchUp(context: Context, session: StationSession, journal: Pick<StationAccount, 'add'>): void {
  const now = context.now();
  for (const order of session.orders.values()) {
    if (!order.isRunning) continue;
    const event = order.isPublished ? null : runningEvent(order, now);
    const figures = figuresDue(order, now);
    if (event === null && figures === undefined) continue;
    journal.add({
      ...(figures !== undefined && { figures }),
      // Even without figures: the readings to publish may still be on their way to the database.
      ...(event !== null && { onStored: () => context.bus.publish(event) }),
    });
  }
}
