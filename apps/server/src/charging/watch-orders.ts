import type { OrderId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { cancelPlaced } from '../orders/cancel-order.ts';
import { publishMoved } from '../orders/order-events.ts';
import { appendTimeline, flagOrder, timelineEntry } from '../orders/order-record.ts';
import { closeWithoutStop, lockOrder } from '../orders/settle-charge.ts';
import { awaitStop } from './await-stop.ts';
import { placedOrderMaxMs } from './start-charge.ts';

/** How long a running order may contradict what its station says before a person is told. */
export const watchLimits = {
  everyMs: 15 * secondMs,
  /** A port that is free again, with its station online, while its order still runs. Queued stops arrive in this time. */
  freePortMs: 5 * minuteMs,
  stationLostMs: 30 * minuteMs,
  /** A charge that was let in before its station was lost may run unheard of; its payer can't charge elsewhere meanwhile. */
  unheardStartMs: 2 * hourMs,
  /** A missing stop may arrive late; after this the charge is settled at the last that its meter said. */
  lateStopMs: 24 * hourMs,
  ordersAtOnce: 200,
} as const;

/** Looks after orders that no message moves on. Returns the end of the watch. */
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

/** One round. Each order is moved in a transaction of its own that looks again, so two nodes may watch at once. */
export async function watchOnce(context: Context<'money'>): Promise<void> {
  const now = context.now();
  for (const id of await neverBegun(context, now)) {
    await cancelPlaced(context, id, { event: 'start_refused', params: { outcome: 'not_begun' } });
  }
  for (const id of await freePorts(context, now)) await endWithoutStop(context, id, now);
  for (const id of await lostStations(context, now)) await flagLost(context, id, now);
  for (const id of await lateStops(context, now)) await settleLate(context, id, now);
}

/**
 * A charge with a name may have begun without our hearing of it: its order waits longer for a station that is lost, and
 * as long as any other after it came back.
 */
async function neverBegun(context: Context, now: Instant): Promise<OrderId[]> {
  const before = instant(now - placedOrderMaxMs);
  const rows = await context.database.db
    .selectFrom('orders as o')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .select('o.id')
    .where('o.state', '=', 'placed')
    .where('o.placed_at', '<', before)
    .where((eb) =>
      eb.or([
        eb('o.transaction_key', 'is', null),
        eb('o.placed_at', '<', instant(now - watchLimits.unheardStartMs)),
        eb.and([eb('s.online', '=', true), eb('s.online_at', '<', before)]),
      ]),
    )
    .limit(watchLimits.ordersAtOnce)
    .execute();
  return rows.map((row) => row.id);
}

async function freePorts(context: Context, now: Instant): Promise<OrderId[]> {
  const before = instant(now - watchLimits.freePortMs);
  const rows = await context.database.db
    .selectFrom('orders as o')
    .innerJoin('connectors as c', 'c.id', 'o.connector_id')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .select('o.id')
    .where('o.state', '=', 'charging')
    .where('c.state', '=', 'free')
    .where('c.state_at', '<', before)
    .where('s.online', '=', true)
    .where('s.online_at', '<', before)
    .limit(watchLimits.ordersAtOnce)
    .execute();
  return rows.map((row) => row.id);
}

async function lostStations(context: Context, now: Instant): Promise<OrderId[]> {
  const rows = await context.database.db
    .selectFrom('orders as o')
    .innerJoin('stations as s', 's.id', 'o.station_id')
    .select('o.id')
    .where('o.state', '=', 'charging')
    .where('s.online', '=', false)
    .where('s.offline_at', '<', instant(now - watchLimits.stationLostMs))
    .where(sql<boolean>`not exists (select 1 from order_flags f where f.order_id = o.id and f.rule = 'station_lost')`)
    .limit(watchLimits.ordersAtOnce)
    .execute();
  return rows.map((row) => row.id);
}

async function lateStops(context: Context, now: Instant): Promise<OrderId[]> {
  const rows = await context.database.db
    .selectFrom('orders')
    .select('id')
    .where('state', '=', 'settling')
    .where('stop_reason', '=', 'no_stop_received')
    .where('ended_at', '<', instant(now - watchLimits.lateStopMs))
    .where('tariff', 'is not', null)
    .limit(watchLimits.ordersAtOnce)
    .execute();
  return rows.map((row) => row.id);
}

async function endWithoutStop(context: Context, orderId: OrderId, now: Instant): Promise<void> {
  const waiting = await context.database.db
    .transaction()
    .execute((trx) => awaitStop(trx, orderId, { now, evidence: { portFreeAt: toIso(now) } }));
  if (waiting !== null) publishMoved(context, waiting);
}

async function flagLost(context: Context, orderId: OrderId, now: Instant): Promise<void> {
  await context.database.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.state !== 'charging') return;
    const evidence = { lastReadingAt: order.last_reading_at === null ? null : toIso(order.last_reading_at) };
    await flagOrder(trx, orderId, [{ rule: 'station_lost', evidence }], now);
    await trx
      .updateTable('orders')
      .set({
        abnormal: true,
        timeline: appendTimeline(timelineEntry(now, 'flagged', { rule: 'station_lost' })) as never,
      })
      .where('id', '=', orderId)
      .execute();
  });
}

async function settleLate(context: Context, orderId: OrderId, now: Instant): Promise<void> {
  const settled = await context.database.db
    .transaction()
    .execute((trx) =>
      closeWithoutStop(trx, orderId, { now, evidence: { waitedHours: watchLimits.lateStopMs / hourMs } }),
    );
  if (settled !== null) publishMoved(context, settled);
}
