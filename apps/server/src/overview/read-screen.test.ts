import {
  type getBigScreen,
  powerSampleMs,
  powerShownMs,
  screenHours,
  screenNowKeptMs,
  screenPastKeptMs,
} from '@voltdeck/contract/big-screen';
import type { AnswerOf } from '@voltdeck/contract/route';
import { wattHours, watts } from '@voltdeck/units/energy';
import type { AgentId, OrderId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, shanghaiDayStart, toIso } from '@voltdeck/units/instant';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrdersTable } from '../database/tables.generated.ts';
import { adminPassword, openTestApi, type TestApi } from '../http/test-api.ts';
import { asTestRun, makeOrder, makePlace, makeSettledOrder, type Place } from '../http/test-records.ts';
import { keepSales } from '../statistics/keep-sales.ts';
import { powerHeardMs, sampleInstant, samplePower } from './sample-power.ts';

type Screen = AnswerOf<typeof getBigScreen>;

let api: TestApi;
let lake: Place;
let bay: Place;
let lakeToken: string;
/** May look at the home page and at nothing else. */
let guestToken: string;
/** Half past one in the afternoon in China. */
let now: Instant;

beforeAll(async () => {
  api = await openTestApi();
  now = instant(shanghaiDayStart(instant(Date.now())) + 13.5 * hourMs);
  api.clock.now = now;
  // The first session may have ended by then.
  api.adminToken = (await api.logIn('admin', adminPassword)).data.token;
  const agentId = await api.addAgent('lake');
  lake = await makePlace(api.database, agentId, 'lake');
  bay = await makePlace(api.database, null, 'bay');
  await api.database.db.updateTable('stations').set({ online: true }).execute();
  await api.database.db.updateTable('connectors').set({ state: 'free', state_at: now }).execute();
  await api.database.db
    .updateTable('stations')
    .set({ equipment_type: 'two-wheel' })
    .where('id', '=', bay.stationId)
    .execute();
  const today = shanghaiDayStart(now);
  // The last of yesterday, the first of today, and one of this hour; some are kept and some still wait.
  for (const [place, endedAt, feeFen] of [
    [lake, today - 1, 1_000],
    [lake, today, 2_000],
    [bay, today + 9 * hourMs, 400],
  ] as const) {
    await makeSettledOrder(api.database, place, {
      electricityFeeFen: feeFen,
      serviceFeeFen: 100,
      settledAt: instant(endedAt + minuteMs),
    });
  }
  await keepSales(api.database.db);
  await makeSettledOrder(api.database, lake, { electricityFeeFen: 3_000, serviceFeeFen: 300, settledAt: now });
  await makeOrder(api.database, bay, instant(today + hourMs), { ...asTestRun, ended_at: instant(today + 2 * hourMs) });
  await makeOrder(api.database, lake, instant(now - 20 * minuteMs), {
    state: 'charging',
    payment_state: 'unpaid',
    started_at: instant(now - 20 * minuteMs),
    ended_at: null,
    settled_at: null,
    power_w: watts(58_300),
    energy_wh: wattHours(18_240),
    last_reading_at: instant(now - minuteMs),
  });
  await samplePower(api.database.db, instant(now - 2 * powerSampleMs));
  await samplePower(api.database.db, now);
  await samplePower(api.database.db, now);
  const agent = { scope: 'agent', agentId: agentId as AgentId } as const;
  lakeToken = (await api.addUser({ name: 'lake', permissions: ['overview.read', 'order.read'], ...agent })).token;
  guestToken = (await api.addUser({ name: 'guest', permissions: ['overview.read'], scope: 'platform' })).token;
});
afterAll(() => api.close());

async function ask(token?: string): Promise<Screen> {
  const answer = await api.get<Screen>('/overview/screen', token === undefined ? {} : { token });
  expect(answer.status).toBe(200);
  return answer.data;
}

/** A kept answer is as old as it may be. */
function later(ms = screenPastKeptMs): void {
  now = instant(now + ms);
  api.clock.now = now;
}

