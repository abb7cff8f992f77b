import type { OrderState, PaymentState, StopReason } from '@voltdeck/charging/states';
import type { StationBill } from '@voltdeck/charging/station-bill';
import type { TransactionReference } from '@voltdeck/charging/transaction';
import { keyOf } from '@voltdeck/ledger/account';
import { type Settlement, settleTransfer } from '@voltdeck/ledger/settle';
import type { Bill, BillLine } from '@voltdeck/tariffs/bill';
import { priceCharge } from '@voltdeck/tariffs/price-charge';
import type { PriceFault } from '@voltdeck/tariffs/price-fault';
import type { Tariff } from '@voltdeck/tariffs/tariff';
import { wattHours } from '@voltdeck/units/energy';
import type { OrderId, StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import { type Fen, fen } from '@voltdeck/units/money';
import { ok, type Result } from '@voltdeck/units/result';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.generated.ts';
import { postingOf } from '../ledger/post-transfer.ts';
import { flagsOfStationBill, priceByPeriods } from './check-station-bill.ts';
import { walletOf } from './hold-money.ts';
import type { OrderMoved } from './order-events.ts';
import { readingMarginMs, readingsOf, type StoredReading } from './order-readings.ts';
import { appendTimeline, type Flag, flagOrder, timelineEntry } from './order-record.ts';

/** How a charge ended, as the station or a person says. */
export type ChargeEnd = {
  endedAt: Instant;
  meterStopWh: number;
  reason: StopReason;
  now: Instant;
  flags: readonly Flag[];
  /** What the station itself says the charge was and cost. */
  bill?: StationBill;
  /** A person set energy and end: readings beyond them do not count. */
  byHand?: { userId: number; reason: string };
};

export type ChargeSettled = OrderMoved & { transactionNumber: number | null; connectorNumber: number };

/** A power that no cable carries: readings that need more than this share of the rated power are flagged as a jump. */
const jumpFactor = 1.5;
/** Short intervals exaggerate power: two registers rounded to 100 Wh apart by seconds are no jump. */
const jumpIntervalMinMs = 30_000;
/** A register told in steps of 1 kWh may step at any time. */
const jumpWhMin = 2_000;

type OrderRow = Awaited<ReturnType<typeof lockOrder>>;

/** Whether the station's word about the end of this charge is still to come: it runs, or its stop is missing. */
export function isAwaitingStop(order: { state: OrderState; stop_reason: string | null }): boolean {
  return order.state === 'charging' || (order.state === 'settling' && order.stop_reason === 'no_stop_received');
}

const lockedColumns = [
  'id',
  'number',
  'state',
  'payment_state',
  'payment_type',
  'billing_type',
  'abnormal',
  'site_id',
  'station_id',
  'connector_id',
  'connector_number',
  'agent_id',
  'customer_id',
  'card_id',
  'card_number',
  'transaction_number',
  'start_authorization',
  'balance_before_fen',
  'tariff_id',
  'tariff',
  'meter_start_wh',
  'energy_wh',
  'amount_fen',
  'electricity_fee_fen',
  'service_fee_fen',
  'held_fen',
  'holds',
  'paid_fen',
  'refunded_fen',
  'placed_at',
  'started_at',
  'last_reading_at',
  'ended_at',
  'stop_reason',
] as const;

export async function lockOrder(trx: Transaction<Tables>, orderId: OrderId) {
  return trx.selectFrom('orders').select(lockedColumns).where('id', '=', orderId).forUpdate().executeTakeFirstOrThrow();
}

/** The order that a station knows by this name, locked. */
export async function lockOrderOf(trx: Transaction<Tables>, stationId: StationId, transaction: TransactionReference) {
  const orders = trx.selectFrom('orders').select(lockedColumns).where('station_id', '=', stationId);
  const named =
    typeof transaction === 'number'
      ? orders.where('transaction_number', '=', transaction)
      : orders.where('transaction_key', '=', transaction).where('state', '<>', 'cancelled');
  return named.forUpdate().executeTakeFirst();
}

/**
 * Closes a charge: prices it, moves the money and writes the bill, all in the caller's transaction. The order must be
 * locked and in state `charging` or `settling`. Where it cannot be priced it stays in `settling`, flagged, its hold kept.
 */
export async function settleCharge(trx: Transaction<Tables>, order: OrderRow, end: ChargeEnd): Promise<ChargeSettled> {
  const startedAt = order.started_at ?? end.endedAt;
  const endedAt = instant(Math.max(end.endedAt, startedAt));
  const meterStartWh = order.meter_start_wh ?? end.meterStopWh;
  const { readings, maxPowerW, availableFen } = await readFacts(trx, order, startedAt);
  const flags = [
    ...end.flags,
    ...(end.byHand === undefined
      ? flagsOf({ startedAt, endedAt, meterStartWh, meterStopWh: end.meterStopWh, readings, maxPowerW })
      : []),
  ];
  const priced =
    order.tariff === null ? null : price(order.tariff as Tariff, { startedAt, endedAt, meterStartWh, end, readings });
  const moved = {
    id: order.id,
    number: order.number,
    connectorId: order.connector_id,
    connectorNumber: order.connector_number,
    agentId: order.agent_id,
    transactionNumber: order.transaction_number,
  };
  if (priced === null || !priced.ok) {
    flags.push(
      priced === null
        ? { rule: 'price_missing', evidence: {} }
        : { rule: 'settlement_failed', evidence: { because: priced.error.code } },
    );
    await flagOrder(trx, order.id, flags, end.now);
    const energyWh = wattHours(Math.max(0, end.meterStopWh - meterStartWh));
    await trx
      .updateTable('orders')
      .set({
        state: 'settling',
        abnormal: true,
        ended_at: endedAt,
        meter_stop_wh: wattHours(end.meterStopWh),
        energy_wh: energyWh,
        electricity_fee_fen: fen(0),
        service_fee_fen: fen(0),
        amount_fen: fen(0),
        stop_reason: end.reason,
        power_w: null,
        timeline: appendTimeline(
          timelineEntry(end.now, 'ended', { at: toIso(endedAt), meterWh: end.meterStopWh, reason: end.reason }),
          timelineEntry(end.now, 'settlement_waits', {}),
        ) as never,
      })
      .where('id', '=', order.id)
      .execute();
    return { ...moved, state: 'settling', energyWh, electricityFeeFen: 0, serviceFeeFen: 0 };
  }
  const bill = priced.value;
  if (end.bill !== undefined) flags.push(...(await flagsOfStationBill(trx, order, end.bill, bill)));
  const money = reckonMoney(order, bill, availableFen);
  if (money.shortfallFen > 0) {
    flags.push({
      rule: 'amount_above_prepaid',
      evidence: { heldFen: order.held_fen, amountFen: bill.amountFen, shortfallFen: money.shortfallFen },
    });
  }
  await flagOrder(trx, order.id, flags, end.now);
  await writeSettlement(trx, order, { bill, money, end, endedAt, abnormal: order.abnormal || flags.length > 0 });
  return {
    ...moved,
    state: 'completed',
    energyWh: bill.energyWh,
    electricityFeeFen: bill.electricityFeeFen,
    serviceFeeFen: bill.serviceFeeFen,
  };
}

/** A charge whose end never came, closed at the last that its meter said. */
export async function closeWithoutStop(
  trx: Transaction<Tables>,
  orderId: OrderId,
  { now, evidence }: { now: Instant; evidence: Readonly<Record<string, unknown>> },
): Promise<ChargeSettled | null> {
  const order = await lockOrder(trx, orderId);
  if (!isAwaitingStop(order)) return null;
  const startedAt = order.started_at ?? now;
  const metered = (await readingsOf(trx, order.id, startedAt)).filter((reading) => reading.energyWh !== null);
  const last = metered.at(-1);
  return settleCharge(trx, order, {
    endedAt: last?.at ?? startedAt,
    meterStopWh: Math.max(order.meter_start_wh ?? 0, ...metered.map((reading) => reading.energyWh ?? 0)),
    reason: 'no_stop_received',
    now,
    flags: [
      {
        rule: 'no_stop_received',
        evidence: { ...evidence, lastReadingAt: last === undefined ? null : toIso(last.at) },
      },
    ],
  });
}

/**
 * By the periods of the station's own bill where it has one that tells the whole charge. Else what the readings between
 * start and stop say; the registers at both ends are the truth about the energy.
 */
function price(
  tariff: Tariff,
  charge: {
    startedAt: Instant;
    endedAt: Instant;
    meterStartWh: number;
    end: ChargeEnd;
    readings: readonly MeteredReading[];
  },
): Result<Bill, PriceFault> {
  const { startedAt, endedAt, meterStartWh } = charge;
  const meterStopWh = Math.max(meterStartWh, charge.end.meterStopWh);
  const { bill } = charge.end;
  const energyWh = wattHours(meterStopWh - meterStartWh);
  const byPeriods =
    bill === undefined ? null : priceByPeriods(tariff, { bill, from: startedAt, to: endedAt, energyWh });
  if (byPeriods !== null) return ok(byPeriods);
  const between = charge.readings.filter(
    (reading) => reading.energyWh !== null && reading.at > startedAt && reading.at < endedAt,
  );
  return priceCharge({
    tariff,
    readings: [
      { at: startedAt, energyWh: wattHours(meterStartWh) },
      ...between.map((reading) => ({
        at: reading.at,
        energyWh: wattHours(Math.min(Math.max(reading.energyWh ?? 0, meterStartWh), meterStopWh)),
        powerW: reading.powerW === null ? undefined : (reading.powerW as never),
      })),
      { at: endedAt, energyWh: wattHours(meterStopWh) },
    ],
  });
}

function flagsOf(charge: {
  startedAt: Instant;
  endedAt: Instant;
  meterStartWh: number;
  meterStopWh: number;
  readings: readonly MeteredReading[];
  maxPowerW: number;
}): Flag[] {
  const { startedAt, endedAt, meterStartWh, meterStopWh, readings, maxPowerW } = charge;
  const flags: Flag[] = [];
  if (endedAt === startedAt && meterStopWh > meterStartWh) {
    flags.push({ rule: 'energy_without_time', evidence: { energyWh: meterStopWh - meterStartWh } });
  }
  let backwards: Flag | null = null;
  let jump: Flag | null = null;
  let previous = { at: startedAt, energyWh: meterStartWh };
  const metered = readings.filter(
    (reading) => reading.energyWh !== null && reading.at >= startedAt && reading.at <= endedAt,
  );
  const registers = [
    ...metered.map((reading) => ({ at: reading.at, energyWh: reading.energyWh ?? 0 })),
    { at: endedAt, energyWh: meterStopWh },
  ];
  for (const register of registers) {
    const addedWh = register.energyWh - previous.energyWh;
    const lastedMs = register.at - previous.at;
    const evidence = {
      from: toIso(previous.at),
      fromWh: previous.energyWh,
      to: toIso(register.at),
      toWh: register.energyWh,
    };
    if (addedWh < 0) backwards ??= { rule: 'meter_backwards', evidence };
    if (
      addedWh > jumpWhMin &&
      lastedMs >= jumpIntervalMinMs &&
      addedWh > (maxPowerW * jumpFactor * lastedMs) / hourMs + jumpWhMin
    ) {
      jump ??= { rule: 'meter_jump', evidence: { ...evidence, ratedPowerW: maxPowerW } };
    }
    previous = register;
  }
  if (backwards !== null) flags.push(backwards);
  if (jump !== null) flags.push(jump);
  return flags;
}

type MeteredReading = Pick<StoredReading, 'at' | 'energyWh' | 'powerW'>;
type Facts = { readings: MeteredReading[]; maxPowerW: number; availableFen: Fen };

/** What a settlement has to know, in one statement: readings, the station's rating and the payer's balance, locked. */
async function readFacts(trx: Transaction<Tables>, order: OrderRow, startedAt: Instant): Promise<Facts> {
  const wallet = walletOf(order);
  const { rows } = await sql<{
    balance_fen: Fen | null;
    max_power_w: number;
    at: Instant | null;
    energy_wh: number | null;
    power_w: number | null;
  }>`
    with wallet as materialized (
      select balance_fen from ledger_accounts where key = ${wallet === null ? null : keyOf(wallet)} for no key update
    )
    select w.balance_fen, s.max_power_w, r.at, r.energy_wh, r.power_w
      from stations s
      left join wallet w on true
      left join readings r
        on r.order_id = ${order.id} and r.at >= to_timestamp(${startedAt - readingMarginMs} / 1000.0)
     where s.id = ${order.station_id}
     order by r.at`.execute(trx);
  const [first] = rows;
  if (first === undefined) throw new Error(`order ${order.number} has no station`);
  const readings = rows.flatMap(({ at, energy_wh, power_w }) =>
    at === null ? [] : [{ at, energyWh: energy_wh, powerW: power_w }],
  );
  return { readings, maxPowerW: first.max_power_w, availableFen: first.balance_fen ?? fen(0) };
}

function reckonMoney(order: OrderRow, bill: Bill, availableFen: Fen): Omit<Settlement, 'releasedFen'> {
  const wallet = walletOf(order);
  // Nobody we know: what was charged is owed by no account of the books until a person finds out who it was.
  if (wallet === null) return { transfer: null, paidFen: fen(0), shortfallFen: bill.amountFen };
  const settled = settleTransfer({
    orderId: order.id,
    siteId: order.site_id,
    wallet,
    heldFen: order.held_fen,
    availableFen,
    electricityFeeFen: bill.electricityFeeFen,
    serviceFeeFen: bill.serviceFeeFen,
  });
  if (!settled.ok) throw new Error(`order ${order.number} cannot be settled: ${JSON.stringify(settled.error)}`);
  return settled.value;
}

/** Bill, order, station and money in one statement. */
async function writeSettlement(
  trx: Transaction<Tables>,
  order: OrderRow,
  settled: {
    bill: Bill;
    money: Omit<Settlement, 'releasedFen'>;
    end: ChargeEnd;
    endedAt: Instant;
    abnormal: boolean;
  },
): Promise<void> {
  const { bill, money, end, endedAt, abnormal } = settled;
  const timeline = [
    ...(order.state === 'charging'
      ? [timelineEntry(end.now, 'ended', { at: toIso(endedAt), meterWh: end.meterStopWh, reason: end.reason })]
      : []),
    end.byHand === undefined
      ? timelineEntry(end.now, 'settled', { amountFen: bill.amountFen, paidFen: money.paidFen })
      : timelineEntry(end.now, 'settled_by_hand', { amountFen: bill.amountFen, ...end.byHand }),
  ];
  await sql`
    with billed as (
      insert into order_lines (order_id, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5,
                               service_price_e5, tier_from_w, tier_to_w, steps, step_minutes, fee_fen_per_step,
                               electricity_fee_fen, service_fee_fen)
      select ${order.id}::bigint, line, kind, from_at, to_at, period, energy_wh, electricity_price_e5, service_price_e5,
             tier_from_w, tier_to_w, steps, step_minutes, fee_fen_per_step, electricity_fee_fen, service_fee_fen
        from jsonb_to_recordset(${JSON.stringify(bill.lines.map(columnsOf))}::jsonb)
          as l (line int, kind text, from_at timestamptz, to_at timestamptz, period text, energy_wh bigint,
                electricity_price_e5 int, service_price_e5 int, tier_from_w int, tier_to_w int, steps int,
                step_minutes int, fee_fen_per_step bigint, electricity_fee_fen bigint, service_fee_fen bigint)
      returning 1
    ), moved as (
      update orders
         set state = 'completed', payment_state = ${paymentStateOf(bill.amountFen, money.shortfallFen)},
             abnormal = ${abnormal}, ended_at = to_timestamp(${endedAt} / 1000.0),
             settled_at = to_timestamp(${end.now} / 1000.0), meter_stop_wh = ${end.meterStopWh},
             energy_wh = ${bill.energyWh}, electricity_fee_fen = ${bill.electricityFeeFen},
             service_fee_fen = ${bill.serviceFeeFen}, amount_fen = ${bill.amountFen}, paid_fen = ${money.paidFen},
             stop_reason = ${end.reason}, power_w = null, timeline = ${appendTimeline(...timeline)}
       where id = ${order.id} returning 1
    ), delivered as (
      update stations set total_energy_wh = total_energy_wh + ${bill.energyWh} where id = ${order.station_id} returning 1
    )
    select ${postingOf(money.transfer, end.now)} from
      -- Posted last, because all orders of a site wait there for each other's commit.
      (select count(*) from billed) b, (select count(*) from moved) m, (select count(*) from delivered) d`.execute(trx);
}

function paymentStateOf(amountFen: Fen, shortfallFen: Fen): PaymentState {
  if (shortfallFen === 0) return 'paid';
  return shortfallFen === amountFen ? 'unpaid' : 'partly_paid';
}

/** A row of order_lines as JSON; columns that its kind of line does not have are left out. */
function columnsOf(line: BillLine, index: number) {
  const both = {
    line: index + 1,
    kind: line.kind,
    from_at: toIso(line.from),
    to_at: toIso(line.to),
    energy_wh: line.energyWh,
    electricity_fee_fen: line.electricityFeeFen,
    service_fee_fen: line.serviceFeeFen,
  };
  return line.kind === 'energy'
    ? {
        ...both,
        period: line.period,
        electricity_price_e5: line.electricityPriceE5,
        service_price_e5: line.servicePriceE5,
      }
    : {
        ...both,
        tier_from_w: line.tierFromW,
        tier_to_w: line.tierToW,
        steps: line.steps,
        step_minutes: line.stepMinutes,
        fee_fen_per_step: line.feeFenPerStep,
      };
}
