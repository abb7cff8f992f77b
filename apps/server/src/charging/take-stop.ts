import { type Flag, hasPayer } from '@voltdeck/charging/charge/charge';
import { isNameOf } from '@voltdeck/charging/charge/decide-begin';
import { decideEnd, type EndDecision } from '@voltdeck/charging/charge/decide-end';
import { suspicionOf } from '@voltdeck/charging/charge/decide-settlement';
import { soundVin } from '@voltdeck/charging/sound-vin';
import type { ChargeStarted, ChargeStopped } from '@voltdeck/charging/station-event';
import { isNamed } from '@voltdeck/charging/transaction';
import { connectorOfTransactionKey } from '@voltdeck/charging/transaction-key';
import { wattHours } from '@voltdeck/units/energy';
import type { ConnectorId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import { zeroFen } from '@voltdeck/units/money';
import { CompiledQuery, sql, type Transaction, type Updateable } from 'kysely';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import { insertReadings } from '../journal/readings.ts';
import { authorizeCard, type Payer } from '../orders/authorize-card.ts';
import type { OrderMoved } from '../orders/order-events.ts';
import { hasEnergy } from '../orders/order-readings.ts';
import { orderNumber, timelineEntry } from '../orders/order-record.ts';
import { chargeOf, lockOrderWhere, type OrderRow } from '../orders/order-row.ts';
import { settleCharge } from '../orders/settle-charge.ts';
import { cancelOrderRow, changeOrder, insertOrder, movedOrder, reserveNumbers } from '../orders/write-order.ts';
import type { StationSession } from './station-session.ts';
import { lockName, takeStart } from './take-start.ts';

export type StopTaken = { moved: OrderMoved[] };

/** A station says that a charge is over. Readings, bill, money and order are written together, once. */
export async function takeStop(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  receivedAt: Instant,
): Promise<StopTaken> {
  if (isNameOf(event.transaction)) await lockName(trx, session, event.transaction);
  const found = await lockMeant(trx, session, event, parkedKey(session, event));
  const first = await decideStop(trx, event, found, receivedAt);
  if (first.decision.kind !== 'begin-first') {
    return { moved: await carryOut(trx, session, event, { ...first, order: found, receivedAt }) };
  }
  const begun = await takeStart(trx, session, startOf(session, event), receivedAt, { isRecord: true });
  if (begun.order === null) throw new Error(`the charge ${event.transaction} was not begun`);
  const order = found === null ? await flagUnasked(trx, begun.order, event, receivedAt) : begun.order;
  const second = await decideStop(trx, event, order, receivedAt);
  const ended = await carryOut(trx, session, event, { ...second, order, receivedAt });
  return { moved: [...begun.moved, ...ended] };
}

async function decideStop(
  trx: Transaction<Tables>,
  event: ChargeStopped,
  order: OrderRow | null,
  receivedAt: Instant,
): Promise<{ decision: EndDecision; payer: Payer | null }> {
  const isNamedCharge = isNameOf(event.transaction);
  const claims = isNamedCharge && order !== null && !hasPayer(chargeOf(order));
  const payer =
    claims && event.cardNumber !== undefined
      ? await authorizeCard(trx, event.cardNumber, receivedAt, { lock: true })
      : null;
  const decision = decideEnd({
    event,
    receivedAt,
    charge: order === null ? null : chargeOf(order),
    hasEnergy: isNamedCharge && event.meterStopWh === 0 && order !== null && (await hasEnergy(trx, order)),
    authorization: payer?.authorization ?? null,
  });
  return { decision, payer };
}

async function carryOut(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  of: { decision: EndDecision; order: OrderRow | null; payer: Payer | null; receivedAt: Instant },
): Promise<OrderMoved[]> {
  const { decision, order, payer, receivedAt: at } = of;
  switch (decision.kind) {
    case 'nothing':
    case 'begin-first':
      return [];
    case 'park':
      return [await parkStop(trx, session, event, { flags: decision.flags, at })];
    case 'repeated': {
      const { flags, keepsRecord } = decision;
      if (order === null || (flags.length === 0 && !keepsRecord)) return [];
      await changeOrder(trx, order, { set: keepsRecord ? recordOf(event) : {}, flags, at });
      return [];
    }
    case 'cancel': {
      if (order === null) return [];
      const refused = timelineEntry(at, 'start_refused', {
        stopReason: event.reason,
        ...(event.reasonCode !== undefined && { stopCode: event.reasonCode }),
      });
      const set = { ...recordOf(event), stop_reason: event.reason };
      const entries = [refused, timelineEntry(at, 'cancelled')];
      return [movedOrder(await cancelOrderRow(trx, order, { at, entries, set }))];
    }
    case 'settle': {
      if (order === null) return [];
      const known = decision.claimsPayer ? await claimPayer(trx, order, event, payer, at) : order;
      const { startedAt } = decision;
      const claimed =
        startedAt === null ? known : await changeOrder(trx, known, { set: { started_at: startedAt }, at });
      await keepReadings(trx, order, event, at);
      const suspicion = await suspect(trx, session, claimed, {
        payer,
        from: claimed.started_at,
        to: decision.end.endedAt,
      });
      const asked = session.orders.get(order.transaction_number ?? 0)?.stopAsked ?? null;
      const end =
        asked !== null && event.reason === 'remote' ? { ...decision.end, reason: asked.because } : decision.end;
      const { flags } = decision;
      const ended = { end, bill: event.bill ?? null, suspicion, flags, record: recordOf(event), now: at };
      return [movedOrder(await settleCharge(trx, claimed, ended))];
    }
  }
}

/**
 * By the name or number we gave. Firmware that began offline invents 0 or a negative number: then the station's one
 * running charge that fits the card and the meter is meant. A positive number that we never gave is nobody's charge.
 */
async function lockMeant(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  key: string,
): Promise<OrderRow | null> {
  const { transaction } = event;
  const ofStation = sql`o.station_id = ${session.stationId}`;
  if (typeof transaction === 'number' && isNamed(transaction)) {
    const named = await lockOrderWhere(trx, sql`o.transaction_number = ${transaction} and ${ofStation}`);
    return named ?? lockOrderWhere(trx, sql`o.start_key = ${key}`);
  }
  if (isNameOf(transaction)) {
    return lockOrderWhere(trx, sql`${ofStation} and o.transaction_key = ${transaction} and o.state <> 'cancelled'`);
  }
  const id = await findByMeter(trx, session, event, key);
  return id === null ? null : lockOrderWhere(trx, sql`o.id = ${id}`);
}

async function findByMeter(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  key: string,
): Promise<number | null> {
  const fits = sql`o.station_id = ${session.stationId}
    ${event.connectorNumber === undefined ? sql`` : sql`and o.connector_number = ${event.connectorNumber}`}
    ${event.cardNumber === undefined ? sql`` : sql`and o.card_number = ${event.cardNumber}`}`;
  const { rows } = await sql<{ rank: number; id: number }>`
    (select 1 as rank, o.id from orders o where o.start_key = ${key})
    union all
    (select 2, o.id from orders o where ${fits} and o.state = 'charging'
        and coalesce(o.meter_start_wh, 0) <= ${event.meterStopWh ?? 0} limit 2)
    union all
    (select 3, o.id from orders o where ${fits} and o.state = 'settling' and o.waits_for = 'stop'
        and coalesce(o.meter_start_wh, 0) <= ${event.meterStopWh ?? 0} limit 2)
    union all
    (select 4, o.id from orders o where o.station_id = ${session.stationId} and o.state in ('completed', 'settling')
        and o.meter_stop_wh = ${event.meterStopWh ?? null}
        and o.ended_at = to_timestamp(${event.at ?? 0} / 1000.0) limit 1)`.execute(trx);
  // One that was told before ends nothing else: the same register at the same instant comes before what runs.
  for (const rank of [1, 4, 2, 3]) {
    const ranked = rows.filter((row) => row.rank === rank);
    // Two that fit are told apart by nobody.
    if (ranked.length === 1) return ranked[0]?.id ?? null;
  }
  return null;
}

function parkedKey({ stationId }: StationSession, event: ChargeStopped): string {
  return ['stop', stationId, event.transaction, event.stationTime, event.meterStopWh].join('|');
}

/** The start that a stop without one stands for: all that is known of it is its end. */
function startOf(session: StationSession, event: ChargeStopped): ChargeStarted {
  const only = session.connectors.size === 1 ? [...session.connectors.keys()][0] : undefined;
  const named = isNameOf(event.transaction) ? connectorOfTransactionKey(event.transaction) : null;
  return {
    kind: 'charge-started',
    connectorNumber: event.connectorNumber ?? named ?? only ?? 1,
    ...(event.cardNumber !== undefined && { cardNumber: event.cardNumber }),
    transaction: event.transaction,
    meterStartWh: wattHours(0),
    ...(event.at !== undefined && { at: event.at }),
    stationTime: event.stationTime,
  };
}

async function flagUnasked(
  trx: Transaction<Tables>,
  order: OrderRow,
  event: ChargeStopped,
  at: Instant,
): Promise<OrderRow> {
  const evidence = { transaction: event.transaction, cardNumber: event.cardNumber ?? null };
  return changeOrder(trx, order, { flags: [{ rule: 'start_missing', evidence }], at });
}

/** Whoever charged offline is known by the record's card: they pay. */
async function claimPayer(
  trx: Transaction<Tables>,
  order: OrderRow,
  event: ChargeStopped,
  payer: Payer | null,
  at: Instant,
): Promise<OrderRow> {
  if (payer === null || event.cardNumber === undefined) return order;
  return changeOrder(trx, order, {
    set: {
      card_number: payer.card?.number ?? event.cardNumber,
      card_id: payer.cardId,
      customer_id: payer.customerId,
      payment_type: 'card',
      balance_before_fen: payer.wallet === null ? null : payer.availableFen,
    },
    at,
  });
}

/** Why a charge that nobody asked for is not believed; null where it was asked for or is believed. */
async function suspect(
  trx: Transaction<Tables>,
  session: StationSession,
  order: OrderRow,
  of: { payer: Payer | null; from: Instant | null; to: Instant },
): Promise<Flag | null> {
  const charge = chargeOf(order);
  if (charge.wasPlaced) return null;
  const from = of.from ?? of.to;
  const { rows } = await sql<{
    offline_card: boolean;
    own_card: boolean;
    other: string | null;
    started_at: Instant | null;
    ended_at: Instant | null;
  }>`
    select exists (select 1 from station_cards k join cards c on c.physical_number = k.physical_number
                    where k.station_id = ${session.stationId} and c.id = ${order.card_id}) as offline_card,
           exists (select 1 from cards c where c.id = ${order.card_id}
                      and c.agent_id is not distinct from ${order.agent_id}::bigint) as own_card,
           o.number as other, o.started_at, o.ended_at
      from (select 1) one
      left join lateral (
        select number, started_at, ended_at from orders
         where connector_id = ${order.connector_id} and id <> ${order.id} and state <> 'cancelled'
           and started_at < to_timestamp(${of.to} / 1000.0) and started_at is not null
           and (ended_at > to_timestamp(${from} / 1000.0) or state = 'charging')
         order by started_at desc limit 1) o on true`.execute(trx);
  const row = rows[0];
  return suspicionOf({
    charge,
    isOfflineCard: row?.offline_card === true,
    isOwnCard: row?.own_card === true,
    overlaps:
      row === undefined || row.other === null
        ? null
        : { number: row.other, startedAt: row.started_at, endedAt: row.ended_at },
  });
}

async function keepReadings(
  trx: Transaction<Tables>,
  order: OrderRow,
  event: ChargeStopped,
  at: Instant,
): Promise<void> {
  await insertReadings(
    (text, values) => trx.executeQuery(CompiledQuery.raw(text, values)),
    event.readings.map((reading) => ({
      orderId: order.id,
      connectorId: order.connector_id,
      reading,
      receivedAt: at,
      maybeRepeated: true,
    })),
  );
}

/** What the station itself says of the charge, kept as it said it. */
function recordOf(event: ChargeStopped): Updateable<OrdersTable> {
  const vin = soundVin(event.vin);
  return {
    ...(event.reasonCode !== undefined && { stop_code: event.reasonCode }),
    ...(event.bill !== undefined && { station_bill: JSON.stringify(event.bill) as never }),
    ...(vin !== null && { vin }),
  };
}

/** An order of nobody that we know, which waits for a person. Told again, the same stop finds it by its key. */
export async function parkStop(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStopped,
  { flags, at }: { flags: readonly Flag[]; at: Instant },
): Promise<OrderMoved> {
  const known = await lockOrderWhere(trx, sql`o.start_key = ${parkedKey(session, event)}`);
  if (known !== null) return movedOrder(known);
  const payer = event.cardNumber === undefined ? null : await authorizeCard(trx, event.cardNumber, at);
  const endedAt = event.at ?? at;
  const connectors = [...session.connectors.values()];
  const told = connectors.find(({ number }) => number === event.connectorNumber);
  const connector = told ?? (connectors.length === 1 ? connectors[0] : undefined);
  const { id, sequence } = await reserveNumbers(trx);
  const meterWh = event.meterStopWh ?? null;
  const row = await insertOrder(
    trx,
    id,
    {
      number: orderNumber(at, sequence),
      state: 'settling',
      waits_for: 'person',
      was_placed: false,
      payment_type: 'card',
      start_mode: 'card',
      billing_type: 'energy',
      site_id: session.siteId,
      station_id: session.stationId,
      connector_id: connector?.id ?? (0 as ConnectorId),
      connector_number: connector?.number ?? 0,
      agent_id: session.agentId,
      customer_id: payer?.customerId ?? null,
      card_id: payer?.cardId ?? null,
      card_number: event.cardNumber ?? null,
      start_key: parkedKey(session, event),
      meter_stop_wh: meterWh,
      placed_at: at,
      ended_at: endedAt,
      stop_reason: event.reason,
    },
    {
      holdFen: zeroFen,
      flags,
      entries: [timelineEntry(at, 'ended', { at: toIso(endedAt), meterWh, reason: event.reason })],
      at,
    },
  );
  return movedOrder(row);
}
