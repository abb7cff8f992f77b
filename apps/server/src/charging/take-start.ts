import { moneyLimits } from '@voltdeck/charging/charge/decide-authorization';
import { type Beginning, decideBegin, isNamedStart } from '@voltdeck/charging/charge/decide-begin';
import { soundVin } from '@voltdeck/charging/sound-vin';
import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { minFen, zeroFen } from '@voltdeck/units/money';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { authorizeCard, nobody, type Payer } from '../orders/authorize-card.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { orderNumber, timelineEntry } from '../orders/order-record.ts';
import { chargeOf, findOrders, lockOrderWhere, type OrderRow } from '../orders/order-row.ts';
import { awaitStop, changeOrder, insertOrder, movedOrder, reserveNumbers } from '../orders/write-order.ts';
import { connectorOf, readStation, type StationFacts } from './station-facts.ts';
import type { SessionConnector, StationSession } from './station-session.ts';

export type StartTaken = {
  transactionNumber: number;
  authorization: Authorization;
  expiresAt: Instant | null;
  /** The charge's order; null when it may not begin. */
  order: OrderRow | null;
  /** It was not told before. */
  isNew: boolean;
  /** Orders that took a step, for those who watch. */
  moved: OrderMoved[];
};

/**
 * A station says that energy begins to flow. It always gets a transaction number, even for a card that may not charge
 * (OCPP 1.6, section 4.8); the same start told twice is one order.
 */
export async function takeStart(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
  { isRecord = false }: { isRecord?: boolean } = {},
): Promise<StartTaken> {
  const isNamed = isNamedStart(event);
  if (isNamed) await lockName(trx, session, event.transaction);
  const startKey = startKeyOf(session, event);
  const connector = await connectorOf(trx, session, event.connectorNumber);
  const payer = await payerOf(trx, event, receivedAt);
  const found = await findOrders(trx, partsOf(session, event, startKey, connector));
  const station = await readStation(trx, session, { startedAt: event.at ?? receivedAt, now: receivedAt });
  const decision = decideBegin({
    event,
    receivedAt,
    same: chargeOrNull(found.same),
    placed: chargeOrNull(found.placed),
    cancelled: chargeOrNull(found.cancelled),
    onPort: chargeOrNull(found.onPort),
    station,
    isPriced: station.tariff !== null,
    isPortRegistered: connector.isRegistered,
    authorization: payer.authorization,
    isRecord,
  });
  switch (decision.kind) {
    case 'refuse':
      return { ...unbegun, authorization: decision.authorization };
    case 'known': {
      const known = found.same as OrderRow;
      const { startedAt } = decision;
      const order =
        startedAt === null ? known : await changeOrder(trx, known, { set: { started_at: startedAt }, at: receivedAt });
      return {
        ...unbegun,
        transactionNumber: known.transaction_number ?? 0,
        authorization: known.start_authorization ?? 'accepted',
        order,
      };
    }
    case 'begin': {
      const { beginning } = decision;
      const moved: OrderMoved[] = [];
      if (beginning.former !== null) moved.push(await leaveFormer(trx, found.onPort as OrderRow, event, receivedAt));
      const begun = { beginning, startKey, connector, station, payer, receivedAt };
      const placed = found.same ?? found.placed;
      const order =
        placed === null
          ? await beginNew(trx, session, event, { ...begun, heir: found.cancelled })
          : await beginPlaced(trx, placed, event, begun);
      return {
        transactionNumber: order.transaction_number ?? 0,
        authorization: beginning.authorization,
        expiresAt: payer.expiresAt,
        order,
        isNew: true,
        moved,
      };
    }
  }
}

const unbegun = {
  transactionNumber: 0,
  expiresAt: null,
  order: null,
  isNew: false,
  moved: [],
} as const satisfies Partial<StartTaken>;

/** All that is decided about one name is decided one after the other, on whichever node and socket it comes. */
export async function lockName(trx: Transaction<Tables>, { stationId }: StationSession, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge:${stationId}:${name}`}, 0))`.execute(trx);
}

