import { isNamedStart } from '@voltdeck/charging/charge/decide-begin';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import type { Instant } from '@voltdeck/units/instant';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import {
  lockCard,
  nobody,
  type Payer,
  type PayerRow,
  payerColumns,
  payerFrom,
  payerOfRow,
} from '../orders/authorize-card.ts';
import { foundColumns, isDismissed, type OrderRow, ordersByPart } from '../orders/order-row.ts';
import { isTestToken, isToken } from '../orders/order-token.ts';
import {
  atTapOf,
  connectorOf,
  type StationFacts,
  type StationRow,
  stationColumns,
  stationFactsOf,
  stationFrom,
} from './station-facts.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

/** The orders that a start may concern, by their part in the decision. */
type StartOrders = Record<'same' | 'placed' | 'cancelled' | 'onPort', OrderRow | null>;

export type StartFacts = {
  startKey: string;
  connector: SessionConnector;
  payer: Payer;
  station: StationFacts;
  orders: StartOrders;
};

/** The facts for a decision about a start of energy flow; the payer's card is locked. */
export async function readStartFacts(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
): Promise<StartFacts> {
  const { cardNumber } = event;
  if (isNamedStart(event)) await lockName(trx, session, event.transaction);
  const startKey = startKeyOf(session, event);
  const connector = await connectorOf(trx, session, event.connectorNumber);
  if (cardNumber !== undefined) await lockCard(trx, cardNumber);
  const payer = cardNumber === undefined ? sql`` : sql`left join lateral (${payerFrom(cardNumber, {})}) p on true`;
  const { rows } = await sql<StationRow & Partial<PayerRow> & { part: keyof StartOrders | null } & OrderRow>`
    select ${stationColumns}, ${cardNumber === undefined ? sql`` : sql`${payerColumns},`} o.part, ${foundColumns}
      from ${stationFrom({ startedAt: event.at ?? receivedAt, now: receivedAt })}
      ${payer}
      left join lateral (${ordersByPart(partsOf(session, event, startKey, connector))}) o on true
     where s.id = ${session.stationId}`.execute(trx);
  const orders: StartOrders = { same: null, placed: null, cancelled: null, onPort: null };
  for (const { part, ...row } of rows) if (part !== null) orders[part] = row;
  const [first] = rows;
  const known = payerOf(event, first, receivedAt);
  return {
    startKey,
    connector,
    payer: known,
    station: atTapOf(stationFactsOf(first), known),
    orders,
  };
}

/** Serialises all decisions about one name, over all nodes and sockets. */
export async function lockName(trx: Transaction<Tables>, { stationId }: StationSession, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge:${stationId}:${name}`}, 0))`.execute(trx);
}

/**
 * A repeated start has the same key, with the same message id or a new one (observed in the retries of several
 * stations).
 */
function startKeyOf({ stationId }: StationSession, event: ChargeStarted): string {
  if (isNamedStart(event)) return `${stationId}|${event.transaction}`;
  return [stationId, event.connectorNumber, event.cardNumber, event.stationTime, event.meterStartWh].join('|');
}

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
      same: sql`${named} and (o.state <> 'cancelled' or ${isDismissed})`,
      placed: sql`false`,
      cancelled: sql`${named} and o.state = 'cancelled' and not ${isDismissed}`,
      onPort,
    };
  }
  const { cardNumber = '' } = event;
  const forCard = sql`${ofStation} and o.card_number = ${cardNumber}`;
  return {
    same: sql`o.start_key = ${startKey}`,
    placed: sql`${forCard} and o.state = 'placed'`,
    cancelled: formerOf(cardNumber, forCard),
    onPort,
  };
}

/**
 * The order that ended before this start. A card shown again after its order was cancelled is a new charge; a token
 * stands for one order only, and whatever begins with that of a test run costs nothing.
 */
function formerOf(cardNumber: string, forCard: RawBuilder<unknown>): RawBuilder<unknown> {
  if (isTestToken(cardNumber)) {
    // A stop that was parked for a person has no test run of its own.
    return sql`${forCard} and o.start_mode = 'test' and o.state <> 'placed'
               and exists (select from test_runs r where r.order_id = o.id)`;
  }
  return isToken(cardNumber) ? sql`${forCard} and o.state = 'cancelled'` : sql`false`;
}

/** The payer of an offline charge without a card may be known only at the end, so it runs without one until then. */
function payerOf(event: ChargeStarted, row: Partial<PayerRow> | undefined, at: Instant): Payer {
  if (isPayerRow(row)) return payerOfRow(row, at, event.at ?? at);
  return event.cardNumber === undefined && isNamedStart(event) ? { ...nobody, authorization: 'accepted' } : nobody;
}

/** An unknown card leaves its columns empty. */
function isPayerRow(row: Partial<PayerRow> | undefined): row is PayerRow {
  return typeof row?.payer_card_id === 'number';
}
