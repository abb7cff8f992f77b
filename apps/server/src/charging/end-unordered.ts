import { isNamedStart } from '@voltdeck/charging/charge/decide-begin';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import { askAgainMs } from './keep-within-limits.ts';
import type { StationSession } from './station-session.ts';

/**
 * Asks the station, outside the flow of messages, to end a charge whose order was cancelled before the station began
 * it. Protocols that name charges before they begin have no answer to a start that could refuse it.
 */
export function endUnordered(
  context: Context<'money'>,
  session: StationSession,
  event: ChargeStarted,
  now: Instant,
): void {
  if (!isNamedStart(event)) return;
  const { connectorNumber, transaction } = event;
  const askedAt = session.endedUnordered.get(connectorNumber);
  if (askedAt !== undefined && now - askedAt < askAgainMs) return;
  session.endedUnordered.set(connectorNumber, now);
  const asked = context.bus.commandStation(session.stationNumber, {
    kind: 'stop-charge',
    transaction,
    connectorNumber,
  });
  asked.catch((error: unknown) => {
    context.log.warn({ err: error, transaction }, 'charging: a charge without an order was not stopped');
  });
}
