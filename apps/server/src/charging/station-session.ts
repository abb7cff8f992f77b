import type { ConnectorState, StopReason } from '@voltdeck/charging/states';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { billOf, type Meter } from '@voltdeck/tariffs/meter';
import { meterOf } from '@voltdeck/tariffs/price-charge';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import type { AgentId, ConnectorId, OrderId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import type { Database } from '../database/database.ts';
import { readingsOf, type StoredReading } from '../orders/order-readings.ts';

/** A running charge as the node that holds the station's socket knows it. The database is the truth; this is its cache. */
export type OpenOrder = {
  id: OrderId;
  number: string;
  transactionNumber: number;
  /** What the station calls it, where it had a name before it began. */
  transactionKey: string | null;
  connectorId: ConnectorId;
  connectorNumber: number;
  agentId: AgentId | null;
  /** What the station was shown at the start. */
  cardNumber: string | null;
  startedAt: Instant;
  meterStartWh: number;
  /** Null when the charge cannot be priced: energy is still recorded and the order is flagged. */
  meter: Meter | null;
  lastReadingAt: Instant | null;
  energyWh: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
  powerW: number | null;
  socPercent: number | null;
  heldFen: Fen;
  /** Nobody's balance stands behind it (unknown card, refused card): no hold, no stop for want of money. */
  isPrepaid: boolean;
  /** Why we asked the station to stop, until it does. */
  stopAsked: { because: StopReason; at: Instant } | null;
  /** A hold is being extended, or the stop is being asked. */
  isLimitBeingKept: boolean;
  figuresStoredAt: Instant;
  areFiguresStored: boolean;
  publishedAt: Instant;
  isPublished: boolean;
};

export type SessionConnector = { id: ConnectorId; number: number; state: ConnectorState };

/** What the node that holds a station's socket keeps in mind about it. */
export type StationSession = {
  stationId: StationId;
  stationNumber: string;
  siteId: SiteId;
  agentId: AgentId | null;
  connectors: Map<number, SessionConnector>;
  /** By transaction number. */
  orders: Map<number, OpenOrder>;
};

/** The running charge that the station calls so. */
export function openOrderNamed({ orders }: StationSession, transaction: TransactionReference): OpenOrder | null {
  if (typeof transaction === 'number') return orders.get(transaction) ?? null;
  for (const order of orders.values()) if (order.transactionKey === transaction) return order;
  return null;
}

export async function loadStationSession(
  { db }: Pick<Database, 'db'>,
  station: { id: StationId; number: string; siteId: SiteId; agentId: AgentId | null },
): Promise<StationSession> {
  const [connectors, orders] = await Promise.all([
    db.selectFrom('connectors').select(['id', 'number', 'state']).where('station_id', '=', station.id).execute(),
    db
      .selectFrom('orders')
      .select(openOrderColumns)
      .where('station_id', '=', station.id)
      .where('state', '=', 'charging')
      .limit(64)
      .execute(),
  ]);
  const open = await Promise.all(orders.map((row) => openOrderOf({ db }, row)));
  return {
    stationId: station.id,
    stationNumber: station.number,
    siteId: station.siteId,
    agentId: station.agentId,
    connectors: new Map(
      connectors.map(({ id, number, state }) => [
        number,
        { id: id as ConnectorId, number, state: state as ConnectorState },
      ]),
    ),
    orders: new Map(open.map((order) => [order.transactionNumber, order])),
  };
}

export const openOrderColumns = [
  'id',
  'number',
  'transaction_number',
  'transaction_key',
  'connector_id',
  'connector_number',
  'agent_id',
  'card_number',
  'started_at',
  'meter_start_wh',
  'tariff',
  'held_fen',
  'payment_type',
  'card_id',
  'customer_id',
  'start_authorization',
] as const;

export type OpenOrderRow = {
  id: number;
  number: string;
  transaction_number: number | null;
  transaction_key: string | null;
  connector_id: number;
  connector_number: number;
  agent_id: number | null;
  card_number: string | null;
  started_at: number | null;
  meter_start_wh: number | null;
  tariff: unknown;
  held_fen: number;
  card_id: number | null;
  customer_id: number | null;
  start_authorization: string | null;
};

/** The cache of a running order, its meter rebuilt from what is stored. */
export async function openOrderOf({ db }: Pick<Database, 'db'>, row: OpenOrderRow): Promise<OpenOrder> {
  return openOrder(row, await readingsOf(db, row.id as OrderId, (row.started_at ?? 0) as Instant));
}

/** A running order with its stored readings in order of time; none for one that begins now. */
export function openOrder(row: OpenOrderRow, readings: readonly StoredReading[]): OpenOrder {
  const startedAt = (row.started_at ?? 0) as Instant;
  const meterStartWh = row.meter_start_wh ?? 0;
  const tariff = row.tariff as Tariff | null;
  const metered = readings.filter((reading) => reading.energyWh !== null && reading.at >= startedAt);
  const meter =
    tariff === null
      ? null
      : meterOf({
          tariff,
          readings: [
            { at: startedAt, energyWh: wattHours(meterStartWh) },
            ...metered.map((reading) => ({ at: reading.at, energyWh: wattHours(reading.energyWh ?? 0) })),
          ],
        });
  const bill = meter?.ok ? billOf(meter.value) : null;
  const last = readings.at(-1);
  return {
    id: row.id as OrderId,
    number: row.number,
    transactionNumber: row.transaction_number ?? 0,
    transactionKey: row.transaction_key,
    connectorId: row.connector_id as ConnectorId,
    connectorNumber: row.connector_number,
    agentId: row.agent_id as AgentId | null,
    cardNumber: row.card_number,
    startedAt,
    meterStartWh,
    meter: meter?.ok ? meter.value : null,
    lastReadingAt: last?.at ?? null,
    energyWh: Math.max(0, (metered.at(-1)?.energyWh ?? meterStartWh) - meterStartWh),
    electricityFeeFen: bill?.electricityFeeFen ?? 0,
    serviceFeeFen: bill?.serviceFeeFen ?? 0,
    powerW: last?.powerW ?? null,
    socPercent: last?.socPercent ?? null,
    heldFen: fen(row.held_fen),
    isPrepaid: row.start_authorization === 'accepted' && (row.card_id !== null || row.customer_id !== null),
    stopAsked: null,
    isLimitBeingKept: false,
    figuresStoredAt: 0 as Instant,
    areFiguresStored: false,
    publishedAt: 0 as Instant,
    isPublished: false,
  };
}
