import type { Reading } from '@voltdeck/charging/reading';
import type { StopReason } from '@voltdeck/charging/states';
import type { Channel } from '@voltdeck/ledger/chart';
import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import type { Random } from '@voltdeck/simulator/seeded';
import type { Bill } from '@voltdeck/tariffs/bill';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, hourMs, type Instant, instant, minuteMs, secondMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import {
  billOfCharge,
  type MeteredCharge,
  type MeterOddity,
  meterStopOf,
  readingsOf,
  sampleIntervals,
} from './charge-readings.ts';
import type { ShapeCatalogue } from './charge-shapes.ts';
import { energyAfter } from './charge-shapes.ts';
import type { DriverPool } from './driver-pool.ts';
import type { Connector, Network } from './network.ts';
import type { PlannedFlag, PlannedHold, PlannedOrder, PlannedRecharge, Purse } from './planned-order.ts';
import { tariffs } from './tariffs.ts';

/** The history's state of a gun port. */
export type MeterState = { registerWh: number; freeAt: number };

export type VisitPlanner = {
  network: Network;
  pool: DriverPool;
  shapeOf: ShapeCatalogue;
  meterOf(connector: Connector): MeterState;
  /** The identity of the next planned order. */
  nextOrder(): { id: OrderId; sequence: number; transactionNumber: number };
  /** Reserves ids of transfers and returns the first. */
  takeTransfers(count: number): number;
  addRecharge(recharge: Omit<PlannedRecharge, 'id'>): void;
};

/** As in `orders/hold-money.ts` and `orders/authorize-card.ts` of the server. */
const holdStepFen = 5_000;
const startBalanceMinFen = 100;

const stayMeanMs: Readonly<Record<ChargeKind, number>> = {
  dc: 45 * minuteMs,
  ac: 5 * hourMs,
  'two-wheel': 4.5 * hourMs,
};
const rechargeAmountsFen = {
  car: [5_000, 10_000, 10_000, 10_000, 20_000, 20_000, 30_000, 50_000],
  'two-wheel': [1_000, 2_000, 2_000, 3_000, 5_000],
} as const;
const lowBalanceFen = { car: 4_000, 'two-wheel': 300 } as const;
/** Readings are detailed for this long. */
export const recentDays = 14;

const odds = {
  cancelled: 0.018,
  unknownCard: 0.0004,
  offlineStart: 0.0012,
  parked: 0.00006,
  clockWrong: 0.0022,
  noStop: 0.0022,
  jump: 0.0016,
  backwards: 0.0016,
  refund: 0.004,
} as const;

const refundReasons = [
  '枪口故障，充电中断',
  '用户投诉服务费，协商退回',
  '设备跳枪，重复启动',
  '活动补差',
  '占位费误收',
] as const;

/** The result of a visit to a gun port: an order, or nothing if the charge could not start. */
export function planVisit(
  planner: VisitPlanner,
  connector: Connector,
  at: Instant,
  random: Random,
): PlannedOrder | null {
  const { station } = connector;
  const meter = planner.meterOf(connector);
  if (meter.freeAt + minuteMs > at || station.createdAt + dayMs > at) return null;
  if (random.chance(odds.parked)) return planParked(planner, connector, at, random);
  const rides = station.kind === 'two-wheel' ? 'two-wheel' : 'car';
  const isStranger = random.chance(odds.unknownCard);
  const drawn = isStranger ? null : planner.pool.draw(station.site, rides, at, random);
  if (drawn === null && !isStranger) return null;
  const purse = drawn?.purse ?? null;
  if (purse !== null) {
    takeRefunds(purse, at);
    rechargeWhenLow(planner, purse, rides, at, random);
    const isOffline = random.chance(odds.offlineStart);
    if (purse.balanceFen < startBalanceMinFen && !isOffline) return null;
    if (random.chance(odds.cancelled)) return planCancelled(planner, connector, purse, at, random);
    return planCharge(planner, connector, purse, at, random, isOffline);
  }
  return planCharge(planner, connector, null, at, random, true);
}

