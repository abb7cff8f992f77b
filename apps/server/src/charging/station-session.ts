import type { RunningRegister } from '@voltdeck/charging/charge/plausibility';
import type { ConnectorState, OrderState, StopReason } from '@voltdeck/charging/states';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import type { Meter } from '@voltdeck/tariffs/meter';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { FewByNumber } from '@voltdeck/units/few-by-number';
import type { AgentId, ConnectorId, CustomerId, OrderId, SiteId, StationId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { readingsOf, type StoredReading } from '../orders/order-readings.ts';
import { type OrderRow, orderColumns, walletOf } from '../orders/order-row.ts';
import { runningFigures } from '../orders/running-figures.ts';

/** A running charge in the memory of the node that holds the station's socket: a cache of the database. */
export type OpenOrder = {
  id: OrderId;
  number: string;
  transactionNumber: number;
  /** The station's name for it, where it had one before it began. */
  transactionKey: string | null;
  connectorId: ConnectorId;
  connectorNumber: number;
  agentId: AgentId | null;
  /** Who may watch it. */
  customerId: CustomerId | null;
  /** The card or number the station was shown at the start. */
  cardNumber: string | null;
  startedAt: Instant;
  /** When we heard of its beginning, by our clock. */
  begunAt: Instant;
  /** Null until the first reading, where the start reported no register. */
  meterStartWh: number | null;
  register: RunningRegister | null;
  ratedPowerW: number;
  tariff: Tariff | null;
  /** Null when the charge cannot be priced: energy is still recorded and the order is flagged. */
  meter: Meter | null;
  /** False once its stop is missing: late readings are stored for its settlement and have no other effect. */
  isRunning: boolean;
  lastReadingAt: Instant | null;
  energyWh: number;
  electricityFeeFen: number;
  serviceFeeFen: number;
  powerW: number | null;
  socPercent: number | null;
  heldFen: Fen;
  /** No balance stands behind it (unknown card, refused card): no hold, and no stop for lack of money. */
  isPrepaid: boolean;
  /** The answer to its start refused it, so it must not run. */
  isRefused: boolean;
  /** Why we asked the station to stop, until it does. */
  stopRequested: { because: StopReason; at: Instant } | null;
  /** A hold is being extended, or a stop requested. */
  isLimitBeingKept: boolean;
  figuresStoredAt: Instant;
  areFiguresStored: boolean;
  publishedAt: Instant;
  isPublished: boolean;
};

export type SessionConnector = {
  id: ConnectorId;
  number: number;
  state: ConnectorState;
  /** False where the station reported it and nobody has registered it. */
  isRegistered: boolean;
};

/** What the node that holds a station's socket caches about it. */
export type StationSession = {
  stationId: StationId;
  stationNumber: string;
  siteId: SiteId;
  agentId: AgentId | null;
  ratedPowerW: number;
  connectors: FewByNumber<SessionConnector>;
  /** By transaction number. */
  orders: FewByNumber<OpenOrder>;
};

/** The running charge that the station calls by this name. */
export function openOrderNamed({ orders }: StationSession, transaction: TransactionReference): OpenOrder | null {
  if (typeof transaction === 'number') return orders.get(transaction) ?? null;
  for (const order of orders.values()) if (order.transactionKey === transaction) return order;
  return null;
}

/** The latest charge of each gun port that must not run and is not known to have stopped. */
export function refusedChargesOf({ orders }: StationSession): { connectorNumber: number; transaction: number }[] {
  const latest = new Map<number, OpenOrder>();
  for (const order of orders.values()) {
    const known = latest.get(order.connectorNumber);
    if (known === undefined || isNewer(order, known)) latest.set(order.connectorNumber, order);
  }
  const refused = [...latest.values()].filter(({ isRefused }) => isRefused);
  return refused.map(({ connectorNumber, transactionNumber }) => ({ connectorNumber, transaction: transactionNumber }));
}

/** The charge running on a gun port began after all that wait for their stop there, including those reported later. */
function isNewer(order: OpenOrder, known: OpenOrder): boolean {
  return order.isRunning === known.isRunning ? order.id > known.id : order.isRunning;
}

/** An order that left `charging` is no longer updated; one that ended is removed. */
export function forgetCharge(session: StationSession, moved: { id: OrderId; state: OrderState }): void {
  if (moved.state === 'charging') return;
  for (const [transactionNumber, order] of session.orders) {
    if (order.id !== moved.id) continue;
    order.isRunning = false;
    if (moved.state !== 'settling') session.orders.delete(transactionNumber);
  }
}

export async function loadStationSession(
  { db }: Pick<Database, 'db'>,
  station: { id: StationId; number: string; siteId: SiteId; agentId: AgentId | null },
): Promise<StationSession> {
  const [rated, connectors, { rows: orders }] = await Promise.all([
    db.selectFrom('stations').select('max_power_w').where('id', '=', station.id).executeTakeFirstOrThrow(),
    db
      .selectFrom('connectors')
      .select(['id', 'number', 'state', 'registered'])
      .where('station_id', '=', station.id)
      .execute(),
    sql<OrderRow>`
      select ${orderColumns} from orders as o
       where o.station_id = ${station.id} and (o.state = 'charging' or (o.state = 'settling' and o.waits_for = 'stop'))
       order by o.id desc limit ${openOrdersMax}`.execute(db),
  ]);
  const ratedPowerW = rated.max_power_w;
  const open = await Promise.all(orders.map((row) => openOrderOf({ db }, row, { ratedPowerW })));
  return {
    stationId: station.id,
    stationNumber: station.number,
    siteId: station.siteId,
    agentId: station.agentId,
    ratedPowerW,
    connectors: new FewByNumber(
      connectors.map(({ id, number, state, registered }) => [
        number,
        { id: id as ConnectorId, number, state: state as ConnectorState, isRegistered: registered },
      ]),
    ),
    orders: new FewByNumber(open.map((order) => [order.transactionNumber, order])),
  };
}

/** Limit of cached charges per station. */
const openOrdersMax = 64;

/** The cache entry of a running order, its meter rebuilt from stored readings. */
export async function openOrderOf(
  { db }: Pick<Database, 'db'>,
  row: OrderRow,
  station: Pick<StationSession, 'ratedPowerW'>,
): Promise<OpenOrder> {
  return openOrder(row, await readingsOf(db, row.id, row.started_at ?? row.placed_at), station);
}

/** A running order with its stored readings in order of time; none for one that begins now. */
export function openOrder(
  row: OrderRow,
  readings: readonly StoredReading[],
  { ratedPowerW }: Pick<StationSession, 'ratedPowerW'>,
): OpenOrder {
  const startedAt = row.started_at ?? row.placed_at;
  const tariff = row.tariff as Tariff | null;
  const figures = runningFigures({ startedAt, meterStartWh: row.meter_start_wh, tariff, ratedPowerW }, readings);
  return {
    id: row.id,
    number: row.number,
    transactionNumber: row.transaction_number ?? 0,
    transactionKey: row.transaction_key,
    connectorId: row.connector_id,
    connectorNumber: row.connector_number,
    agentId: row.agent_id,
    customerId: row.customer_id,
    cardNumber: row.card_number,
    startedAt,
    begunAt: row.begun_at ?? row.placed_at,
    ratedPowerW,
    tariff,
    isRunning: row.state === 'charging',
    ...figures,
    heldFen: row.held_fen,
    isPrepaid: row.start_authorization === 'accepted' && walletOf(row) !== null,
    isRefused: row.start_authorization !== null && row.start_authorization !== 'accepted',
    stopRequested: null,
    isLimitBeingKept: false,
    figuresStoredAt: 0 as Instant,
    areFiguresStored: false,
    publishedAt: 0 as Instant,
    isPublished: false,
  };
}
