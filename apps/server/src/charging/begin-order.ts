import type { Authorization, StartMode } from '@voltdeck/charging/states';
import type { ChargeStarted } from '@voltdeck/charging/station-event';
import type { AgentId, ConnectorId, OrderId, SiteId, TariffId } from '@voltdeck/units/id';
import { type Instant, toIso } from '@voltdeck/units/instant';
import type { Selectable, Transaction } from 'kysely';
import type { OrdersTable, Tables } from '../database/tables.generated.ts';
import type { Payer } from '../orders/authorize-card.ts';
import { holdMoney, holdStepFen } from '../orders/hold-money.ts';
import {
  appendTimeline,
  type Flag,
  flagOrder,
  nextNumber,
  orderNumber,
  timelineEntry,
} from '../orders/order-record.ts';
import { type ChargeSettled, closeWithoutStop } from '../orders/settle-charge.ts';
import { awaitStop } from './await-stop.ts';
import type { StationSession } from './station-session.ts';

export type Begun = {
  transactionNumber: number;
  authorization: Authorization;
  expiresAt: Instant | null;
  /** Null when it may not begin. */
  orderId: OrderId | null;
  isRunning: boolean;
  /** A charge on the same gun port that never ended was closed first. */
  closed: ChargeSettled | null;
};

/** What a charge that begins is known by, before anything is written. */
export type Beginning = {
  startKey: string;
  /** How the station calls it, where it had a name before. */
  transactionKey: string | null;
  /** The order that waited for this start, locked. */
  placed: Pick<Selectable<OrdersTable>, 'id' | 'tariff' | 'abnormal'> | null;
  payer: Payer;
  paymentType: 'card' | 'online';
  /** Of a charge that was not placed. */
  startMode?: StartMode;
  /** What the list shows as its card. */
  cardNumber: string | null;
  /** Instead of the station's own tariff, as it was then. */
  tariff?: ChargeTariff;
  vin: string | null;
  /** What ran on the gun port until now, from `closeFormer`; null when nothing did. */
  closed: ChargeSettled | null;
  /** The end is told already: it waits for its stop and does not take the gun port. */
  isOver: boolean;
  flags: readonly Flag[];
};

export type ChargeTariff = { id: TariffId | null; kind: 'energy' | 'hour'; detail: unknown };

/** Writes the order of a charge that begins, its hold and what is odd about it. */
export async function beginOrder(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  beginning: Beginning,
  receivedAt: Instant,
): Promise<Begun> {
  const { startKey, placed, payer, closed, isOver } = beginning;
  const station = await readStation(trx, session);
  const connectorId = await connectorOf(trx, session, event.connectorNumber);
  const startedAt = event.at ?? receivedAt;
  const tariff = placed === null ? (beginning.tariff ?? (await readTariff(trx, station.card_tariff_id))) : null;
  const isPriced = placed === null ? tariff !== null : placed.tariff !== null;
  const authorization = authorizationOf(payer.authorization, { enabled: station.enabled, isPriced });
  const flags = [...beginning.flags, ...flagsOf(event, { authorization, isPriced, receivedAt })];
  const transactionNumber = await nextNumber(trx, 'transaction_numbers');
  const begun = {
    ...(isOver
      ? { state: 'settling' as const, stop_reason: 'no_stop_received', ended_at: startedAt }
      : { state: 'charging' as const }),
    transaction_number: transactionNumber,
    start_key: startKey,
    start_authorization: authorization,
    connector_id: connectorId,
    connector_number: event.connectorNumber,
    meter_start_wh: event.meterStartWh,
    started_at: startedAt,
    ...(beginning.vin === null ? {} : { vin: beginning.vin }),
  };
  const started = timelineEntry(receivedAt, 'started', {
    at: toIso(startedAt),
    meterWh: event.meterStartWh,
    authorization,
  });
  const order =
    placed === null
      ? await trx
          .insertInto('orders')
          .values({
            ...begun,
            number: orderNumber(receivedAt, await nextNumber(trx, 'order_numbers')),
            transaction_key: beginning.transactionKey,
            payment_type: beginning.paymentType,
            start_mode: beginning.startMode ?? 'card',
            billing_type: tariff?.kind ?? 'energy',
            abnormal: flags.length > 0,
            site_id: station.site_id,
            station_id: session.stationId,
            agent_id: station.agent_id,
            customer_id: payer.customerId,
            card_id: payer.cardId,
            card_number: beginning.cardNumber,
            tariff_id: tariff?.id ?? null,
            tariff: tariff === null ? null : JSON.stringify(tariff.detail),
            balance_before_fen: payer.wallet === null ? null : payer.availableFen,
            placed_at: startedAt,
            timeline: JSON.stringify([started]),
          })
          .returning(['id'])
          .executeTakeFirstOrThrow()
      : await trx
          .updateTable('orders')
          .set({ ...begun, timeline: appendTimeline(started) as never, abnormal: flags.length > 0 || placed.abnormal })
          .where('id', '=', placed.id)
          .returning(['id'])
          .executeTakeFirstOrThrow();
  if (placed === null && authorization === 'accepted' && payer.wallet !== null) {
    const hold = { id: order.id, wallet: payer.wallet, holdNumber: 1, upToFen: holdStepFen };
    const heldFen = await holdMoney(trx, hold, receivedAt);
    if (heldFen > 0) {
      await trx.updateTable('orders').set({ held_fen: heldFen, holds: 1 }).where('id', '=', order.id).execute();
    }
  }
  await flagOrder(trx, order.id, flags, receivedAt);
  return {
    transactionNumber,
    authorization,
    expiresAt: payer.expiresAt,
    orderId: order.id,
    isRunning: !isOver,
    closed,
  };
}

