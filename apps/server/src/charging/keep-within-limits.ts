import type { StopReason } from '@voltdeck/charging/states';
import { endOfBalance } from '@voltdeck/tariffs/end-of-balance';
import { hasHadChoice } from '@voltdeck/tariffs/rider-choice';
import { watts } from '@voltdeck/units/energy';
import { hourMs, type Instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../database/is-database-away.ts';
import { extendHold } from '../orders/hold-money.ts';
import { appendTimeline, timelineEntry } from '../orders/order-record.ts';
import { tellOtherChargesLater } from '../orders/tell-balance.ts';
import type { OpenOrder, StationSession } from './station-session.ts';

/** A charge is stopped when the held money would last less than this, since a station needs some seconds to stop. */
const lastsMinMs = minuteMs;
/** A station that did not stop is asked again after this. */
const askAgainMs = 30 * secondMs;

/** Checks the running orders of a station that may send no readings: what a rider paid for by time ends all the same. */
export function keepAllWithinLimits(context: Context<'money'>, session: StationSession): void {
  for (const order of session.orders.values()) {
    if (order.isRunning) keepWithinLimits(context, session, order);
  }
}

/**
 * Checks after every reading whether a running order is within its limits. If not, it holds more money while there is
 * some, and then asks the station to stop, outside the flow of messages.
 */
export function keepWithinLimits(context: Context<'money'>, session: StationSession, order: OpenOrder): void {
  const now = context.now();
  if (order.isLimitBeingKept || limitReached(order, now) === null) return;
  if (order.stopRequested !== null && now - order.stopRequested.at < askAgainMs) return;
  order.isLimitBeingKept = true;
  act(context, session, order, now)
    .catch((error: unknown) => {
      // The next reading tries again.
      const away = isDatabaseAway(error);
      context.log.warn({ error: String(error), order: order.number, away }, 'orders: enforcing a limit failed');
    })
    .finally(() => {
      order.isLimitBeingKept = false;
    });
}

/** Which limit the charge has reached, if any. */
export function limitReached(
  order: OpenOrder,
  now: Instant,
): Extract<StopReason, 'time_limit' | 'balance_exhausted'> | null {
  const { meter, heldFen, lastReadingAt } = order;
  if (meter === null) return null;
  // By its readings, or by our clock where none come: the station's own may be hours off.
  const lastedMs = Math.max((lastReadingAt ?? order.startedAt) - order.startedAt, now - order.begunAt);
  // Time beyond the longest run is not charged for, so the charge must end.
  if (meter.kind === 'hour' && lastedMs >= meter.tariff.longestRunHours * hourMs) return 'time_limit';
  if (hasHadChoice(meter.tariff, { energyWh: meter.energyWh - meter.startWh, lastedMs })) return 'time_limit';
  if (!order.isPrepaid || lastReadingAt === null) return null;
  // Runs at every reading; most charges have used less than half of their hold.
  if ((order.electricityFeeFen + order.serviceFeeFen) * 2 < heldFen) return null;
  const end = endOfBalance(meter, { availableFen: heldFen, powerW: watts(order.powerW ?? 0), at: lastReadingAt });
  return end !== null && end - lastReadingAt < lastsMinMs ? 'balance_exhausted' : null;
}

async function act(context: Context<'money'>, session: StationSession, order: OpenOrder, now: Instant): Promise<void> {
  // A rider who chose what to pay pays no more.
  if (limitReached(order, now) === 'balance_exhausted' && order.meter?.tariff.chosen === undefined) {
    const extended = await context.database.db.transaction().execute(async (trx) => {
      const held = await extendHold(trx, order.id, now);
      if (held !== null && held.heldFen > order.heldFen) await tellOtherChargesLater(trx, held.order);
      return held;
    });
    if (extended === null) return;
    order.heldFen = extended.heldFen;
  }
  const because = limitReached(order, now);
  if (because === null) return;
  if (order.stopRequested === null) {
    await context.database.db
      .updateTable('orders')
      .set({ timeline: appendTimeline(timelineEntry(now, 'stop_asked', { because })) as never })
      .where('id', '=', order.id)
      .where('state', '=', 'charging')
      .execute();
  }
  order.stopRequested = { because, at: now };
  await context.bus.commandStation(session.stationNumber, {
    kind: 'stop-charge',
    transaction: order.transactionKey ?? order.transactionNumber,
    connectorNumber: order.connectorNumber,
  });
}