function takeRefunds(purse: Purse, at: Instant): void {
  if (purse.coming.length === 0) return;
  for (const refund of purse.coming) if (refund.at <= at) purse.balanceFen += refund.amountFen;
  purse.coming = purse.coming.filter((refund) => refund.at > at);
}

function rechargeWhenLow(
  planner: VisitPlanner,
  purse: Purse,
  rides: 'car' | 'two-wheel',
  at: Instant,
  random: Random,
): void {
  if (purse.balanceFen >= lowBalanceFen[rides]) return;
  // Most people check their balance before they plug in, some do not.
  if (purse.balanceFen >= startBalanceMinFen && random.chance(0.08)) return;
  if (random.chance(0.02)) return;
  const rechargedAt = instant(Math.max(purse.freeAt + secondMs, at - random.integer(30, 1_500) * secondMs));
  const amountFen = fen(random.pick(rechargeAmountsFen[rides]));
  planner.addRecharge({
    transferId: planner.takeTransfers(1),
    at: rechargedAt,
    purse,
    amountFen,
    balanceBeforeFen: fen(purse.balanceFen),
    channel: drawChannel(purse, random),
  });
  purse.balanceFen += amountFen;
}

function drawChannel(purse: Purse, random: Random): Channel {
  if (purse.card === null) return random.chance(0.72) ? 'wechat' : 'alipay';
  return random.pick(['wechat', 'wechat', 'alipay', 'front-desk', 'front-desk', 'back-office']);
}

