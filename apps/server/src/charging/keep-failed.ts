import { isNameOf } from '@voltdeck/charging/charge/decide-begin';
import type { ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { isConflict, isDatabaseAway } from '../database/is-database-away.ts';
import { lockOrderWhere, type OrderRow } from '../orders/order-row.ts';
import { changeOrder, movedOrder } from '../orders/write-order.ts';
import type { StationSession } from './station-session.ts';
import { parkStop, type StopTaken } from './take-stop.ts';

/**
 * The business broke on a stop and would break again: it is kept on its order, or as an order of nobody, for a person to
 * settle, before the station may forget it. Nothing is billed.
 * @throws unknown the error itself while the database is away or busy: then the station keeps its message.
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
  const flag = { rule: 'message_failed', evidence } as const;
  return context.database.db.transaction().execute(async (trx) => {
    const order = await findNamed();
    if (order === null) {
      return { moved: [await parkStop(trx, session, event, { flags: [flag], at: receivedAt })] };
    }
    const ends = order.state === 'charging' || order.state === 'settling';
    const endedAt = event.at ?? receivedAt;
    const set = ends
      ? ({
          state: 'settling',
          waits_for: 'person',
          ended_at: endedAt,
          stop_reason: event.reason,
          power_w: null,
        } as const)
      : {};
    return { moved: [movedOrder(await changeOrder(trx, order, { set, flags: [flag], at: receivedAt }))] };

    async function findNamed(): Promise<OrderRow | null> {
      const { transaction } = event;
      const ofStation = sql`o.station_id = ${session.stationId}`;
      if (isNameOf(transaction)) {
        return lockOrderWhere(trx, sql`${ofStation} and o.transaction_key = ${transaction} and o.state <> 'cancelled'`);
      }
      if (typeof transaction !== 'number' || !isNamed(transaction)) return null;
      return lockOrderWhere(trx, sql`${ofStation} and o.transaction_number = ${transaction}`);
    }
  });
}
