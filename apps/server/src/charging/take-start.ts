import { firstHoldFen } from '@voltdeck/charging/charge/decide-authorization';
import { type Beginning, decideBegin, isNamedStart } from '@voltdeck/charging/charge/decide-begin';
import type { Authorization } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { holdOf, type Payer, vinOfTag } from '../orders/authorize-card.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import type { TimelineFact } from '../orders/order-record.ts';
import { chargeOf, lockOrderWhere, type OrderRow } from '../orders/order-row.ts';
import { paidBeforeBy } from '../orders/paid-before.ts';
import { beginTestRun } from '../orders/test-runs/begin-test-run.ts';
import { vehicleColumns, vehicleColumnsKept } from '../orders/vehicle-columns.ts';
import { awaitStop, changeOrder, insertOrder, movedOrder, nextNumbers } from '../orders/write-order.ts';
import { startColumns } from './correct-start.ts';
import { readStartFacts, type StartFacts } from './read-start-facts.ts';
import { authorizationHere, isFreeOfCharge } from './station-facts.ts';
import type { StationSession } from './station-session.ts';
import { tariffColumns } from './tariff-columns.ts';

export type StartTaken = {
  transactionNumber: number;
  authorization: Authorization;
  expiresAt: Instant | null;
  /** The charge's order; null when it must not begin. */
  order: OrderRow | null;
  /** It was not reported before. */
  isNew: boolean;
  /** Orders that took a step, to publish. */
  moved: OrderMoved[];
};

/**
 * Handles a start of energy flow. It always gets a transaction number, even for a card that may not charge (OCPP 1.6,
 * section 4.8); a repeated start is one order.
 */
export async function takeStart(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  receivedAt: Instant,
  { isRecord = false }: { isRecord?: boolean } = {},
): Promise<StartTaken> {
  const facts = await readStartFacts(trx, session, event, receivedAt);
  const { orders, station, connector, payer } = facts;
  const decision = decideBegin({
    event,
    receivedAt,
    same: chargeOrNull(orders.same),
    placed: chargeOrNull(orders.placed),
    cancelled: chargeOrNull(orders.cancelled),
    onPort: chargeOrNull(orders.onPort),
    station,
    isPriced: station.tariff !== null,
    isFree: isFreeOfCharge(station.tariff),
    isPortRegistered: connector.isRegistered,
    authorization: authorizationHere(station, payer),
    isRecord,
  });
  switch (decision.kind) {
    case 'refuse':
      return { ...unbegun, authorization: decision.authorization };
    case 'known': {
      const known = orders.same as OrderRow;
      const { startedAt } = decision;
      const order =
        startedAt === null
          ? known
          : await changeOrder(trx, known, {
              set: await startColumns(trx, session, known, startedAt, receivedAt),
              at: receivedAt,
            });
      return {
        ...unbegun,
        transactionNumber: known.transaction_number ?? 0,
        authorization: answerTo(known.start_authorization ?? 'accepted', payer, known.begun_at ?? receivedAt),
        order,
      };
    }
    case 'begin': {
      const { beginning } = decision;
      const moved: OrderMoved[] = [];
      if (beginning.former !== null) {
        moved.push(...(await awaitFormerStop(trx, orders.onPort as OrderRow, beginning.startedAt, receivedAt)));
      }
      const placed = orders.same ?? orders.placed;
      const vin = event.vin ?? vinOfPayer(event, facts);
      const set = {
        ...begunColumns(beginning, facts, receivedAt),
        ...(vin !== null && (placed === null ? vehicleColumns(vin) : vehicleColumnsKept(vin))),
      };
      const order =
        placed === null
          ? await beginNew(trx, session, { ...set, ...named(event) }, { beginning, facts, at: receivedAt })
          : await beginPlaced(trx, placed, set, { beginning, at: receivedAt });
      if (order.start_mode === 'test') {
        await beginTestRun(trx, order, beginning.heir === null ? null : orders.cancelled, receivedAt);
      }
      return {
        transactionNumber: order.transaction_number ?? 0,
        authorization: answerTo(beginning.authorization, payer, receivedAt),
        expiresAt: payer.expiresAt,
        order,
        isNew: true,
        moved,
      };
    }
  }
}

/**
 * What the station is told. Its time says who pays, ours whether the charge may go on: a clock that is behind begins
 * nothing with a card that has been replaced. `begunAt` is when we heard of the start first.
 */
function answerTo(authorization: Authorization, { endedAt }: Payer, begunAt: Instant): Authorization {
  return authorization === 'accepted' && endedAt !== null && endedAt <= begunAt ? 'blocked' : authorization;
}

const unbegun = {
  transactionNumber: 0,
  expiresAt: null,
  order: null,
  isNew: false,
  moved: [],
} as const satisfies Partial<StartTaken>;

