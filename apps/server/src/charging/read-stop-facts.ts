import { lacksPayer } from '@voltdeck/charging/charge/charge';
import { isNameOf } from '@voltdeck/charging/charge/decide-begin';
import type { ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import type { StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, type Payer, vinOfTag } from '../orders/authorize-card.ts';
import { hasEnergy } from '../orders/order-readings.ts';
import { chargeOf, isDismissed, lockOrderWhere, type OrderRow } from '../orders/order-row.ts';
import { lockToSettle, type SettlementFacts } from '../orders/settle-charge.ts';
import { lockName } from './read-start-facts.ts';
import type { StationSession } from './station-session.ts';

export type StopFacts = {
  /** Recognises a repeated stop where it names no charge. */
  stopKey: string;
  /** The order that it ends, locked. */
  order: OrderRow | null;
  /** The facts of its settlement, where they were read together with it. */
  settlement: SettlementFacts | null;
  /** The card that the stop shows, where its order has no payer yet; the card is locked. */
  payer: Payer | null;
  /** The station reported energy of the charge while it ran. */
  hasEnergy: boolean;
};

/** The facts for a decision about the end of a charge. */
export async function readStopFacts(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  receivedAt: Instant,
): Promise<StopFacts> {
  const { transaction, cardNumber } = event;
  const isNamedCharge = isNameOf(transaction);
  if (isNamedCharge) await lockName(trx, session, transaction);
  const stopKey = ['stop', session.stationId, transaction, event.stationTime, event.meterStopWh].join('|');
  const { order, settlement } = await lockOrderOfStop(trx, session, event, stopKey);
  const isUnpaid = isNamedCharge && order !== null && lacksPayer(chargeOf(order));
  const startedAt = event.startedAt ?? order?.started_at ?? receivedAt;
  const payer =
    isUnpaid && cardNumber !== undefined
      ? await authorizeCard(trx, cardNumber, receivedAt, { lock: true, startedAt })
      : null;
  const isEmptyRecord = isNamedCharge && event.meterStopWh === 0 && order !== null;
  return { stopKey, order, settlement, payer, hasEnergy: isEmptyRecord && (await hasEnergy(trx, order)) };
}

/**
 * By the name or number we gave. Firmware that began offline invents 0 or a negative number; this means the station's
 * one running charge that fits the card and the meter. A positive number that we never gave matches no charge.
 */
async function lockOrderOfStop(
  trx: Transaction<Tables>,
  { stationId, orders }: StationSession,
  event: ChargeStopped,
  key: string,
): Promise<Pick<StopFacts, 'order' | 'settlement'>> {
  const { transaction } = event;
  const ofStation = sql`o.station_id = ${stationId}`;
  if (typeof transaction === 'number' && isNamed(transaction)) {
    const numbered = sql`o.transaction_number = ${transaction} and ${ofStation}`;
    const open = orders.get(transaction);
    const named =
      open === undefined
        ? alone(await lockOrderWhere(trx, numbered))
        : await lockToSettle(trx, numbered, open.startedAt);
    return named.order === null ? alone(await lockOrderWhere(trx, sql`o.start_key = ${key}`)) : named;
  }
  if (isNameOf(transaction)) {
    const named = sql`${ofStation} and o.transaction_key = ${transaction} and (o.state <> 'cancelled' or ${isDismissed})
      order by o.state = 'cancelled', o.id desc limit 1`;
    return alone(await lockOrderWhere(trx, named));
  }
  const id = await findByMeter(trx, stationId, event, key);
  return alone(id === null ? null : await lockOrderWhere(trx, sql`o.id = ${id}`));
}

function alone(order: OrderRow | null): Pick<StopFacts, 'order' | 'settlement'> {
  return { order, settlement: null };
}

/** Limit of a station's charges awaiting a stop that are searched; no station has more gun ports. */
const fittingMax = 64;

/** Whether the order `o` was begun with this tag; one begun by a vehicle has the number of its card. */
function isShownBy(tag: string): RawBuilder<boolean> {
  const vin = vinOfTag(tag);
  return vin === null ? sql`o.card_number = ${tag}` : sql`(o.card_number = ${tag} or o.vin = ${vin})`;
}

async function findByMeter(
  trx: Transaction<Tables>,
  stationId: StationId,
  event: ChargeStopped,
  key: string,
): Promise<number | null> {
  const fits = sql`o.station_id = ${stationId}
    ${event.connectorNumber === undefined ? sql`` : sql`and o.connector_number = ${event.connectorNumber}`}
    ${event.cardNumber === undefined ? sql`` : sql`and ${isShownBy(event.cardNumber)}`}`;
  // A stop from the past must not end a newer charge if it may belong to an older one.
  const hasBegun =
    event.at === undefined ? sql`true` : sql`coalesce(o.started_at, o.placed_at) <= to_timestamp(${event.at} / 1000.0)`;
  const { rows } = await sql<{ rank: number; id: number }>`
    (select 1 as rank, o.id from orders o where o.start_key = ${key} or o.stop_key = ${key} limit 1)
    union all
    (select 2, o.id from orders o where o.station_id = ${stationId} and o.state in ('completed', 'settling')
        and o.meter_stop_wh = ${event.meterStopWh ?? null}
        and o.ended_at = to_timestamp(${event.at ?? 0} / 1000.0) limit 1)
    union all
    (select case when o.state = 'charging' then 3 else 4 end + case when ${hasBegun} then 0 else 2 end, o.id
       from orders o
      where ${fits} and (o.state = 'charging' or (o.state = 'settling' and o.waits_for = 'stop'))
        and coalesce(o.meter_start_wh, 0) <= ${event.meterStopWh ?? 0}
      order by o.id desc limit ${fittingMax})`.execute(trx);
  // A repeated stop ends nothing else: the same register at the same instant comes before the running charge.
  for (const rank of [1, 2, 3, 4, 5, 6]) {
    const ranked = rows.filter((row) => row.rank === rank);
    // Two matches cannot be told apart.
    if (ranked.length === 1) return ranked[0]?.id ?? null;
  }
  return null;
}