function planCharge(
  planner: VisitPlanner,
  connector: Connector,
  purse: Purse | null,
  at: Instant,
  random: Random,
  isOffline: boolean,
): PlannedOrder | null {
  const { network } = planner;
  const { station } = connector;
  const meter = planner.meterOf(connector);
  const { tariff } = tariffs[station.tariff] ?? {};
  if (tariff === undefined) throw new Error(`station ${station.number} has no tariff`);
  const shape = planner.shapeOf(station.kind, station.powerKw, random);
  const stayMs = Math.round(stayMeanMs[station.kind] * random.between(0.4, 1.7));
  const isFull = stayMs >= shape.fullAfterMs;
  const lastsMs = isFull ? shape.fullAfterMs + random.integer(5, 55) * secondMs : stayMs;
  const sample = sampleIntervals[station.kind];
  const isRecent = at >= network.now - recentDays * dayMs;
  const isOnline = purse !== null && purse.card === null;
  const isRemote = !isOffline && random.chance(isOnline ? 0.08 : 0.03);
  // Online and remote orders are placed slightly before energy flows.
  const startAt = isOnline || isRemote ? instant(at + random.integer(3_000, 25_000)) : at;
  let charge: MeteredCharge = {
    shape,
    startAt,
    endAt: instant(startAt + lastsMs),
    meterStartWh: meter.registerWh,
    sampleMs: isRecent ? sample.recent : sample.older,
    oddity: null,
  };
  charge = { ...charge, oddity: drawOddity(charge, connector, random) };
  const isStopLost = charge.oddity === null && random.chance(odds.noStop) && readingsOf(charge).length >= 2;
  if (isStopLost) charge = { ...charge, endAt: readingsOf(charge).at(-1)?.at ?? charge.endAt };
  let stopReason: StopReason = isStopLost
    ? 'no_stop_received'
    : isFull
      ? 'vehicle_full'
      : drawStopReason(station.kind, purse, random);
  let readings = readingsOf(charge);
  let bill = billOfCharge(tariff, charge, readings);

  const authorization = isOffline
    ? purse === null
      ? 'unknown'
      : purse.balanceFen < startBalanceMinFen
        ? 'no_balance'
        : 'blocked'
    : 'accepted';
  const balanceFen = purse?.balanceFen ?? 0;
  // Usually the server stops a charge before its money runs out; sometimes the stop does not reach the station.
  if (authorization === 'accepted' && !isStopLost && bill.amountFen > balanceFen && !random.chance(0.12)) {
    charge = cutToBalance(
      charge,
      balanceFen,
      (shorter) => billOfCharge(tariff, shorter, readingsOf(shorter)).amountFen,
    );
    readings = readingsOf(charge);
    bill = billOfCharge(tariff, charge, readings);
    stopReason = 'balance_exhausted';
  }
  const settledAt = instant(
    charge.endAt + (isStopLost ? random.integer(20, 240) * minuteMs : random.integer(250, 2_400)),
  );
  if (settledAt > network.now - minuteMs) return null;

  const { id, sequence } = planner.nextOrder();
  const holds =
    authorization === 'accepted' ? holdsOf(bill, charge, startAt === at ? instant(at + 300) : at, balanceFen) : [];
  const paidFen = Math.min(bill.amountFen, balanceFen);
  const shortfallFen = bill.amountFen - paidFen;
  const flags = flagsOf({
    charge,
    readings,
    connector,
    authorization,
    cardNumber: purse?.card?.number ?? strangersCard(sequence),
    bill,
    holds,
    shortfallFen,
    settledAt,
    isStopLost,
    isClockWrong: random.chance(odds.clockWrong),
  });
  const refund =
    paidFen > 0 && shortfallFen === 0 && random.chance(odds.refund)
      ? drawRefund(network, settledAt, paidFen, random)
      : null;
  const transfers = holds.length + (holds.length > 0 || bill.amountFen > 0 ? 1 : 0) + (refund === null ? 0 : 1);
  if (purse !== null) {
    purse.balanceFen -= paidFen;
    purse.freeAt = settledAt;
    if (refund !== null) purse.coming.push(refund);
  }
  meter.registerWh = meterStopOf(charge);
  meter.freeAt = settledAt + random.integer(1, 12) * minuteMs;
  return {
    kind: 'charge',
    id,
    sequence,
    firstTransferId: planner.takeTransfers(purse === null ? 0 : transfers),
    connector,
    placedAt: at,
    startMode: isRemote ? 'remote' : isOnline ? 'scan' : 'card',
    paymentType: isOnline ? 'online' : 'card',
    purse,
    cardNumber: isOnline ? `VD${String(sequence).padStart(12, '0')}` : (purse?.card?.number ?? strangersCard(sequence)),
    balanceBeforeFen: purse === null ? null : fen(balanceFen),
    holds,
    metered: charge,
    meterStopWh: meterStopOf(charge),
    settledAt,
    stopReason,
    authorization,
    electricityFeeFen: bill.electricityFeeFen,
    serviceFeeFen: bill.serviceFeeFen,
    energyWh: bill.energyWh,
    paidFen: fen(paidFen),
    shortfallFen: fen(shortfallFen),
    socPercent: readings.at(-1)?.socPercent ?? null,
    flags,
    handledAt: refund?.at ?? handlingOf(network, settledAt, flags),
    refund,
  };
}

/** Somebody looks at what was flagged on the next day. */
function handlingOf(network: Network, settledAt: Instant, flags: readonly PlannedFlag[]): Instant | null {
  const at = instant(settledAt + handledAfterMs);
  return flags.length === 0 || at >= network.now ? null : at;
}

const handledAfterMs = 26 * hourMs;

/** A card that nobody issued. */
function strangersCard(sequence: number): string {
  return `E00401${(0x50_0000 + sequence * 131).toString(16).toUpperCase().padStart(10, '0')}`;
}

function drawOddity(charge: MeteredCharge, connector: Connector, random: Random): MeterOddity | null {
  const draw = random.next();
  if (draw >= odds.jump + odds.backwards) return null;
  const count = Math.floor((charge.endAt - charge.startAt - 1) / charge.sampleMs);
  if (count < 4) return null;
  const at = random.integer(2, count - 2);
  if (draw < odds.jump) {
    // Only small chargers, where a jump beyond the cable's capacity is not yet an absurd bill.
    if (connector.station.kind !== 'dc' || connector.station.powerKw > 120) return null;
    const carriedWh = (connector.station.powerKw * 1_000 * 1.5 * charge.sampleMs) / hourMs;
    return { kind: 'jump', at, addedWh: Math.round(carriedWh + 2_000 + random.integer(800, 5_000)) };
  }
  const soFarWh = energyAfter(charge.shape, (at + 1) * charge.sampleMs);
  const beforeWh = energyAfter(charge.shape, at * charge.sampleMs);
  const lostWh = Math.ceil(soFarWh - beforeWh) + random.integer(5, 900);
  return lostWh < soFarWh ? { kind: 'backwards', at, lostWh } : null;
}