/** What the orders themselves say. */
async function truth(from: Instant, where = 'true') {
  const { rows } = await api.database.pool.query(
    `select count(*)::int as orders, coalesce(sum(energy_wh), 0)::int as "energyWh",
            coalesce(sum(amount_fen - discount_fen), 0)::int as "receivableFen",
            coalesce(sum(paid_fen), 0)::int as "receivedFen"
       from orders where state = 'completed' and start_mode <> 'test' and ended_at >= $1 and ${where}`,
    [new Date(from)],
  );
  return rows[0];
}

describe('the figures of the big screen', () => {
  test('today, the month, the total and the hours are what the orders say, without test runs', async () => {
    const { now: moving, past } = await ask();
    const today = await truth(shanghaiDayStart(now));
    expect(today.orders).toBe(3);
    expect(moving.today).toEqual(today);
    expect(past.total).toEqual(await truth(instant(0)));
    expect(past.month.orders).toBeGreaterThanOrEqual(3);
    expect(moving.hours).toHaveLength(screenHours);
    expect(moving.hours.at(-1)).toMatchObject({ at: toIso(instant(now - (now % hourMs))), orders: 1 });
    expect(moving.hours.reduce((sum, hour) => sum + hour.receivableFen, 0)).toBe(past.total.receivableFen);
  });

  test('two-wheel and four-wheel stations have their own charges, power, ports and sales', async () => {
    const { kinds, connectors } = (await ask()).now;
    expect(kinds.map(({ equipmentType }) => equipmentType)).toEqual(['two-wheel', 'four-wheel']);
    expect(kinds.map(({ charging, powerW }) => [charging, powerW])).toEqual([
      [0, 0],
      [1, 58_300],
    ]);
    expect(kinds[0]?.today).toEqual(await truth(shanghaiDayStart(now), `station_id = ${bay.stationId}`));
    const free = kinds.map((kind) => kind.connectors.free);
    expect(free[0]).toBeGreaterThan(0);
    expect((free[0] ?? 0) + (free[1] ?? 0)).toBe(connectors.free);
  });

  test('each ranking has the best sites of today first, and each its own order', async () => {
    const { rankings } = (await ask()).past;
    expect(rankings.receivable.map(({ siteId }) => siteId)).toEqual([lake.siteId, bay.siteId]);
    expect(rankings.receivable[0]).toMatchObject(await truth(shanghaiDayStart(now), `site_id = ${lake.siteId}`));
    expect(rankings.orders[0]?.orders).toBe(2);
  });

  test('the curve of power has what was seen and a gap where nobody looked', async () => {
    const { power } = (await ask()).past;
    expect(power.from).toBe(toIso(instant(sampleInstant(now) - powerShownMs)));
    expect(power.fourWheelW).toHaveLength(powerShownMs / powerSampleMs + 1);
    expect(power.fourWheelW.slice(-3)).toEqual([58_300, null, 58_300]);
    expect(power.twoWheelW.slice(-3)).toEqual([0, null, 0]);
  });

  test('charges come as they begin and end, the newest first', async () => {
    const { charges } = (await ask()).now;
    expect(charges?.map(({ kind }) => kind)).toEqual(['ended', 'began', 'ended', 'ended', 'ended']);
    expect(charges?.[1]).toMatchObject({ siteName: 'Site lake', energyWh: 18_240, equipmentType: 'four-wheel' });
  });

  test('a port with a fault and a station that went away are listed with since when', async () => {
    expect((await ask()).now.faults).toEqual([]);
    const brokeAt = instant(now - 3 * minuteMs);
    await api.database.db
      .updateTable('connectors')
      .set({ state: 'fault', state_at: brokeAt, fault_code: 'GroundFailure' })
      .where('id', '=', lake.connectorId)
      .execute();
    await api.database.db
      .updateTable('stations')
      .set({ online: false, offline_at: instant(now - minuteMs) })
      .where('id', '=', bay.stationId)
      .execute();
    later();
    const { faults, stations, connectors } = (await ask()).now;
    expect(faults.map(({ kind, since }) => [kind, since])).toEqual([
      ['offline', toIso(instant(now - screenPastKeptMs - minuteMs))],
      ['fault', toIso(brokeAt)],
    ]);
    expect(faults[1]).toMatchObject({ faultCode: 'GroundFailure', siteName: 'Site lake', connectorNumber: 1 });
    expect(stations.offline).toBe(1);
    expect(connectors.fault).toBe(1);
  });
});

