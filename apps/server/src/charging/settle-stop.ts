import type { ChargeStopped } from '@voltdeck/charging/station-event';
import type { OrderId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { CompiledQuery, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { insertReadings } from '../journal/readings.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { readingsOf } from '../orders/order-readings.ts';
import type { Flag } from '../orders/order-record.ts';
import { type ChargeSettled, type lockOrder, settleCharge } from '../orders/settle-charge.ts';
import type { StationSession } from './station-session.ts';
import { soundVin } from './vehicle-of-order.ts';

export type ChargeEnded =
  | { kind: 'settled'; order: ChargeSettled }
  /** It never really began: its hold is given back. */
  | { kind: 'cancelled'; order: OrderMoved; transactionNumber: number | null }
  /** It was ended before: the same answer, and nothing is billed again. */
  | { kind: 'repeated'; transactionNumber: number }
  /** Nobody knows the charge: kept as an abnormal order for a person to look at. */
  | { kind: 'parked'; orderId: OrderId }
  /** Nobody knows the charge, and nothing was charged. */
  | { kind: 'empty' };

type LockedOrder = Awaited<ReturnType<typeof lockOrder>>;

/** Stores what the stop brought with it and settles the order, which must be locked and awaiting its stop. */
export async function settleStop(
  trx: Transaction<Tables>,
  session: StationSession,
  order: LockedOrder,
  event: ChargeStopped,
  { receivedAt, flags }: { receivedAt: Instant; flags: readonly Flag[] },
): Promise<ChargeEnded> {
  await insertReadings(
    (text, values) => trx.executeQuery(CompiledQuery.raw(text, values)),
    event.readings.map((reading) => ({
      orderId: order.id,
      connectorId: order.connector_id,
      reading,
      receivedAt,
      maybeRepeated: true,
    })),
  );
  await noteRecord(trx, order, event);
  const number = order.transaction_number;
  const asked = number === null ? null : (session.orders.get(number)?.stopAsked ?? null);
  const register = event.meterStopWh === undefined ? await lastRegister(trx, order) : null;
  const settled = await settleCharge(trx, order, {
    endedAt: endOf(event, order.last_reading_at, order.started_at, receivedAt),
    meterStopWh: event.meterStopWh ?? register?.meterWh ?? 0,
    reason: event.reason === 'remote' && asked !== null ? asked.because : event.reason,
    now: receivedAt,
    flags: [...flags, ...clockFlags(event, receivedAt), ...registerFlags(register)],
    ...(event.bill === undefined ? {} : { bill: event.bill }),
  });
  return { kind: 'settled', order: settled };
}

type LastRegister = { meterWh: number; at: Instant | null };

/** The last that the meter said of a charge whose stop tells no register. */
async function lastRegister(trx: Transaction<Tables>, order: LockedOrder): Promise<LastRegister> {
  const metered = (await readingsOf(trx, order.id, order.started_at ?? (0 as Instant))).filter(
    ({ energyWh }) => energyWh !== null,
  );
  const meterWh = Math.max(order.meter_start_wh ?? 0, ...metered.map(({ energyWh }) => energyWh ?? 0));
  return { meterWh, at: metered.at(-1)?.at ?? null };
}

function registerFlags(register: LastRegister | null): Flag[] {
  if (register === null) return [];
  const { at } = register;
  return [{ rule: 'no_stop_received', evidence: { meterStopWh: null, lastReadingAt: at === null ? null : toIso(at) } }];
}

/** What the station itself says of the charge, kept as it said it. */
export async function noteRecord(
  trx: Transaction<Tables>,
  order: Pick<LockedOrder, 'id'>,
  event: ChargeStopped,
  more: { stop_reason?: string } = {},
): Promise<void> {
  const vin = soundVin(event.vin);
  if (vin === null && event.bill === undefined && event.reasonCode === undefined) return;
  await trx
    .updateTable('orders')
    .set({
      ...more,
      stop_code: event.reasonCode ?? null,
      ...(event.bill === undefined ? {} : { station_bill: JSON.stringify(event.bill) }),
      ...(vin === null ? {} : { vin }),
    })
    .where('id', '=', order.id)
    .execute();
}

/** Without a usable clock the end is when we heard of it, but never before what was read already. */
function endOf(
  event: ChargeStopped,
  lastReadingAt: Instant | null,
  startedAt: Instant | null,
  receivedAt: Instant,
): Instant {
  if (event.at === undefined) return receivedAt;
  if (startedAt !== null && event.at < startedAt) return lastReadingAt ?? receivedAt;
  return event.at;
}

export function clockFlags(event: ChargeStopped, receivedAt: Instant): Flag[] {
  if (event.at !== undefined) return [];
  return [{ rule: 'clock_wrong', evidence: { stationTime: event.stationTime, receivedAt: toIso(receivedAt) } }];
}
