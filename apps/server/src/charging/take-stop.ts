import type { Flag } from '@voltdeck/charging/charge/charge';
import { isNameOf } from '@voltdeck/charging/charge/decide-begin';
import { decideEnd, type EndDecision } from '@voltdeck/charging/charge/decide-end';
import type { ChargeStarted, ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { wattHours } from '@voltdeck/units/energy';
import type { ConnectorId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Transaction, Updateable } from 'kysely';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { authorizeCard, type Payer } from '../orders/authorize-card.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { nextOrderNumber } from '../orders/order-record.ts';
import { chargeOf, type OrderRow } from '../orders/order-row.ts';
import { isTestToken } from '../orders/order-token.ts';
import { settleCharge } from '../orders/settle-charge.ts';
import { whyTestRunEnds } from '../orders/test-runs/why-test-run-ends.ts';
import { vehicleColumnsKept } from '../orders/vehicle-columns.ts';
import { cancelOrderRow, changeOrder, insertOrder, movedOrder } from '../orders/write-order.ts';
import { startColumns } from './correct-start.ts';
import { readStopFacts, type StopFacts } from './read-stop-facts.ts';
import { freeOfCharge, readStation } from './station-facts.ts';
import type { StationSession } from './station-session.ts';
import { takeStart } from './take-start.ts';
import { tariffColumns } from './tariff-columns.ts';

export type StopTaken = { moved: OrderMoved[] };

/** Handles the end of a charge. Readings, bill, money and order are written together, once. */
export async function takeStop(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  receivedAt: Instant,
): Promise<StopTaken> {
  const facts = await readStopFacts(trx, session, event, receivedAt);
  const { order, payer } = facts;
  const decision = decideEnd({
    event,
    receivedAt,
    charge: order === null ? null : chargeOf(order),
    hasEnergy: facts.hasEnergy,
    authorization: payer?.authorization ?? null,
    isReplaced: payer?.isReplaced ?? false,
  });
  switch (decision.kind) {
    case 'nothing':
      return { moved: [] };
    case 'begin-first': {
      const begun = await takeStart(trx, session, startOf(session, event), receivedAt, { isRecord: true });
      if (begun.order === null) throw new Error(`the charge ${event.transaction} has no order after its start`);
      const ended = await takeStop(trx, session, event, receivedAt);
      return { moved: [...begun.moved, ...ended.moved] };
    }
    case 'park':
      return {
        moved: [await parkStop(trx, session, event, { stopKey: facts.stopKey, flags: decision.flags, at: receivedAt })],
      };
    case 'repeated':
    case 'cancel':
    case 'settle':
      if (order === null) throw new Error(`the charge ${event.transaction} ends without an order`);
      return { moved: await endOrder(trx, session, order, { event, decision, facts, at: receivedAt }) };
  }
}

/** The start implied by a stop without one, at its end where it names no beginning. */
function startOf(session: StationSession, event: ChargeStopped): ChargeStarted {
  const at = event.startedAt ?? event.at;
  const only = session.connectors.size === 1 ? [...session.connectors.keys()][0] : undefined;
  return {
    kind: 'charge-started',
    connectorNumber: event.connectorNumber ?? only ?? 1,
    ...(event.cardNumber !== undefined && { cardNumber: event.cardNumber }),
    transaction: event.transaction,
    meterStartWh: wattHours(0),
    ...(at !== undefined && { at }),
    stationTime: event.stationTime,
  };
}

type Ending = {
  event: ChargeStopped;
  decision: Extract<EndDecision, { kind: 'repeated' | 'cancel' | 'settle' }>;
  facts: StopFacts;
  at: Instant;
};

async function endOrder(
  trx: Transaction<Tables>,
  session: StationSession,
  order: OrderRow,
  { event, decision, facts, at }: Ending,
): Promise<OrderMoved[]> {
  const record = recordOf(event);
  const { reason } = event;
  switch (decision.kind) {
    case 'repeated': {
      await changeOrder(trx, order, { set: decision.keepsRecord ? record : {}, flags: decision.flags, at });
      return [];
    }
    case 'cancel': {
      const params = { stopReason: reason, ...(event.reasonCode !== undefined && { stopCode: event.reasonCode }) };
      const told = [{ event: 'start_refused', params }, { event: 'cancelled' }] as const;
      return [
        movedOrder(await cancelOrderRow(trx, order, { at, facts: told, set: { ...record, stop_reason: reason } })),
      ];
    }
    case 'settle': {
      const { startedAt, claimsPayer, flags, doubt } = decision;
      const { payer, stopKey } = facts;
      const set = {
        ...(claimsPayer && payer !== null && claimOf(payer, event.cardNumber)),
        ...(startedAt !== null && (await startColumns(trx, session, order, startedAt, at))),
        ...(!isNamed(event.transaction) && { stop_key: stopKey }),
      };
      const claimed = await changeOrder(trx, order, { set, at });
      const asked = session.orders.get(order.transaction_number ?? 0)?.stopRequested?.because ?? null;
      const because = reason === 'remote' ? (asked ?? (await whyTestRunEnds(trx, order))) : null;
      const end = because === null ? decision.end : { ...decision.end, reason: because };
      const { readings, bill = null } = event;
      // Read together with the order as found: another start or payer means other readings and another balance.
      const known = claimed === order ? facts.settlement : null;
      const ended = { end, readings, bill, flags, doubt, record, known, now: at };
      return [movedOrder(await settleCharge(trx, claimed, ended))];
    }
  }
}

/** The station's own account of the charge, stored as reported. */
function recordOf(event: ChargeStopped): Updateable<OrdersTable> {
  return {
    ...(event.reasonCode !== undefined && { stop_code: event.reasonCode }),
    ...(event.bill !== undefined && { station_bill: JSON.stringify(event.bill) as never }),
    ...(event.vin !== undefined && vehicleColumnsKept(event.vin)),
  };
}

/** The card in the record of an offline charge identifies its payer. */
function claimOf(payer: Payer, cardNumber: string | undefined): Updateable<OrdersTable> {
  return {
    card_number: payer.card?.number ?? cardNumber ?? null,
    card_id: payer.cardId,
    customer_id: payer.customerId,
    payment_type: 'card',
    balance_before_fen: payer.wallet === null ? null : payer.availableFen,
  };
}

/** Whether the number that a stop shows is that of a test run at this station. */
async function isTokenOfTestRun(
  trx: Transaction<Tables>,
  { stationId }: StationSession,
  cardNumber: string,
): Promise<boolean> {
  if (!isTestToken(cardNumber)) return false;
  const run = await trx
    .selectFrom('orders')
    .select('id')
    .where('card_number', '=', cardNumber)
    .where('station_id', '=', stationId)
    .where('start_mode', '=', 'test')
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

/** An order without a known payer, which waits for a person. */
export async function parkStop(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  { stopKey, flags, at }: { stopKey: string; flags: readonly Flag[]; at: Instant },
): Promise<OrderMoved> {
  const { transaction, reason, cardNumber } = event;
  const isTest = cardNumber !== undefined && (await isTokenOfTestRun(trx, session, cardNumber));
  const payer = cardNumber === undefined || isTest ? null : await authorizeCard(trx, cardNumber, at);
  const endedAt = event.at ?? at;
  const station = await readStation(trx, session, { startedAt: endedAt, now: at });
  const tariff = isTest ? freeOfCharge : station.tariff;
  const unpriced: readonly Flag[] = tariff === null ? [{ rule: 'price_missing', evidence: {} }] : [];
  const connectors = [...session.connectors.values()];
  const told = connectors.find(({ number }) => number === event.connectorNumber);
  const connector = told ?? (connectors.length === 1 ? connectors[0] : undefined);
  const meterWh = event.meterStopWh ?? null;
  const row = await insertOrder(
    trx,
    null,
    {
      number: nextOrderNumber(at),
      state: 'settling',
      waits_for: 'person',
      was_placed: false,
      ...(isTest ? { payment_type: 'none', start_mode: 'test' } : { payment_type: 'card', start_mode: 'card' }),
      ...tariffColumns(tariff),
      site_id: station.siteId,
      station_id: session.stationId,
      connector_id: connector?.id ?? (0 as ConnectorId),
      connector_number: connector?.number ?? 0,
      agent_id: station.agentId,
      customer_id: payer?.customerId ?? null,
      card_id: payer?.cardId ?? null,
      card_number: cardNumber ?? null,
      // A repeated stop is recognised by its charge's name, or by its key.
      transaction_key: isNameOf(transaction) ? transaction : null,
      start_key: stopKey,
      meter_stop_wh: meterWh,
      placed_at: at,
      ended_at: endedAt,
      stop_reason: reason,
    },
    {
      hold: null,
      flags: [...flags, ...unpriced],
      facts: [{ event: 'ended', params: { at: toIso(endedAt), meterWh, reason } }],
      at,
    },
  );
  return movedOrder(row);
}