/**
 * A gun port carries one charge: one that still runs there has ended. A charge with a name waits for the record that
 * its station keeps until we have it; any other is closed at the last that its meter said.
 */
export async function closeFormer(
  trx: Transaction<Tables>,
  session: StationSession,
  event: ChargeStarted,
  now: Instant,
): Promise<ChargeSettled | null> {
  const connectorId = await connectorOf(trx, session, event.connectorNumber);
  const running = await trx
    .selectFrom('orders')
    .select(['id', 'transaction_key'])
    .where('connector_id', '=', connectorId)
    .where('state', '=', 'charging')
    .executeTakeFirst();
  if (running === undefined) return null;
  const evidence = { nextStartAt: toIso(event.at ?? now) };
  return running.transaction_key === null
    ? closeWithoutStop(trx, running.id, { now, evidence })
    : awaitStop(trx, running.id, { now, evidence });
}

function authorizationOf(
  card: Authorization,
  { enabled, isPriced }: { enabled: boolean; isPriced: boolean },
): Authorization {
  if (card !== 'accepted') return card;
  // Energy that cannot be priced must not flow, and a disabled station begins nothing.
  return enabled && isPriced ? 'accepted' : 'blocked';
}

function flagsOf(
  event: ChargeStarted,
  { authorization, isPriced, receivedAt }: { authorization: Authorization; isPriced: boolean; receivedAt: Instant },
): Flag[] {
  const flags: Flag[] = [];
  // A charge with a name is told again with its true time at the end.
  if (event.at === undefined && typeof event.transaction !== 'string') {
    flags.push({ rule: 'clock_wrong', evidence: { stationTime: event.stationTime, receivedAt: toIso(receivedAt) } });
  }
  if (!isPriced) flags.push({ rule: 'price_missing', evidence: {} });
  if (authorization !== 'accepted') {
    flags.push({ rule: 'card_not_accepted', evidence: { cardNumber: event.cardNumber, authorization } });
  }
  return flags;
}

type StationRow = { site_id: SiteId; agent_id: AgentId | null; enabled: boolean; card_tariff_id: TariffId | null };

export async function readStation(trx: Transaction<Tables>, session: StationSession): Promise<StationRow> {
  return trx
    .selectFrom('stations')
    .select(['site_id', 'agent_id', 'enabled', 'card_tariff_id'])
    .where('id', '=', session.stationId)
    .executeTakeFirstOrThrow();
}

export async function readTariff(trx: Transaction<Tables>, id: TariffId | null): Promise<ChargeTariff | null> {
  if (id === null) return null;
  return (
    (await trx.selectFrom('tariffs').select(['id', 'kind', 'detail']).where('id', '=', id).executeTakeFirst()) ?? null
  );
}

/** The real device wins over what was registered: a port that nobody entered is added when it charges. */
export async function connectorOf(
  trx: Transaction<Tables>,
  session: StationSession,
  number: number,
): Promise<ConnectorId> {
  const known = session.connectors.get(number);
  if (known !== undefined) return known.id;
  const row = await trx
    .insertInto('connectors')
    .values({ station_id: session.stationId, number, name: String(number) })
    .onConflict((conflict) => conflict.columns(['station_id', 'number']).doUpdateSet({ number }))
    .returning('id')
    .executeTakeFirstOrThrow();
  session.connectors.set(number, { id: row.id, number, state: 'offline' });
  return row.id;
}
