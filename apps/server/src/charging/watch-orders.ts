import { type Charge, isAwaitingStop } from '@voltdeck/charging/charge/charge';
import { decideTime, type TimeDecision, type TimeKnown, timeLimits } from '@voltdeck/charging/charge/decide-time';
import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { ConnectorState, Protocol } from '@voltdeck/charging/states';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, secondMs } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { isConflict, isDatabaseAway } from '../database/is-database-away.ts';
import { cancelPlaced } from '../orders/cancel-order.ts';
import { publishMoved } from '../orders/order-events.ts';
import { lastReadAt } from '../orders/order-readings.ts';
import { chargeOf, lockOrder, type OrderRow, orderColumns } from '../orders/order-row.ts';
import { settleCharge } from '../orders/settle-charge.ts';
import { awaitStop, changeOrder, movedOrder, releasedHold, releaseHold } from '../orders/write-order.ts';

export const watchLimits = { everyMs: 15 * secondMs, ordersAtOnce: 200 } as const;

/** Checks orders that no message updates. Returns a function that ends the watch. */
export function watchOrders(context: Context<'money'>): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    watchOnce(context)
      .catch((error: unknown) => {
        context.log[isDatabaseAway(error) ? 'warn' : 'error']({ err: error }, 'orders: the watch was cut short');
      })
      .finally(() => {
        running = false;
      });
  }, watchLimits.everyMs);
  return () => clearInterval(timer);
}

/**
 * Checks once every live order that time may have moved on. Each is handled in a transaction of its own that reads it
 * again, so two nodes may watch at once, and a failing one does not hold up the others.
 */
export async function watchOnce(context: Context<'money'>): Promise<void> {
  const now = context.now();
  let after = 0;
  for (;;) {
    const candidates = await findCandidates(context, now, after);
    for (const { id, known } of candidates) {
      const decision = decideTime(known);
      if (decision.kind === 'nothing') continue;
      try {
        // A long round goes past midnight: what is settled is dated when it is.
        await carryOut(context, id, decision, context.now());
      } catch (error) {
        if (isDatabaseAway(error) && !isConflict(error)) throw error;
        context.log.error({ err: error, order: known.charge.number }, 'orders: checking a live order failed');
      }
    }
    const last = candidates.at(-1);
    if (last === undefined || candidates.length < watchLimits.ordersAtOnce) return;
    after = last.id;
  }
}

type CandidateRow = OrderRow & {
  online: boolean;
  online_at: Instant | null;
  offline_at: Instant | null;
  protocol: Protocol;
  port_state: ConnectorState | null;
  port_state_at: Instant | null;
  flagged_lost: boolean;
  stop_missed_at: Instant | null;
  followed: boolean;
};

/** A coarse preselection by age; the rules decide. */
async function findCandidates(
  context: Context<'money'>,
  now: Instant,
  after: number,
): Promise<{ id: OrderId; known: TimeKnown }[]> {
  const before = (ms: number) => sql`to_timestamp(${now - ms} / 1000.0)`;
  const { rows } = await sql<CandidateRow>`
    select ${orderColumns}, s.online, s.online_at, s.offline_at, s.protocol, c.state as port_state,
           c.state_at as port_state_at,
           exists (select 1 from order_flags f where f.order_id = o.id and f.rule = 'station_lost') as flagged_lost,
           (select f.at from order_flags f where f.order_id = o.id and f.rule = 'no_stop_received') as stop_missed_at,
           exists (select 1 from orders n where n.connector_id = o.connector_id and n.id > o.id
                      and n.started_at is not null) as followed
      from orders as o
      join stations s on s.id = o.station_id
      left join connectors c on c.id = o.connector_id
     where o.id > ${after}
       and ((o.state = 'placed' and o.placed_at < ${before(timeLimits.placedMs)})
         or (o.state = 'charging'
             and (coalesce(o.begun_at, o.placed_at) < ${before(timeLimits.unheardMs)}
               or (c.state = 'free' and c.state_at < ${before(timeLimits.freePortMs)})
               or (not s.online and s.offline_at < ${before(timeLimits.stationLostMs)})))
         or (o.state = 'settling' and o.waits_for = 'stop'
             and o.ended_at < ${before(timeLimits.followedStopMs)})
         or (o.state = 'settling' and o.waits_for = 'person' and o.held_fen > 0
             and o.ended_at < ${before(timeLimits.waitingHoldMs)}))
     order by o.id limit ${watchLimits.ordersAtOnce}`.execute(context.database.db);
  return rows.map((row) => ({
    id: row.id,
    known: {
      charge: chargeOf(row),
      now,
      station: {
        isOnline: row.online,
        onlineAt: row.online_at,
        offlineAt: row.offline_at,
        namesCharges: protocolTraits[row.protocol].chargesNamed === 'before-start',
      },
      port: { state: row.port_state ?? 'offline', stateAt: row.port_state_at },
      isFlaggedLost: row.flagged_lost,
      stopMissedAt: row.stop_missed_at,
      isFollowed: row.followed,
    },
  }));
}

async function carryOut(context: Context<'money'>, id: OrderId, decision: TimeDecision, now: Instant): Promise<void> {
  if (decision.kind === 'cancel') {
    await cancelPlaced(context, id, { event: 'start_refused', params: { outcome: 'not_begun' } });
    return;
  }
  const moved = await context.database.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, id);
    const charge = chargeOf(order);
    if (!isStill(charge, decision)) return null;
    switch (decision.kind) {
      case 'await-stop':
        return awaitStop(trx, order, { endedAt: decision.endedAt, flag: decision.flag, at: now });
      case 'flag': {
        const facts = [{ event: 'flagged', params: { rule: decision.flag.rule } }] as const;
        await changeOrder(trx, order, { flags: [decision.flag], facts, at: now });
        return null;
      }
      case 'settle': {
        // Readings may have arrived after its reported end, or been stored before its figures.
        const endedAt = instant(Math.max(order.ended_at ?? now, (await lastReadAt(trx, order)) ?? 0));
        const end = { endedAt, meterStopWh: null, reason: 'no_stop_received' } as const;
        const { flag } = decision;
        return settleCharge(trx, order, { end, readings: [], bill: null, flags: [flag], record: {}, now });
      }
      case 'release-hold': {
        await releaseHold(trx, order, now);
        const facts = [{ event: 'hold_released', params: { amountFen: order.held_fen } }] as const;
        return changeOrder(trx, order, { set: releasedHold, facts, at: now });
      }
      case 'nothing':
        return null;
    }
  });
  if (moved !== null) publishMoved(context, movedOrder(moved));
}

/** Whether the order is still in the state that was decided on. */
function isStill(charge: Charge, { kind }: TimeDecision): boolean {
  if (kind === 'await-stop' || kind === 'flag') return charge.state === 'charging';
  if (kind === 'settle') return charge.state === 'settling' && isAwaitingStop(charge);
  return charge.state === 'settling' && charge.waitsFor === 'person';
}
