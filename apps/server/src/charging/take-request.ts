import { decideRequest } from '@voltdeck/charging/charge/decide-request';
import type { ChargeClaim, ChargeRequested, EventAnswer } from '@voltdeck/charging/station-event';
import { transactionKey } from '@voltdeck/charging/transaction-key';
import { vinSpellings } from '@voltdeck/charging/vin';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, zeroFen } from '@voltdeck/units/money';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, holdOf, type Payer } from '../orders/authorize-card.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { orderNumber } from '../orders/order-record.ts';
import { chargeOf, lockOrderWhere } from '../orders/order-row.ts';
import { paidBeforeBy } from '../orders/paid-before.ts';
import { tellOtherChargesLater } from '../orders/tell-balance.ts';
import { vehicleColumns } from '../orders/vehicle-columns.ts';
import { insertOrder, movedOrder, reserveNumbers } from '../orders/write-order.ts';
import { noteRefusedCard } from './note-refused-card.ts';
import { atTapOf, connectorOf, isFreeOfCharge, readStation, type StationFacts } from './station-facts.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

type RequestTaken = { answer: Extract<EventAnswer, { kind: 'charge-decided' }>; moved: OrderMoved[] };

/** The payer that the station names. */
type MoneyClaim = Exclude<ChargeClaim, { kind: 'account' }>;

/**
 * A request to charge at the station. Every acceptance has an order with a hold behind it. Accounts with a password are
 * refused: the protocol reserves them (YKC 1.6, 0x31).
 */
export async function takeRequest(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeRequested,
  at: Instant,
): Promise<RequestTaken> {
  const { by, parallelKey } = event;
  const cardNumber = by.kind === 'card' ? by.cardNumber.toUpperCase() : null;
  const vin = by.kind === 'vehicle' ? by.vin : null;
  const refuse = (authorization: RequestTaken['answer']['authorization'], availableFen: Fen = zeroFen) =>
    ({ answer: { kind: 'charge-decided', authorization, availableFen }, moved: [] }) satisfies RequestTaken;
  if (by.kind === 'account') {
    await noteRefusedCard(trx, session, { authorization: 'not_supported', payer: null, cardNumber, vin, at });
    return refuse('not_supported');
  }
  const connector = await connectorOf(trx, session, event.connectorNumber, 'update');
  const port = await lockPort(trx, connector);
  const found = await readStation(trx, session, { startedAt: at, now: at });
  const onPort = await lockOrderWhere(trx, latestOnPort(connector));
  const claimed = await cardOf(trx, by);
  const parallel = parallelKey === undefined ? {} : { parallel: { stationId: session.stationId, key: parallelKey } };
  const payer =
    claimed === null
      ? null
      : await authorizeCard(trx, claimed.cardNumber, at, {
          lock: true,
          placedCount: onPort?.state !== 'placed',
          ...parallel,
        });
  const station = payer === null ? found : atTapOf(found, payer);
  const decision = decideRequest({
    station: {
      isEnabled: station.isEnabled,
      isPriced: station.tariff !== null,
      isFree: isFreeOfCharge(station.tariff),
    },
    port: { isOpen: port.open, state: connector.state },
    onPort: onPort === null ? null : chargeOf(onPort),
    card:
      payer === null ? null : { cardId: payer.cardId, authorization: payer.authorization, freeFen: payer.availableFen },
    parallel:
      parallelKey === undefined ? null : { otherHeldFen: await heldBeside(trx, session, parallelKey, connector) },
    paidBefore: paidBeforeBy(onPort?.state === 'placed' ? onPort.tariff : station.tariff?.detail),
  });
  switch (decision.kind) {
    case 'refuse': {
      const { authorization } = decision;
      await noteRefusedCard(trx, session, { authorization, payer, cardNumber, vin, connector, at });
      return refuse(authorization, decision.promisedFen);
    }
    case 'name-again':
      return { answer: agreed(decision.charge.transactionKey ?? '', payer, decision.promisedFen), moved: [] };
    case 'place': {
      if (payer === null) throw new Error('a charge was placed without a payer');
      const { holdFen, promisedFen } = decision;
      const vehicle = claimed?.vin ?? null;
      const placed = await place(trx, session, { ...event, by }, { connector, station, payer, holdFen, vehicle }, at);
      return { answer: agreed(placed.transaction, payer, promisedFen), moved: [placed.moved] };
    }
  }
}

