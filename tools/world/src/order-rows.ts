import type { FlagHandling, PaymentState, ReadingDoubt } from '@voltdeck/charging/states';
import { CopyRows } from '@voltdeck/server/database/copy-rows';
import { orderNumber, timelineEntry } from '@voltdeck/server/orders/order-record';
import type { BillLine } from '@voltdeck/tariffs/bill';
import { instant, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { billOfCharge, type MeterOddity, readingsOf } from './charge-readings.ts';
import { refundOfCharge } from './order-transfers.ts';
import type { IdentityBases } from './plan-history.ts';
import type { PlannedCharge, PlannedFlag, PlannedOrder } from './planned-order.ts';
import { type NamedTariff, tariffs } from './tariffs.ts';
import { vehicleOfCard } from './vehicles.ts';

/** The rows of orders in PostgreSQL's binary COPY format, as the running product writes them. */
export type OrderRows = {
  orders: CopyRows;
  lines: CopyRows;
  flags: CopyRows;
  readings: CopyRows;
  refunds: CopyRows;
  /** The energy delivered by each station, by id. */
  energyWhByStation: Map<number, number>;
};

export const copyStatements = {
  orders: `copy orders (id, number, state, waits_for, payment_state, payment_type, start_mode, billing_type, abnormal, unhandled, site_id,
    station_id, connector_id, connector_number, agent_id, customer_id, card_id, card_number, transaction_number,
    start_key, start_authorization, tariff_id, tariff, meter_start_wh, meter_stop_wh, energy_wh, amount_fen,
    electricity_fee_fen, service_fee_fen, held_fen, holds, paid_fen, refunded_fen, balance_before_fen, soc_percent, vin, plate,
    placed_at, started_at, last_reading_at, ended_at, settled_at, stop_reason, timeline) from stdin (format binary)`,
  lines: `copy order_lines (order_id, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5,
    service_price_e5, tier_from_w, tier_to_w, steps, step_minutes, fee_fen_per_step, electricity_fee_fen,
    service_fee_fen) from stdin (format binary)`,
  flags: `copy order_flags (order_id, rule, at, evidence, handled_at, handled_by, handled_how, handled_reason)
    from stdin (format binary)`,
  readings: `copy readings (order_id, at, connector_id, energy_wh, power_w, current_ma, voltage_mv, soc_percent,
    vehicle_temperature_c, cable_temperature_c, ambient_temperature_c, doubt, received_at) from stdin (format binary)`,
  refunds: `copy order_refunds (order_id, number, amount_fen, electricity_fee_fen, service_fee_fen, reason, user_id,
    created_at, done_at, agent_id, site_id, customer_id, card_id) from stdin (format binary)`,
} as const satisfies Record<Exclude<keyof OrderRows, 'energyWhByStation'>, string>;

const doubtOf = { jump: 'meter_jump', backwards: 'meter_backwards' } as const satisfies Record<
  MeterOddity['kind'],
  ReadingDoubt
>;

const tariffTexts = tariffs.map(({ tariff }) => JSON.stringify(tariff));

/** Who made refunds and started charges from the console. */
export type DeskUsers = { finance: { id: number; userName: string }; operations: { id: number; userName: string } };

export function rowsOfOrders(orders: readonly PlannedOrder[], bases: IdentityBases, desk: DeskUsers): OrderRows {
  const rows: OrderRows = {
    orders: new CopyRows(orders.length * 2_200),
    lines: new CopyRows(orders.length * 400),
    flags: new CopyRows(8_192),
    readings: new CopyRows(orders.length * 1_500),
    refunds: new CopyRows(2_048),
    energyWhByStation: new Map(),
  };
  for (const order of orders) {
    switch (order.kind) {
      case 'charge':
        writeCharge(rows, order, bases, desk);
        break;
      case 'cancelled': {
        const reason =
          order.outcome === 'by-hand'
            ? [timelineEntry(order.cancelledAt, 'cancelled', { userName: desk.operations.userName })]
            : [
                timelineEntry(order.cancelledAt, 'start_refused', { outcome: order.outcome }),
                timelineEntry(order.cancelledAt, 'cancelled'),
              ];
        writeOrder(rows.orders, order, bases, {
          state: 'cancelled',
          endedAt: order.cancelledAt,
          settledAt: order.cancelledAt,
          timeline: [placedEntry(order, desk), ...reason],
        });
        break;
      }
      case 'parked': {
        const reason = 'local';
        const entry = { at: toIso(order.endedAt), meterWh: order.meterStopWh, reason };
        writeOrder(rows.orders, order, bases, {
          state: 'settling',
          endedAt: order.endedAt,
          stopReason: reason,
          meterStopWh: order.meterStopWh,
          startKey: ['stop', stationIdOf(order), order.transactionNumber, entry.at, order.meterStopWh].join('|'),
          timeline: [timelineEntry(order.placedAt, 'ended', entry)],
        });
        const { transactionNumber, cardNumber, meterStopWh } = order;
        const evidence = { transaction: transactionNumber, cardNumber, meterStopWh, stationTime: entry.at };
        writeFlag(rows.flags, order.id, { rule: 'start_missing', at: order.placedAt, evidence }, null);
        break;
      }
    }
  }
  return rows;
}

function writeCharge(rows: OrderRows, order: PlannedCharge, bases: IdentityBases, desk: DeskUsers): void {
  const { metered, connector, settledAt, refund, stopReason } = order;
  const { tariff } = tariffOf(order);
  const readings = readingsOf(metered);
  const bill = billOfCharge(tariff, metered, readings);
  const begunAt = instant(metered.startAt + 300);
  const { startAt, endAt, meterStartWh } = metered;
  const timeline = [
    ...(order.startMode === 'card' ? [] : [placedEntry(order, desk)]),
    timelineEntry(begunAt, 'started', {
      at: toIso(startAt),
      meterWh: meterStartWh,
      authorization: order.authorization,
    }),
    ...(stopReason === 'balance_exhausted'
      ? [timelineEntry(instant(Math.max(begunAt, endAt - 4_000)), 'stop_asked', { because: stopReason })]
      : []),
    timelineEntry(settledAt, 'ended', { at: toIso(endAt), meterWh: order.meterStopWh, reason: stopReason }),
    timelineEntry(settledAt, 'settled', { amountFen: bill.amountFen, paidFen: order.paidFen }),
    ...(refund === null
      ? []
      : [
          timelineEntry(refund.at, 'refunded', {
            amountFen: refund.amountFen,
            reason: refund.reason,
            userName: desk.finance.userName,
          }),
        ]),
  ];
  writeOrder(rows.orders, order, bases, {
    state: 'completed',
    startedAt: startAt,
    lastReadingAt: readings.at(-1)?.at,
    endedAt: endAt,
    settledAt,
    stopReason,
    meterStartWh,
    meterStopWh: order.meterStopWh,
    transactionNumber: bases.transactionNumber + order.sequence,
    startKey: [stationIdOf(order), connector.number, order.cardNumber, toIso(startAt), meterStartWh].join('|'),
    timeline,
  });
  for (const [index, line] of bill.lines.entries()) writeLine(rows.lines, order.id, index + 1, line);
  for (const flag of order.flags) writeFlag(rows.flags, order.id, flag, handlingOf(order, desk));
  for (const [index, reading] of readings.entries()) {
    rows.readings.row(13);
    rows.readings.bigint(order.id);
    rows.readings.instant(reading.at);
    rows.readings.bigint(connector.id);
    rows.readings.bigint(reading.energyWh);
    rows.readings.integer(reading.powerW);
    rows.readings.integer(reading.currentMa);
    rows.readings.integer(reading.voltageMv);
    rows.readings.real(reading.socPercent);
    rows.readings.real(reading.vehicleTemperatureC);
    rows.readings.real(reading.cableTemperatureC);
    rows.readings.real(reading.ambientTemperatureC);
    rows.readings.text(metered.oddity?.at === index ? doubtOf[metered.oddity.kind] : null);
    rows.readings.instant(reading.at + 400);
  }
  if (refund !== null) {
    const fees = refundOfCharge(order);
    const { station } = connector;
    rows.refunds.row(13);
    rows.refunds.bigint(order.id);
    // Such as `receiptNumber` gives.
    rows.refunds.text(`B${shanghaiDate(instant(refund.at)).replaceAll('-', '')}${String(order.id).padStart(12, '0')}`);
    rows.refunds.bigint(refund.amountFen);
    rows.refunds.bigint(fees?.electricityFeeFen ?? 0);
    rows.refunds.bigint(fees?.serviceFeeFen ?? 0);
    rows.refunds.text(refund.reason);
    rows.refunds.bigint(desk.finance.id);
    rows.refunds.instant(refund.at);
    rows.refunds.instant(refund.at);
    rows.refunds.bigint(station.site.agentId);
    rows.refunds.bigint(station.site.id);
    rows.refunds.bigint(order.purse?.customer?.id);
    rows.refunds.bigint(order.purse?.card?.id);
  }
  const stationId = stationIdOf(order);
  rows.energyWhByStation.set(stationId, (rows.energyWhByStation.get(stationId) ?? 0) + bill.energyWh);
}

type OrderFields = {
  state: 'completed' | 'cancelled' | 'settling';
  startedAt?: number;
  lastReadingAt?: number | undefined;
  endedAt: number;
  settledAt?: number;
  stopReason?: string;
  meterStartWh?: number;
  meterStopWh?: number;
  transactionNumber?: number;
  startKey?: string;
  timeline: readonly unknown[];
};

function writeOrder(rows: CopyRows, order: PlannedOrder, bases: IdentityBases, fields: OrderFields): void {
  const { connector, purse, placedAt } = order;
  const { station } = connector;
  const charge = order.kind === 'charge' ? order : null;
  const isPriced = order.kind !== 'parked';
  // Only a DC gun communicates with the vehicle.
  const isTold = charge !== null && charge.metered.shape.socPercent !== null;
  const vehicle = isTold && purse !== null && purse.card !== null ? vehicleOfCard(purse.card) : null;
  rows.row(44);
  rows.bigint(order.id);
  // An order from a station is numbered by its time of receipt, one from the console by its time of placing.
  rows.text(orderNumber(placedAt, bases.orderNumber + order.sequence));
  rows.text(fields.state);
  rows.text(order.kind === 'parked' ? 'person' : null);
  rows.text(paymentStateOf(order));
  rows.text(order.paymentType);
  rows.text(order.startMode);
  rows.text(isPriced ? tariffOf(order).tariff.kind : 'energy');
  const isFlagged = order.kind === 'parked' || (charge?.flags.length ?? 0) > 0;
  rows.boolean(isFlagged);
  rows.boolean(isFlagged && (charge?.handledAt ?? null) === null);
  rows.bigint(station.site.id);
  rows.bigint(station.id);
  rows.bigint(connector.id);
  rows.integer(connector.number);
  rows.bigint(station.site.agentId);
  rows.bigint(purse?.customer?.id);
  rows.bigint(purse?.card?.id);
  rows.text(order.cardNumber);
  rows.integer(fields.transactionNumber);
  rows.text(fields.startKey);
  rows.text(charge?.authorization);
  rows.bigint(isPriced ? station.tariffId : null);
  rows.jsonb(isPriced ? tariffTexts[station.tariff] : null);
  rows.bigint(fields.meterStartWh);
  rows.bigint(fields.meterStopWh);
  rows.bigint(charge?.energyWh ?? 0);
  rows.bigint(charge === null ? 0 : charge.electricityFeeFen + charge.serviceFeeFen);
  rows.bigint(charge?.electricityFeeFen ?? 0);
  rows.bigint(charge?.serviceFeeFen ?? 0);
  rows.bigint(order.holds.reduce((sum, hold) => sum + hold.amountFen, 0));
  rows.integer(order.holds.length);
  rows.bigint(charge?.paidFen ?? 0);
  rows.bigint(charge?.refund?.amountFen ?? 0);
  rows.bigint(order.balanceBeforeFen);
  rows.smallint(charge?.socPercent);
  rows.text(vehicle?.vin);
  rows.text(vehicle?.plate);
  rows.instant(placedAt);
  rows.instant(fields.startedAt);
  rows.instant(fields.lastReadingAt);
  rows.instant(fields.endedAt);
  rows.instant(fields.settledAt);
  rows.text(fields.stopReason);
  rows.jsonb(JSON.stringify(fields.timeline));
}

function paymentStateOf(order: PlannedOrder): PaymentState {
  if (order.kind !== 'charge') return 'unpaid';
  if (order.refund !== null) return order.refund.amountFen === order.paidFen ? 'refunded' : 'partly_refunded';
  if (order.shortfallFen === 0) return 'paid';
  return order.paidFen === 0 ? 'unpaid' : 'partly_paid';
}

function writeLine(rows: CopyRows, orderId: number, number: number, line: BillLine): void {
  const energy = line.kind === 'energy' ? line : null;
  const hour = line.kind === 'hour' ? line : null;
  rows.row(16);
  rows.bigint(orderId);
  rows.integer(number);
  rows.text(line.kind);
  rows.instant(line.from);
  rows.instant(line.to);
  rows.text(energy?.period);
  rows.bigint(line.energyWh);
  rows.integer(energy?.electricityPriceE5);
  rows.integer(energy?.servicePriceE5);
  rows.integer(hour?.tierFromW);
  rows.integer(hour?.tierToW);
  rows.integer(hour?.steps);
  rows.integer(hour?.stepMinutes);
  rows.bigint(hour?.feeFenPerStep);
  rows.bigint(line.electricityFeeFen);
  rows.bigint(line.serviceFeeFen);
}

type Handling = { at: number; by: number; how: FlagHandling; reason: string };

/** A refund deals with the flags of its order; the others are looked at by the operations desk. */
function handlingOf({ handledAt, refund, sequence }: PlannedCharge, desk: DeskUsers): Handling | null {
  if (handledAt === null) return null;
  if (refund !== null) return { at: handledAt, by: desk.finance.id, how: 'refunded', reason: refund.reason };
  const reason = acceptReasons[sequence % acceptReasons.length] ?? '';
  return { at: handledAt, by: desk.operations.id, how: 'accepted', reason };
}

const acceptReasons = ['已核对充电曲线，账单无误', '已联系站点查表，读数一致', '网络中断后补报，账单无误'] as const;

function writeFlag(rows: CopyRows, orderId: number, flag: PlannedFlag, handling: Handling | null): void {
  rows.row(8);
  rows.bigint(orderId);
  rows.text(flag.rule);
  rows.instant(flag.at);
  rows.jsonb(JSON.stringify(flag.evidence));
  rows.instant(handling?.at);
  rows.bigint(handling?.by);
  rows.text(handling?.how);
  rows.text(handling?.reason ?? '');
}

function placedEntry(order: PlannedOrder, desk: DeskUsers) {
  const userName = order.startMode === 'scan' ? (order.purse?.customer?.nickname ?? '') : desk.operations.userName;
  return timelineEntry(order.placedAt, 'placed', { userName });
}

function tariffOf({ connector }: PlannedOrder): NamedTariff {
  const tariff = tariffs[connector.station.tariff];
  if (tariff === undefined) throw new Error(`station ${connector.station.number} has no tariff`);
  return tariff;
}

function stationIdOf({ connector }: PlannedOrder): number {
  return connector.station.id;
}
