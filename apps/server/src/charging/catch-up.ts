import type { Context } from '../context.ts';
import type { StationJournal } from '../journal/station-journal.ts';
import { publishRunning } from './publish-running.ts';
import type { StationSession } from './station-session.ts';
import { figuresDue } from './take-readings.ts';

/**
 * Tells and writes the latest of the running orders where that was put off because the one before was just told. A
 * gateway calls it every second: after a burst of readings no message may come for a long time.
 */
export function catchUp(context: Context, session: StationSession, journal: Pick<StationJournal, 'add'>): void {
  const now = context.now();
  for (const order of session.orders.values()) {
    if (!order.isPublished) publishRunning(context, order, now);
    const figures = figuresDue(order, now);
    if (figures !== undefined) journal.add({ figures });
  }
}
