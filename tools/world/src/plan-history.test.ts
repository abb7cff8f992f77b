import { createHash } from 'node:crypto';
import { applyTransfer, type Balances, proof } from '@voltdeck/ledger/balance';
import { dayMs, type Instant, instant, minuteMs, shanghaiTimeOfDayMs } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { buildPeople } from './customers.ts';
import { buildNetwork, historyDays } from './network.ts';
import { rowsOfOrders } from './order-rows.ts';
import { transferOfRecharge, transfersOfOrder } from './order-transfers.ts';
import { type History, type IdentityBases, identitiesReserved, planHistory } from './plan-history.ts';
import type { PlannedCharge } from './planned-order.ts';

const now = instant(Date.UTC(2026, 10, 21, 8, 3));
const bases: IdentityBases = { order: 0, transfer: 200, recharge: 200, transactionNumber: 0, orderNumber: 0 };
const desk = { finance: { id: 3, userName: 'finance' }, operations: { id: 4, userName: 'ops' } };

function play(seed: string, at: Instant): History {
  const network = buildNetwork(seed, at);
  return planHistory(network, buildPeople(network), bases);
}

/** A digest of everything that is written for a day. */
function hashOfDay(history: History, day: number): string {
  const { from = 0, to = 0 } = history.days[day] ?? {};
  const orders = history.orders.slice(from, to);
  const rows = rowsOfOrders(orders, bases, desk);
  const hash = createHash('sha256');
  for (const part of [rows.orders, rows.lines, rows.flags, rows.readings, rows.refunds]) hash.update(part.finish());
  hash.update(JSON.stringify(orders.map(transfersOfOrder)));
  hash.update(JSON.stringify([...rows.energyWhByStation]));
  return hash.digest('hex');
}

const history = play('first light', now);
const transfers = [...history.recharges.map(transferOfRecharge), ...history.orders.flatMap(transfersOfOrder)];
const charges = history.orders.filter((order): order is PlannedCharge => order.kind === 'charge');

describe('the history', () => {
  test('the history is identical for the same seed and moment, and different for another seed', () => {
    const again = play('first light', now);
    expect(again.orders.length).toBe(history.orders.length);
    expect(JSON.stringify(again.recharges)).toBe(JSON.stringify(history.recharges));
    for (const day of [0, 45, 89, 90]) expect(hashOfDay(again, day)).toBe(hashOfDay(history, day));
    const other = buildNetwork('second light', now);
    expect(JSON.stringify(buildPeople(other).customers)).not.toBe(
      JSON.stringify(buildPeople(buildNetwork('first light', now)).customers),
    );
    expect(other.connectors.map(({ registerWh }) => registerWh)).not.toEqual(
      buildNetwork('first light', now).connectors.map(({ registerWh }) => registerWh),
    );
  });

  test('the history has no charge at a site under construction, nor since a site closed', () => {
    const closed = charges.filter(({ connector }) => connector.station.site.closedDaysAgo !== null);
    expect(closed.length).toBeGreaterThan(100);
    for (const { placedAt, connector } of charges) {
      const { state, closedDaysAgo } = connector.station.site;
      expect(state).not.toBe('building');
      // The last day that it opened may have begun just before.
      if (closedDaysAgo !== null) expect(placedAt).toBeLessThan(now - (closedDaysAgo - 1) * dayMs);
    }
  });

  test('the history has ninety days and today, at least a hundred thousand orders, and none after now', () => {
    expect(history.days).toHaveLength(historyDays + 1);
    expect(history.orders.length).toBeGreaterThan(100_000);
    expect(history.orders.length).toBeLessThan(150_000);
    expect(Math.max(...history.days.map(({ from, to }) => to - from))).toBeLessThan(2_500);
    for (const { settledAt, refund } of charges) {
      if (settledAt > now || (refund?.at ?? 0) > now) throw new Error('it goes beyond now');
    }
  });

  test('the history stays within its reserved ids, each used once', () => {
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(transfers.length);
    expect(new Set(transfers.map(({ transfer }) => transfer.key)).size).toBe(transfers.length);
    expect(Math.max(...history.recharges.map(({ id }) => id)) - bases.recharge).toBeLessThan(
      identitiesReserved.recharge,
    );
    expect(history.orders.length).toBeLessThan(identitiesReserved.order);
    expect(transfers.length).toBeLessThan(identitiesReserved.transfer);
  });

  test('the history in order of time takes no wallet below zero, and its books balance', () => {
    const booked = transfers.toSorted((a, b) => a.at - b.at || a.id - b.id);
    const balances: Balances = new Map();
    for (const { transfer } of booked) {
      const applied = applyTransfer(balances, transfer);
      if (!applied.ok) throw new Error(`${transfer.key} overdraws ${JSON.stringify(applied.error)}`);
    }
    const accounts = [...balances].map(([account, balanceFen]) => ({ account, balanceFen }));
    const proven = proof(
      accounts,
      booked.flatMap(({ transfer }) => transfer.postings),
    );
    expect([proven.sumFen, proven.mismatches]).toEqual([0, []]);
    expect(accounts.filter(({ account, balanceFen }) => account.includes('held') && balanceFen !== 0)).toEqual([]);
  });

  test('the history never has two charges at one gun port or with one card at a time, and meters only rise', () => {
    const lastAt = new Map<string, { endAt: number; meterWh: number }>();
    for (const { connector, purse, metered, meterStopWh } of charges) {
      const port = lastAt.get(`port ${connector.id}`);
      if (port !== undefined && (port.endAt > metered.startAt || port.meterWh > metered.meterStartWh)) {
        throw new Error(`port ${connector.id} is used twice`);
      }
      lastAt.set(`port ${connector.id}`, { endAt: metered.endAt, meterWh: meterStopWh });
      if (purse === null) continue;
      const key = `${purse.wallet.kind} ${purse.wallet.owner}`;
      if ((lastAt.get(key)?.endAt ?? 0) > metered.startAt) throw new Error(`${key} charges twice at once`);
      lastAt.set(key, { endAt: metered.endAt, meterWh: 0 });
    }
    expect(lastAt.size).toBeGreaterThan(3_000);
  });
});

