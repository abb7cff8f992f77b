import { isNamedStart } from '@voltdeck/charging/charge/decide-begin';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, nobody, type Payer } from '../orders/authorize-card.ts';
import { findOrders, type OrderRow } from '../orders/order-row.ts';
import { connectorOf, readStation, type StationFacts } from './station-facts.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

/** The orders that a start may concern, by the part that each plays. */
type StartOrders = Record<'same' | 'placed' | 'cancelled' | 'onPort', OrderRow | null>;

export type StartFacts = {
  startKey: string;
  connector: SessionConnector;
  payer: Payer;
  station: StationFacts;
  orders: StartOrders;
};

/** What is known when a station says that energy begins to flow; the payer's card is locked. */
export async function readStartFacts(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
): Promise<StartFacts> {
  if (isNamedStart(event)) await lockName(trx, session, event.transaction);
  const startKey = startKeyOf(session, event);
  const connector = await connectorOf(trx, session, event.connectorNumber);
  const payer = await payerOf(trx, event, receivedAt);
  const orders = await findOrders(trx, partsOf(session, event, startKey, connector));
  const station = await readStation(trx, session, { startedAt: event.at ?? receivedAt, now: receivedAt });
  return { startKey, connector, payer, station, orders };
}

/** All that is decided about one name is decided one after the other, on whichever node and socket it comes. */
export async function lockName(trx: Transaction<Tables>, { stationId }: StationSession, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge:${stationId}:${name}`}, 0))`.execute(trx);
}

/** A repeated start has the same key, with the same message id or a new one (read of several stations' retries). */
function startKeyOf({ stationId }: StationSession, event: ChargeStarted): string {
  if (isNamedStart(event)) return `${stationId}|${event.transaction}`;
  return [stationId, event.connectorNumber, event.cardNumber, event.stationTime, event.meterStartWh].join('|');
}

/** An order that was placed for a person without a card goes by a number of its own. */
const tokenPattern = /^VD\d{12}$/;

function partsOf(
  { stationId }: StationSession,
  event: ChargeStarted,
  startKey: string,
  connector: SessionConnector,
): Record<keyof StartOrders, RawBuilder<unknown>> {
  const ofStation = sql`o.station_id = ${stationId}`;
  const onPort = sql`o.connector_id = ${connector.id} and o.state = 'charging'`;
  if (isNamedStart(event)) {
    const named = sql`${ofStation} and o.transaction_key = ${event.transaction}`;
    return {
      same: sql`${named} and o.state <> 'cancelled'`,
      placed: sql`false`,
      cancelled: sql`${named} and o.state = 'cancelled'`,
      onPort,
    };
  }
  const { cardNumber = '' } = event;
  const forCard = sql`${ofStation} and o.card_number = ${cardNumber}`;
  return {
    same: sql`o.start_key = ${startKey}`,
    placed: sql`${forCard} and o.state = 'placed'`,
    // A card that is shown again after its order was cancelled is a new charge; such a number stands for one alone.
    cancelled: tokenPattern.test(cardNumber) ? sql`${forCard} and o.state = 'cancelled'` : sql`false`,
    onPort,
  };
}

/** Who charged offline without showing a card may be known only at the end: such a charge runs unasked until then. */
async function payerOf(trx: Transaction<Tables>, event: ChargeStarted, at: Instant): Promise<Payer> {
  if (event.cardNumber !== undefined) return authorizeCard(trx, event.cardNumber, at, { lock: true });
  return isNamedStart(event) ? { ...nobody, authorization: 'accepted' } : nobody;
}