function chargeOrNull(row: OrderRow | null) {
  return row === null ? null : chargeOf(row);
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
): Record<'same' | 'placed' | 'cancelled' | 'onPort', RawBuilder<unknown>> {
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

/** A gun port carries one charge: one that still runs there has ended, and waits for its stop. */
async function leaveFormer(
  trx: Transaction<Tables>,
  former: OrderRow,
  event: ChargeStarted,
  now: Instant,
): Promise<OrderMoved> {
  const locked = await lockOrderWhere(trx, sql`o.id = ${former.id}`);
  const evidence = { nextStartAt: toIso(event.at ?? now) };
  const endedAt = former.last_reading_at ?? former.started_at ?? now;
  const flag = { rule: 'no_stop_received', evidence } as const;
  return movedOrder(await awaitStop(trx, locked ?? former, { endedAt, flag, at: now }));
}

type Begun = {
  beginning: Beginning;
  startKey: string;
  connector: SessionConnector;
  station: StationFacts;
  payer: Payer;
  receivedAt: Instant;
};

function begunColumns(event: ChargeStarted, { beginning, startKey, connector, receivedAt }: Begun) {
  const { startedAt, meterStartWh, authorization, isOver } = beginning;
  const vin = soundVin(event.vin);
  return {
    ...(isOver
      ? ({ state: 'settling', waits_for: 'stop', stop_reason: 'no_stop_received', ended_at: startedAt } as const)
      : ({ state: 'charging' } as const)),
    start_key: startKey,
    start_authorization: authorization,
    connector_id: connector.id,
    connector_number: connector.number,
    meter_start_wh: meterStartWh,
    started_at: startedAt,
    begun_at: receivedAt,
    ...(vin !== null && { vin }),
  };
}

function startedEntry(event: ChargeStarted, { beginning, receivedAt }: Begun) {
  const { startedAt, authorization } = beginning;
  return timelineEntry(receivedAt, 'started', { at: toIso(startedAt), meterWh: event.meterStartWh, authorization });
}

async function beginPlaced(
  trx: Transaction<Tables>,
  placed: OrderRow,
  event: ChargeStarted,
  begun: Begun,
): Promise<OrderRow> {
  const number = sql<number>`nextval('transaction_numbers')`;
  return changeOrder(trx, placed, {
    set: { ...begunColumns(event, begun), transaction_number: number as never },
    flags: begun.beginning.flags,
    entries: [startedEntry(event, begun)],
    at: begun.receivedAt,
  });
}

async function beginNew(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  begun: Begun & { heir: OrderRow | null },
): Promise<OrderRow> {
  const { beginning, station, receivedAt } = begun;
  const heir = beginning.heir === null ? null : begun.heir;
  const { id, sequence, transactionNumber } = await reserveNumbers(trx);
  const tariff =
    heir === null || heir.tariff === null
      ? station.tariff
      : { id: heir.tariff_id, kind: heir.billing_type, detail: heir.tariff };
  const { wallet, availableFen } = begun.payer;
  const payer =
    heir === null
      ? {
          payment_type: 'card' as const,
          start_mode: 'card',
          // A start that we name is asked for as it begins; one with a name that nobody gave was never asked for.
          was_placed: !isNamedStart(event),
          card_id: begun.payer.cardId,
          customer_id: begun.payer.customerId,
          card_number: isNamedStart(event)
            ? (begun.payer.card?.number ?? event.cardNumber ?? null)
            : (event.cardNumber ?? null),
          balance_before_fen: wallet === null ? null : availableFen,
        }
      : {
          payment_type: heir.payment_type,
          start_mode: heir.start_mode,
          card_id: heir.card_id,
          customer_id: heir.customer_id,
          card_number: heir.card_number,
          // Whoever placed it asked for it.
          was_placed: true,
        };
  return insertOrder(
    trx,
    id,
    {
      ...begunColumns(event, begun),
      ...payer,
      transaction_number: transactionNumber,
      number: orderNumber(receivedAt, sequence),
      transaction_key: isNamedStart(event) ? event.transaction : null,
      billing_type: tariff?.kind ?? 'energy',
      site_id: station.siteId,
      station_id: session.stationId,
      agent_id: station.agentId,
      connector_id: begun.connector.id,
      tariff_id: tariff?.id ?? null,
      tariff: tariff === null ? null : JSON.stringify(tariff.detail),
      placed_at: beginning.startedAt,
    },
    {
      holdFen:
        beginning.holds && heir === null && wallet !== null ? minFen(moneyLimits.holdStepFen, availableFen) : zeroFen,
      flags: beginning.flags,
      entries: [startedEntry(event, begun)],
      at: receivedAt,
    },
  );
}
