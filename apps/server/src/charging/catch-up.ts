import type { Context } from '../context.ts';
import type { StationAccount } from '../journal/station-journal.ts';
import { runningEvent } from './running-event.ts';
import type { StationSession } from './station-session.ts';
import { figuresDue } from './take-readings.ts';

/**
 * Tells and writes the latest of the running orders where that was put off because the one before was just told. A
 * gateway calls it every second: after a burst of readings no message may come for a long time.
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
      // Even without figures: the readings that it tells of may still be on their way.
      ...(event !== null && { onStored: () => context.bus.publish(event) }),
    });
  }
}
