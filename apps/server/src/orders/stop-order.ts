import { canStopOrder, isAgreed } from '@voltdeck/charging/abilities';
import type { CommandOutcome } from '@voltdeck/charging/station-command';
import type { ApiError } from '@voltdeck/contract/errors';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { failed, ok, type Result } from '@voltdeck/units/result';
import { sql } from 'kysely';
import type { Bus } from '../bus/bus.ts';
import { refusalOfOutcome } from '../bus/refusal-of-outcome.ts';
import { audit, type Who } from '../caller/audit.ts';
import type { Reach } from '../caller/scope.ts';
import type { Context } from '../context.ts';
import { findOrderInScope } from './find-order.ts';
import { appendTimeline, timelineEntry } from './order-record.ts';

/** A person who presses again within this time adds nothing to the order's journal; the station is asked each time. */
const noteAgainMs = minuteMs;

/** Stops that no station has answered yet, by the bus that carries them. */
const asking = new WeakMap<Bus, Map<OrderId, Promise<CommandOutcome>>>();

type Asker = { caller: Reach & NonNullable<Who>; name: string };
type Order = NonNullable<Awaited<ReturnType<typeof findOrderInScope>>>;

/**
 * Asks the station to end a charge that the caller may act on; `name` is for the order's journal. The order ends when
 * the station says so. Who asks while another ask is under way shares its answer.
 */
export async function stopOrder(
  context: Context<'money'>,
  caller: Reach & NonNullable<Who>,
  name: string,
  orderId: OrderId,
): Promise<Result<{ agreed: boolean }, ApiError>> {
  const order = await findOrderInScope(context.database.db, caller, orderId);
  if (order === null) return failed({ code: 'record.not_found' });
  const ability = canStopOrder(order);
  if (!ability.allowed) return failed({ code: ability.because as ApiError['code'] });
  const outcome = await askOnce(context, order, { caller, name });
  if (outcome.kind === 'rejected') return ok({ agreed: false });
  return isAgreed(outcome) ? ok({ agreed: true }) : failed(refusalOfOutcome(outcome));
}

function askOnce(context: Context<'money'>, order: Order, asker: Asker): Promise<CommandOutcome> {
  const asked = asking.get(context.bus) ?? new Map<OrderId, Promise<CommandOutcome>>();
  asking.set(context.bus, asked);
  const underWay = asked.get(order.id);
  if (underWay !== undefined) return underWay;
  const answer = askStation(context, order, asker).finally(() => asked.delete(order.id));
  asked.set(order.id, answer);
  return answer;
}

async function askStation(context: Context<'money'>, order: Order, asker: Asker): Promise<CommandOutcome> {
  await noteAsk(context, order.id, asker);
  return context.bus.commandStation(order.stationNumber, {
    kind: 'stop-charge',
    transaction: order.transaction_key ?? order.transaction_number ?? 0,
    connectorNumber: order.connector_number,
  });
}

async function noteAsk(context: Context<'money'>, orderId: OrderId, { caller, name }: Asker): Promise<void> {
  const at = context.now();
  await context.database.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('orders')
      .set({ timeline: appendTimeline(timelineEntry(at, 'stop_asked', { userName: name })) as never })
      .where('id', '=', orderId)
      .where('state', '=', 'charging')
      .where(({ not }) => not(wasAskedAround(at)))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await audit(trx, caller, at, { action: 'order.stop', recordKind: 'order', recordId: orderId });
  });
}

/** A person asked a moment ago. What lies further ahead was written before the clock was set back. */
function wasAskedAround(at: Instant) {
  const bounds = { from: toIso(instant(at - noteAgainMs)), to: toIso(instant(at + noteAgainMs)) };
  return sql<boolean>`jsonb_path_exists(
    timeline,
    '$[*] ? (@.event == "stop_asked" && exists(@.params.userName) && @.at > $from && @.at < $to)',
    ${JSON.stringify(bounds)}::jsonb)`;
}