function drawStopReason(kind: ChargeKind, purse: Purse | null, random: Random): StopReason {
  const draw = random.next();
  if (draw < 0.004) return 'emergency_stop';
  if (draw < 0.008) return 'power_loss';
  if (draw < 0.013) return 'station_fault';
  if (draw < 0.016) return 'soft_reset';
  if (kind === 'two-wheel') return draw < 0.75 ? 'vehicle_disconnected' : 'local';
  return purse !== null && purse.card === null ? 'remote' : draw < 0.12 ? 'vehicle_disconnected' : 'local';
}

/** The longest charge whose bill the balance covers, to a few seconds. */
function cutToBalance(
  charge: MeteredCharge,
  balanceFen: number,
  amountOf: (charge: MeteredCharge) => number,
): MeteredCharge {
  let coveredMs = 0;
  let tooLongMs = charge.endAt - charge.startAt;
  const cut = (lastsMs: number): MeteredCharge => ({
    ...charge,
    oddity: null,
    endAt: instant(charge.startAt + lastsMs),
  });
  while (tooLongMs - coveredMs > 5 * secondMs) {
    const middleMs = Math.floor((coveredMs + tooLongMs) / 2);
    if (amountOf(cut(middleMs)) > balanceFen) tooLongMs = middleMs;
    else coveredMs = middleMs;
  }
  return cut(Math.max(coveredMs, 10 * secondMs));
}

/** Fifty yuan at the start, and again whenever the fees approach what is held, while there is money. */
function holdsOf(bill: Bill, charge: MeteredCharge, firstAt: Instant, balanceFen: number): PlannedHold[] {
  const lastsMs = charge.endAt - charge.startAt;
  const perMinuteFen = (bill.amountFen / Math.max(lastsMs, minuteMs)) * minuteMs;
  const holds: PlannedHold[] = [];
  let heldFen = 0;
  let leftFen = balanceFen;
  let at: number = firstAt;
  while (leftFen > 0 && (holds.length === 0 || bill.amountFen + perMinuteFen >= heldFen)) {
    const amountFen = Math.min(holdStepFen, leftFen);
    holds.push({ at: instant(at), amountFen: fen(amountFen) });
    heldFen += amountFen;
    leftFen -= amountFen;
    const reachedMs = bill.amountFen === 0 ? lastsMs : ((heldFen - perMinuteFen) / bill.amountFen) * lastsMs;
    at = Math.max(at + 1, charge.startAt + Math.min(lastsMs, Math.max(0, Math.round(reachedMs))));
  }
  return holds;
}

