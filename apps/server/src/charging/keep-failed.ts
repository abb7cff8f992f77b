import type { ChargeStopped } from '@voltdeck/charging/station-event';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import { isConflict, isDatabaseAway } from '../database/is-database-away.ts';
import { changeOrder, movedOrder } from '../orders/write-order.ts';
import { readStopFacts } from './read-stop-facts.ts';
import type { StationSession } from './station-session.ts';
import { parkStop, type StopTaken } from './take-stop.ts';

/**
 * Keeps a stop that failed to process and would fail again, on its order or as an order without a payer, for a person
 * to settle, before the station may forget it. Nothing is billed.
 * @throws unknown the error itself while the database is away or busy, so that the station keeps its message.
 */
export async function keepFailed(
  context: Context<'money'>,
  session: StationSession,
  event: ChargeStopped,
  { error, receivedAt }: { error: unknown; receivedAt: Instant },
): Promise<StopTaken> {
  if (isDatabaseAway(error) || isConflict(error)) throw error;
  context.log.error(
    { err: error, station: session.stationNumber },
    'charging: a stop could not be processed and waits',
  );
  const evidence = {
    message: JSON.stringify(event),
    fault: error instanceof Error ? error.message : String(error),
    receivedAt: toIso(receivedAt),
  };
  const flags = [{ rule: 'message_failed', evidence }] as const;
  return context.database.db.transaction().execute(async (trx) => {
    const facts = await readStopFacts(trx, session, event, receivedAt);
    const { order, stopKey } = facts;
    if (order === null) return { moved: [await parkStop(trx, session, event, { stopKey, flags, at: receivedAt })] };
    const isOpen = order.state !== 'completed' && order.state !== 'cancelled';
    const set = isOpen
      ? ({
          state: 'settling',
          waits_for: 'person',
          ended_at: event.at ?? receivedAt,
          stop_reason: event.reason,
          power_w: null,
        } as const)
      : {};
    return { moved: [movedOrder(await changeOrder(trx, order, { set, flags, at: receivedAt }))] };
  });
}
