import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeClaim, ChargeRequested, EventAnswer } from '@voltdeck/charging/station-event';
import { transactionKey } from '@voltdeck/charging/transaction-key';
import { keyOf } from '@voltdeck/ledger/account';
import type { ConnectorId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, fen, minFen, zeroFen } from '@voltdeck/units/money';
import { sql, type Transaction } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, type Payer } from '../orders/authorize-card.ts';
import { holdMoney, holdStepFen } from '../orders/hold-money.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { nextNumber, orderNumber, timelineEntry } from '../orders/order-record.ts';
import { type ChargeTariff, connectorOf, readStation, readTariff } from './begin-order.ts';
import type { StationSession } from './station-session.ts';
import { soundVin } from './vehicle-of-order.ts';

export type ChargeDecided = Extract<EventAnswer, { kind: 'charge-decided' }>;

/** What consoles are to be told of, once it is durable: an order that was not there before. */
type Decision = { answer: ChargeDecided; placed: OrderMoved | null };

/** Whose money is asked for, as far as the station can tell. */
type MoneyClaim = Exclude<ChargeClaim, { kind: 'account' }>;

/**
 * Somebody at the station wants to charge. An order with its hold stands behind every yes before it is said; asked again
 * before the charge began, the same order is named again. Accounts with a password are not served: the protocol keeps
 * them for later (YKC 1.6, 0x31).
 */
export async function decideCharge(
  context: Context<'money'>,
  session: StationSession,
  event: ChargeRequested,
  receivedAt: Instant,
): Promise<Decision> {
  const { by } = event;
  if (by.kind === 'account') return refuse('not_supported');
  return context.database.db.transaction().execute((trx) => decide(trx, session, { ...event, by }, receivedAt));
}

function refuse(authorization: Authorization, availableFen: Fen = zeroFen): Decision {
  return { answer: { kind: 'charge-decided', authorization, availableFen }, placed: null };
}