test('an agent sees the charges, power, sites and faults of its own stations, and no customers', async () => {
  const { now: moving, past } = await ask(lakeToken);
  expect(moving.today).toEqual(await truth(shanghaiDayStart(now), `agent_id = ${lake.agentId}`));
  expect(past.rankings.energy.map(({ siteId }) => siteId)).toEqual([lake.siteId]);
  expect(moving.charges?.every(({ siteName }) => siteName === 'Site lake')).toBe(true);
  expect(moving.faults.map(({ kind }) => kind)).toEqual(['fault']);
  expect([moving.newCustomers, past.customers]).toEqual([null, null]);
  expect(moving.kinds[0]?.connectors.free).toBe(0);
  expect(past.power.fourWheelW.filter((powerW) => powerW !== null)).toEqual([58_300, 58_300]);
});

test('who may not see orders sees the figures and no charges', async () => {
  const { now: moving } = await ask(guestToken);
  expect(moving.charges).toBeNull();
  expect(moving.today.orders).toBe(3);
});

test('what is kept names the instant that it is true of, and moves on afterwards', async () => {
  later();
  const first = await ask();
  expect([first.now.at, first.past.at, first.answeredAt]).toEqual([toIso(now), toIso(now), toIso(now)]);
  const firstAt = now;
  later(screenNowKeptMs - 1);
  expect((await ask()).now.at).toBe(toIso(firstAt));
  later(1);
  const second = await ask();
  expect([second.now.at, second.past.at]).toEqual([toIso(now), toIso(firstAt)]);
  expect(second.answeredAt).toBe(toIso(now));
});

describe('the power that a charge counts with', () => {
  let charge: OrderId;
  beforeAll(async () => {
    await api.database.db.updateTable('orders').set({ power_w: null }).execute();
    const place = await makePlace(api.database, null, 'dark');
    charge = await makeOrder(api.database, place, instant(now - 4 * hourMs), {
      state: 'charging',
      payment_state: 'unpaid',
      ended_at: null,
      settled_at: null,
      power_w: watts(7_100),
    });
  });

  /** What the screen shows and the curve keeps, which must be the same. */
  async function drawnW(isOnline: boolean, order: Updateable<OrdersTable>): Promise<number> {
    const { db } = api.database;
    await db.updateTable('orders').set(order).where('id', '=', charge).execute();
    const station = db.selectFrom('orders').select('station_id').where('id', '=', charge);
    await db.updateTable('stations').set({ online: isOnline }).where('id', '=', station).execute();
    later(powerSampleMs);
    await samplePower(db, now);
    const { now: moving, past } = await ask();
    const shownW = moving.kinds.reduce((sum, { powerW }) => sum + powerW, 0);
    expect((past.power.fourWheelW.at(-1) ?? 0) + (past.power.twoWheelW.at(-1) ?? 0)).toBe(shownW);
    return shownW;
  }

  test('is none once its station went offline or has told nothing of it for ten minutes', async () => {
    const lastAt = (ago: number) => ({ last_reading_at: instant(now + powerSampleMs - ago) });
    expect(await drawnW(true, { last_reading_at: null })).toBe(0);
    expect(await drawnW(true, lastAt(powerHeardMs))).toBe(7_100);
    expect(await drawnW(true, lastAt(powerHeardMs + 1))).toBe(0);
    expect(await drawnW(false, lastAt(minuteMs))).toBe(0);
  });

  test('is that of its readings where the clock of its station is behind', async () => {
    const begunAt = instant(now - hourMs);
    const behindMs = 25 * minuteMs;
    const clock = { started_at: instant(begunAt - behindMs), begun_at: begunAt };
    const lastAt = (ago: number) => instant(now + powerSampleMs - ago - behindMs);
    expect(await drawnW(true, { ...clock, last_reading_at: lastAt(minuteMs) })).toBe(7_100);
    expect(await drawnW(true, { ...clock, last_reading_at: lastAt(powerHeardMs + 1) })).toBe(0);
  });
});