function agreed(transaction: string, payer: Payer | null, availableFen: Fen): RequestTaken['answer'] {
  const card = payer?.card ?? null;
  const answer = { kind: 'charge-decided', authorization: 'accepted', transaction, availableFen } as const;
  return card === null ? answer : { ...answer, cardNumber: card.number };
}

async function lockPort(trx: Transaction<Tables>, { id }: SessionConnector) {
  return trx.selectFrom('connectors').select('open').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** An order that waits to begin comes after one whose end was never reported. */
function latestOnPort({ id }: SessionConnector) {
  return sql`o.id = (select max(live.id) from orders live
                      where live.connector_id = ${id} and live.state in ('placed', 'charging'))`;
}

/** The card that pays, and the vehicle it pays for; null for an unregistered vehicle. */
async function cardOf(
  trx: Transaction<Tables>,
  by: MoneyClaim,
): Promise<{ cardNumber: string; vin: string | null } | null> {
  if (by.kind === 'card') return { cardNumber: by.cardNumber.toUpperCase(), vin: null };
  const spellings = vinSpellings(by.vin);
  const [reported] = spellings;
  if (reported === undefined) return null;
  const vehicle = await trx
    .selectFrom('vehicles')
    .innerJoin('cards', 'cards.id', 'vehicles.card_id')
    .select(['cards.number as cardNumber', 'vehicles.vin'])
    .where('vehicles.vin', 'in', spellings)
    // As reported, where both happen to be registered.
    .orderBy((eb) => eb('vehicles.vin', '=', reported), 'desc')
    .limit(1)
    .executeTakeFirst();
  return vehicle ?? null;
}

/** The hold of the group's other gun port; null while it is not placed. */
async function heldBeside(
  trx: Transaction<Tables>,
  { stationId }: StationSession,
  parallelKey: string,
  { id }: SessionConnector,
): Promise<Fen | null> {
  const row = await trx
    .selectFrom('orders')
    .select('held_fen')
    .where('station_id', '=', stationId)
    .where('parallel_key', '=', parallelKey)
    .where('state', 'in', ['placed', 'charging'])
    .where('connector_id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return row?.held_fen ?? null;
}

async function place(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeRequested & { by: MoneyClaim },
  found: {
    connector: SessionConnector;
    station: StationFacts;
    payer: Payer;
    holdFen: Fen;
    vehicle: string | null;
  },
  at: Instant,
): Promise<{ transaction: string; moved: OrderMoved }> {
  const { connector, station, payer, holdFen, vehicle } = found;
  const { tariff } = station;
  if (payer.card === null || tariff === null) throw new Error(`card ${payer.cardId} was accepted without its money`);
  const { id, sequence } = await reserveNumbers(trx);
  const { stationNumber } = session;
  const transaction = transactionKey({ stationNumber, connectorNumber: event.connectorNumber, at, sequence });
  const { wallet } = payer;
  const cardNumber = payer.card.number;
  const row = await insertOrder(
    trx,
    id,
    {
      number: orderNumber(at, sequence),
      state: 'placed',
      was_placed: true,
      payment_type: 'card',
      start_mode: event.by.kind === 'card' ? 'card' : 'vin',
      billing_type: tariff.kind,
      site_id: station.siteId,
      station_id: session.stationId,
      connector_id: connector.id,
      connector_number: connector.number,
      agent_id: station.agentId,
      customer_id: payer.customerId,
      card_id: payer.cardId,
      card_number: cardNumber,
      ...(event.by.kind === 'vehicle' && vehicle !== null ? vehicleColumns(vehicle) : {}),
      transaction_key: transaction,
      parallel_key: event.parallelKey ?? null,
      tariff_id: tariff.id,
      tariff: JSON.stringify(tariff.detail),
      balance_before_fen: payer.availableFen,
      placed_at: at,
    },
    {
      hold: wallet === null ? null : { wallet, held: holdOf(payer, holdFen) },
      flags: [],
      facts: [{ event: 'placed', params: { cardNumber } }],
      at,
    },
  );
  await tellOtherChargesLater(trx, row);
  return { transaction, moved: movedOrder(row) };
}