function chargeOrNull(row: OrderRow | null) {
  return row === null ? null : chargeOf(row);
}

/** A gun port carries one charge, so one that still runs there has ended and waits for its stop. */
async function awaitFormerStop(
  trx: Transaction<Tables>,
  former: OrderRow,
  nextStartAt: Instant,
  now: Instant,
): Promise<OrderMoved[]> {
  const locked = await lockOrderWhere(trx, sql`o.id = ${former.id}`);
  // Its stop has arrived by another connection since it was read.
  if (locked?.state !== 'charging') return [];
  const endedAt = locked.last_reading_at ?? locked.started_at ?? now;
  const flag = { rule: 'no_stop_received', evidence: { nextStartAt: toIso(nextStartAt) } } as const;
  return [movedOrder(await awaitStop(trx, locked, { endedAt, flag, at: now }))];
}

function begunColumns(beginning: Beginning, { startKey, connector }: StartFacts, receivedAt: Instant) {
  const { startedAt, meterStartWh, authorization, isOver } = beginning;
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
  };
}

/** The vehicle that the station showed in place of a card, where that is how the payer was found. */
function vinOfPayer({ cardNumber }: ChargeStarted, { payer }: StartFacts): string | null {
  const vin = cardNumber === undefined ? null : vinOfTag(cardNumber);
  if (vin === null || payer.card === null) return null;
  return payer.card.number === cardNumber || payer.card.physicalNumber === cardNumber ? null : vin;
}

/** The name of a charge without a placed order. */
function named(event: ChargeStarted) {
  const transactionKey = isNamedStart(event) ? event.transaction : null;
  return {
    transaction_key: transactionKey,
    card_number: event.cardNumber ?? null,
    // A start that we name is requested as it begins; one with an unknown name was never requested.
    was_placed: transactionKey === null,
  };
}

function startedFact({ startedAt, meterStartWh, authorization }: Beginning): TimelineFact {
  return { event: 'started', params: { at: toIso(startedAt), meterWh: meterStartWh, authorization } };
}

async function beginPlaced(
  trx: Transaction<Tables>,
  placed: OrderRow,
  set: ReturnType<typeof begunColumns> & Partial<ReturnType<typeof vehicleColumns>>,
  { beginning, at }: { beginning: Beginning; at: Instant },
): Promise<OrderRow> {
  const number = sql<number>`nextval('transaction_numbers')`;
  return changeOrder(trx, placed, {
    set: { ...set, transaction_number: number as never },
    flags: beginning.flags,
    facts: [startedFact(beginning)],
    at,
  });
}

async function beginNew(
  trx: Transaction<Tables>,
  session: StationSession,
  begun: ReturnType<typeof begunColumns> & ReturnType<typeof named> & Partial<ReturnType<typeof vehicleColumns>>,
  { beginning, facts, at }: { beginning: Beginning; facts: StartFacts; at: Instant },
): Promise<OrderRow> {
  const { station, payer, orders } = facts;
  const heir = beginning.heir === null ? null : orders.cancelled;
  const tariff =
    heir === null || heir.tariff === null
      ? station.tariff
      : { id: heir.tariff_id, kind: heir.billing_type, detail: heir.tariff };
  const { wallet, availableFen } = payer;
  const isNamed = begun.transaction_key !== null;
  const isByVehicle = 'vin' in begun && payer.card !== null && vinOfTag(begun.card_number ?? '') === begun.vin;
  const ofPayer =
    heir === null
      ? {
          payment_type: 'card' as const,
          start_mode: isByVehicle ? 'vin' : 'card',
          card_id: payer.cardId,
          customer_id: payer.customerId,
          card_number: isNamed || isByVehicle ? (payer.card?.number ?? begun.card_number) : begun.card_number,
          balance_before_fen: wallet === null ? null : availableFen,
        }
      : {
          payment_type: heir.payment_type,
          start_mode: heir.start_mode,
          card_id: heir.card_id,
          customer_id: heir.customer_id,
          group_id: heir.group_id,
          group_member_id: heir.group_member_id,
          partner_id: heir.partner_id,
          card_number: heir.card_number,
          // The person who placed it requested it.
          was_placed: true,
        };
  const paid = paidBeforeBy(tariff?.detail);
  const holds = beginning.holds && heir === null && wallet !== null;
  return insertOrder(
    trx,
    null,
    {
      ...begun,
      ...ofPayer,
      ...nextNumbers(at),
      ...tariffColumns(tariff),
      site_id: station.siteId,
      station_id: session.stationId,
      agent_id: station.agentId,
      placed_at: beginning.startedAt,
    },
    {
      hold: holds ? { wallet, held: holdOf(payer, paid?.amountFen ?? firstHoldFen(availableFen)) } : null,
      flags: beginning.flags,
      facts: [startedFact(beginning)],
      at,
    },
  );
}
