import type { ChargeKind } from '@voltdeck/simulator/charging-curve';
import { type Random, seeded } from '@voltdeck/simulator/seeded';
import type { OrderId } from '@voltdeck/units/id';
import { dayMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import { openShapes } from './charge-shapes.ts';
import { type People, visitsPerPortDay } from './customers.ts';
import { drawCount, drawTimeOfDay, shareOfDay } from './demand.ts';
import { openDriverPool } from './driver-pool.ts';
import { type Connector, historyDays, type Network, type Site } from './network.ts';
import { type MeterState, planVisit, type VisitPlanner } from './plan-visit.ts';
import type { PlannedOrder, PlannedRecharge } from './planned-order.ts';

/** The first ids that the history may use. */
export type IdentityBases = {
  order: number;
  transfer: number;
  recharge: number;
  transactionNumber: number;
  orderNumber: number;
};

/** More ids than the history ever needs; live orders start after them. */
export const identitiesReserved: Readonly<Record<keyof IdentityBases, number>> = {
  order: 200_000,
  transfer: 800_000,
  recharge: 100_000,
  transactionNumber: 200_000,
  orderNumber: 200_000,
};

export type History = {
  /** In order of time. */
  orders: readonly PlannedOrder[];
  /** Where each day's orders start and end in `orders`, oldest day first. */
  days: readonly { from: number; to: number }[];
  recharges: readonly PlannedRecharge[];
};

/**
 * Plays the whole history in order of time, without a database: who charged where, for how much, and from which money.
 * Takes a second or two for every fifty thousand orders; the same network, people and bases give the same history.
 */
export function planHistory(network: Network, people: People, bases: IdentityBases): History {
  const random = seeded(network.seed).fork('history');
  const pool = openDriverPool(people);
  const meters = new Map<Connector, MeterState>(
    network.connectors.map((connector) => [connector, { registerWh: connector.registerWh, freeAt: 0 }]),
  );
  const orders: PlannedOrder[] = [];
  const recharges: PlannedRecharge[] = [];
  let transfers = 0;
  const planner: VisitPlanner = {
    network,
    pool,
    shapeOf: openShapes(network.seed),
    meterOf: (connector) => meters.get(connector) ?? { registerWh: 0, freeAt: 0 },
    nextOrder: () => ({
      id: (bases.order + orders.length + 1) as OrderId,
      sequence: orders.length + 1,
      transactionNumber: bases.transactionNumber + orders.length + 1,
    }),
    takeTransfers: (count) => {
      const first = bases.transfer + transfers + 1;
      transfers += count;
      return first;
    },
    addRecharge: (recharge) => {
      recharges.push({ ...recharge, id: bases.recharge + recharges.length + 1 });
    },
  };
  const days: { from: number; to: number }[] = [];
  for (let day = 0; day <= historyDays; day += 1) {
    const from = orders.length;
    for (const visit of visitsOf(network, day, random)) {
      const order = planVisit(planner, visit.connector, visit.at, random.fork(visit.label));
      if (order !== null) orders.push(order);
    }
    days.push({ from, to: orders.length });
  }
  return { orders, days, recharges };
}

/** Whether nobody could charge at a site on a day. */
function isClosedOn({ state, closedDaysAgo }: Site, dayStart: Instant, { now }: Network): boolean {
  if (state === 'building') return true;
  return closedDaysAgo !== null && dayStart > now - closedDaysAgo * dayMs;
}

type Visit = { connector: Connector; at: Instant; label: string };

/** Everyone who wants to charge on a day, in order of time. */
function visitsOf(network: Network, day: number, random: Random): Visit[] {
  const dayStart = instant(network.beginsAt + day * dayMs);
  const shares = Object.fromEntries(
    (['dc', 'ac', 'two-wheel'] as const).map((kind) => [kind, shareOfDay(kind, dayStart, historyDays - day)]),
  ) as Record<ChargeKind, number>;
  const visits: Visit[] = [];
  for (const connector of network.connectors) {
    const { kind, site, createdAt } = connector.station;
    if (createdAt > dayStart || isClosedOn(site, dayStart, network)) continue;
    const draw = random.fork(`day ${day} port ${connector.id}`);
    // People take the first free port, so a station's first port is used most.
    const place =
      connector.station.connectors.length > 1
        ? 1.25 - (0.5 * (connector.number - 1)) / (connector.station.connectors.length - 1)
        : 1;
    const count = drawCount(visitsPerPortDay[kind] * shares[kind] * site.demand * place, draw);
    for (let number = 0; number < count; number += 1) {
      const at = instant(dayStart + drawTimeOfDay(kind, draw));
      if (at < network.now - 3 * minuteMs) visits.push({ connector, at, label: `${day} ${connector.id} ${number}` });
    }
  }
  return visits.sort((a, b) => a.at - b.at || a.connector.id - b.connector.id);
}