async function decide(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeRequested & { by: MoneyClaim },
  at: Instant,
): Promise<Decision> {
  const connectorId = await connectorOf(trx, session, event.connectorNumber);
  const port = await trx
    .selectFrom('connectors')
    .select(['open', 'state'])
    .where('id', '=', connectorId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const station = await readStation(trx, session);
  const state = session.connectors.get(event.connectorNumber)?.state ?? port.state;
  if (!station.enabled || !port.open || state === 'unavailable') return refuse('station_closed');

  const cardNumber = await cardOf(trx, event.by);
  if (cardNumber === null) return refuse('vehicle_unknown');
  const waiting = await findOnPort(trx, connectorId);
  if (waiting?.state === 'placed') {
    const known = await authorizeCard(trx, cardNumber, at);
    return known.cardId !== null && known.cardId === waiting.card_id
      ? nameAgain(trx, waiting, known)
      : refuse('already_charging');
  }
  // A charge whose end is still to be told does not keep the next driver from a port that is free.
  if (waiting?.state === 'charging' && (state === 'charging' || state === 'starting' || state === 'suspended')) {
    return refuse('already_charging');
  }
  const parallel =
    event.parallelKey === undefined ? {} : { parallel: { stationId: session.stationId, key: event.parallelKey } };
  const payer = await authorizeCard(trx, cardNumber, at, { lock: true, placedCount: true, ...parallel });
  if (payer.authorization !== 'accepted') return refuse(payer.authorization, payer.availableFen);
  const tariff = await readTariff(trx, station.card_tariff_id);
  // Energy that cannot be priced must not flow: the station is at fault, not the card.
  if (tariff === null) return refuse('station_closed', payer.availableFen);
  return place(trx, session, event, { connectorId, station, tariff, payer }, at);
}

/** The card whose money is spent; null for a vehicle that nobody registered. */
async function cardOf(trx: Transaction<Tables>, by: MoneyClaim): Promise<string | null> {
  if (by.kind === 'card') return by.cardNumber.toUpperCase();
  const vehicle = await trx
    .selectFrom('vehicles')
    .innerJoin('cards', 'cards.id', 'vehicles.card_id')
    .select('cards.number')
    .where('vehicles.vin', '=', by.vin.toUpperCase())
    .executeTakeFirst();
  return vehicle?.number ?? null;
}

async function findOnPort(trx: Transaction<Tables>, connectorId: ConnectorId) {
  return (
    trx
      .selectFrom('orders')
      .select(['id', 'state', 'card_id', 'card_number', 'transaction_key', 'held_fen'])
      .where('connector_id', '=', connectorId)
      .where('state', 'in', ['placed', 'charging'])
      // One that waits to begin comes after one whose end was never told.
      .orderBy('id', 'desc')
      .limit(1)
      // One that is being cancelled must not be named again.
      .forUpdate()
      .executeTakeFirst()
  );
}

type OrderOnPort = NonNullable<Awaited<ReturnType<typeof findOnPort>>>;

/** The order that waits already: the station asks again because our answer did not reach it. */
async function nameAgain(trx: Transaction<Tables>, waiting: OrderOnPort, payer: Payer): Promise<Decision> {
  if (waiting.transaction_key === null || payer.wallet === null) return refuse('already_charging');
  const { rows } = await sql<{ balance_fen: Fen }>`
    select balance_fen from ledger_accounts where key = ${keyOf(payer.wallet)}`.execute(trx);
  const answer = {
    kind: 'charge-decided',
    authorization: 'accepted',
    transaction: waiting.transaction_key,
    availableFen: addFen(rows[0]?.balance_fen ?? zeroFen, waiting.held_fen),
    ...(payer.card === null ? {} : { cardNumber: payer.card.number }),
  } satisfies ChargeDecided;
  return { answer, placed: null };
}

async function place(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeRequested & { by: MoneyClaim },
  found: {
    connectorId: ConnectorId;
    station: Awaited<ReturnType<typeof readStation>>;
    tariff: ChargeTariff;
    payer: Payer;
  },
  at: Instant,
): Promise<Decision> {
  const { connectorId, station, tariff, payer } = found;
  const { wallet, card } = payer;
  if (wallet === null || card === null) throw new Error(`card ${payer.cardId} was accepted without its money`);
  const { connectorNumber } = event;
  const sequence = await nextNumber(trx, 'order_numbers');
  const transaction = transactionKey({ stationNumber: session.stationNumber, connectorNumber, at, sequence });
  const number = orderNumber(at, sequence);
  const { id } = await trx
    .insertInto('orders')
    .values({
      number,
      state: 'placed',
      payment_type: 'card',
      start_mode: event.by.kind === 'card' ? 'card' : 'vin',
      billing_type: tariff.kind,
      site_id: station.site_id,
      station_id: session.stationId,
      connector_id: connectorId,
      connector_number: connectorNumber,
      agent_id: station.agent_id,
      customer_id: payer.customerId,
      card_id: payer.cardId,
      card_number: card.number,
      vin: event.by.kind === 'vehicle' ? soundVin(event.by.vin) : null,
      transaction_key: transaction,
      parallel_key: event.parallelKey ?? null,
      tariff_id: tariff.id,
      tariff: JSON.stringify(tariff.detail),
      balance_before_fen: payer.availableFen,
      placed_at: at,
      timeline: JSON.stringify([timelineEntry(at, 'placed', { cardNumber: card.number })]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Of two gun ports together the first leaves the other one half: when either is refused, neither begins.
  const upToFen =
    event.parallelKey === undefined ? holdStepFen : minFen(holdStepFen, fen(Math.ceil(payer.availableFen / 2)));
  const heldFen = await holdMoney(trx, { id, wallet, holdNumber: 1, upToFen }, at);
  await trx.updateTable('orders').set({ held_fen: heldFen, holds: 1 }).where('id', '=', id).execute();
  return {
    answer: {
      kind: 'charge-decided',
      authorization: 'accepted',
      transaction,
      cardNumber: card.number,
      availableFen: payer.availableFen,
    },
    placed: {
      id,
      number,
      state: 'placed',
      connectorId,
      agentId: station.agent_id,
      energyWh: 0,
      electricityFeeFen: 0,
      serviceFeeFen: 0,
    },
  };
}