describe('what happens in it', () => {
  const share = (count: number) => count / history.orders.length;

  test('the history follows the hours of the day and the days of the week', () => {
    const hours = Array<number>(24).fill(0);
    for (const { metered, connector } of charges) {
      if (connector.station.kind !== 'two-wheel') continue;
      const hour = Math.floor(shanghaiTimeOfDayMs(metered.startAt) / 3_600_000);
      hours[hour] = (hours[hour] ?? 0) + 1;
    }
    expect(hours[19] ?? 0).toBeGreaterThan(5 * (hours[3] ?? 0));
    const begins = buildNetwork('first light', now).beginsAt;
    const perWeekday = Array<number>(7).fill(0);
    for (const { connector, metered } of charges) {
      if (connector.station.kind !== 'dc') continue;
      const day = Math.floor((metered.startAt - begins) / dayMs);
      if (day < 49 || day >= 84) continue;
      perWeekday[day % 7] = (perWeekday[day % 7] ?? 0) + 1;
    }
    expect(Math.max(...perWeekday)).toBeGreaterThan(1.12 * Math.min(...perWeekday));
  });

  test('the history is mostly ordinary: about one in a hundred is abnormal, some were cancelled, refunded or left unpaid', () => {
    const flagged = charges.filter(({ flags }) => flags.length > 0);
    expect(share(flagged.length)).toBeGreaterThan(0.005);
    expect(share(flagged.length)).toBeLessThan(0.02);
    expect(new Set(flagged.flatMap(({ flags }) => flags.map(({ rule }) => rule)))).toEqual(
      new Set([
        'clock_wrong',
        'no_stop_received',
        'meter_jump',
        'meter_backwards',
        'card_not_accepted',
        'amount_above_prepaid',
      ]),
    );
    expect(share(history.orders.filter(({ kind }) => kind === 'cancelled').length)).toBeGreaterThan(0.01);
    expect(charges.filter(({ refund }) => refund !== null).length).toBeGreaterThan(100);
    expect(charges.filter(({ shortfallFen }) => shortfallFen > 0).length).toBeGreaterThan(50);
    expect(history.orders.some(({ kind }) => kind === 'parked')).toBe(true);
  });

  test('the history has realistic prices', () => {
    for (const [kind, low, high] of [
      ['dc', 2_000, 8_000],
      ['ac', 1_500, 5_000],
      ['two-wheel', 60, 300],
    ] as const) {
      const ofKind = charges.filter(({ connector }) => connector.station.kind === kind);
      const sum = ofKind.reduce(
        (all, { electricityFeeFen, serviceFeeFen }) => all + electricityFeeFen + serviceFeeFen,
        0,
      );
      expect([kind, sum / ofKind.length > low, sum / ofKind.length < high]).toEqual([kind, true, true]);
    }
  });

  test('the history is detailed for two weeks and thinner before', () => {
    const interval = (since: number, until: number) =>
      charges
        .filter(
          ({ connector, metered }) =>
            connector.station.kind === 'dc' && metered.startAt > since && metered.startAt < until,
        )
        .map(({ metered }) => metered.sampleMs);
    expect(new Set(interval(now - 13 * dayMs, now))).toEqual(new Set([2 * minuteMs]));
    expect(new Set(interval(0, now - 15 * dayMs))).toEqual(new Set([10 * minuteMs]));
  });
});