function flagsOf(facts: {
  charge: MeteredCharge;
  readings: readonly Reading[];
  connector: Connector;
  authorization: string;
  cardNumber: string;
  bill: Bill;
  holds: readonly PlannedHold[];
  shortfallFen: number;
  settledAt: Instant;
  isStopLost: boolean;
  isClockWrong: boolean;
}): PlannedFlag[] {
  const { charge, readings, connector, settledAt } = facts;
  const begunAt = instant(charge.startAt + 300);
  const flags: PlannedFlag[] = [];
  if (facts.isClockWrong) {
    const stationTime = `1970-01-01T00:${String(charge.startAt % 50).padStart(2, '0')}:17Z`;
    flags.push({ rule: 'clock_wrong', at: begunAt, evidence: { stationTime, receivedAt: toIso(charge.startAt) } });
  }
  if (facts.authorization !== 'accepted') {
    const { cardNumber, authorization } = facts;
    flags.push({ rule: 'card_not_accepted', at: begunAt, evidence: { cardNumber, authorization } });
  }
  if (facts.isStopLost) {
    flags.push({
      rule: 'no_stop_received',
      at: settledAt,
      evidence: { nextStartAt: toIso(settledAt), lastReadingAt: toIso(charge.endAt) },
    });
  }
  if (charge.oddity !== null) {
    const before = readings[charge.oddity.at - 1];
    const reading = readings[charge.oddity.at];
    if (before === undefined || reading === undefined) throw new Error('a meter did something odd between no readings');
    const evidence = { from: toIso(before.at), fromWh: before.energyWh, to: toIso(reading.at), toWh: reading.energyWh };
    flags.push(
      charge.oddity.kind === 'jump'
        ? {
            rule: 'meter_jump',
            at: settledAt,
            evidence: { ...evidence, ratedPowerW: connector.station.powerKw * 1_000 },
          }
        : { rule: 'meter_backwards', at: settledAt, evidence },
    );
  }
  if (facts.shortfallFen > 0) {
    const heldFen = facts.holds.reduce((sum, hold) => sum + hold.amountFen, 0);
    const { shortfallFen } = facts;
    flags.push({
      rule: 'amount_above_prepaid',
      at: settledAt,
      evidence: { heldFen, amountFen: facts.bill.amountFen, shortfallFen },
    });
  }
  return flags;
}

function drawRefund(network: Network, settledAt: Instant, paidFen: number, random: Random) {
  const at = instant(settledAt + random.integer(20, 2_400) * minuteMs);
  const wholeYuan = Math.max(1, Math.floor((paidFen * random.between(0.15, 0.8)) / 100)) * 100;
  const amountFen = fen(random.chance(0.45) ? paidFen : Math.min(paidFen, wholeYuan));
  return at < network.now ? { at, amountFen, reason: random.pick(refundReasons) } : null;
}

/** Placed remotely and never begun: the station refused, did not answer, or nobody plugged in. */
function planCancelled(
  planner: VisitPlanner,
  connector: Connector,
  purse: Purse,
  at: Instant,
  random: Random,
): PlannedOrder | null {
  const outcome = random.pick(['rejected', 'timed-out', 'not_begun', 'not_begun', 'by-hand'] as const);
  const afterMs = {
    rejected: random.integer(200, 900),
    'timed-out': 30 * secondMs + random.integer(5, 90),
    not_begun: 5 * minuteMs + random.integer(500, 15_000),
    'by-hand': random.integer(20, 200) * secondMs,
  }[outcome];
  const cancelledAt = instant(at + afterMs);
  if (cancelledAt > planner.network.now - minuteMs) return null;
  const { id, sequence } = planner.nextOrder();
  purse.freeAt = cancelledAt;
  const isOnline = purse.card === null;
  return {
    kind: 'cancelled',
    id,
    sequence,
    firstTransferId: planner.takeTransfers(2),
    connector,
    placedAt: at,
    startMode: isOnline && random.chance(0.8) ? 'scan' : 'remote',
    paymentType: isOnline ? 'online' : 'card',
    purse,
    cardNumber: purse.card?.number ?? `VD${String(sequence).padStart(12, '0')}`,
    balanceBeforeFen: fen(purse.balanceFen),
    holds: [{ at, amountFen: fen(Math.min(holdStepFen, purse.balanceFen)) }],
    cancelledAt,
    outcome,
  };
}

function planParked(planner: VisitPlanner, connector: Connector, at: Instant, random: Random): PlannedOrder | null {
  if (at > planner.network.now - hourMs) return null;
  const { id, sequence, transactionNumber } = planner.nextOrder();
  const meter = planner.meterOf(connector);
  meter.registerWh += random.integer(2_000, 12_000);
  meter.freeAt = at;
  return {
    kind: 'parked',
    id,
    sequence,
    firstTransferId: planner.takeTransfers(0),
    connector,
    placedAt: at,
    startMode: 'card',
    paymentType: 'card',
    purse: null,
    cardNumber: strangersCard(sequence),
    balanceBeforeFen: null,
    holds: [],
    endedAt: instant(at - random.integer(1, 40) * secondMs),
    transactionNumber: transactionNumber + 1_000_000,
    meterStopWh: meter.registerWh,
  };
}
