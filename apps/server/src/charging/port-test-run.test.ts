import { timeLimits } from '@voltdeck/charging/charge/decide-time';
import { testRunLimits } from '@voltdeck/charging/port-test-run';
import type { CommandOutcome, StationCommand } from '@voltdeck/charging/station-command';
import type { ConnectorId, OrderId, StationId } from '@voltdeck/units/id';
import { hourMs, type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { playHolder } from '../bus/test-station-holder.ts';
import { platformCaller } from '../caller/test-caller.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { transact } from '../database/transact.ts';
import { findTestRun } from '../orders/test-runs/queries.ts';
import { startTestRun } from '../orders/test-runs/start-test-run.ts';
import { stopOverdueTestRun } from '../orders/test-runs/stop-overdue-test-run.ts';
import { stopTestRun } from '../orders/test-runs/stop-test-run.ts';
import { connectStation, type Floor, openFloor, type TestStation } from './test-charging-floor.ts';
import {
  billOf,
  chargeFrom,
  chargeTo,
  dayEnergiesWh,
  type NamedStation,
  openNamedStation,
} from './test-named-charge.ts';
import { watchOnce } from './watch-orders.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(async () => {
  const { rows } = await database.pool.query('select count(*)::int as postings from ledger_postings');
  expect(rows).toEqual([{ postings: recharges }]);
  await floor.close();
});
beforeEach(() => {
  floor.clock.now = null;
});

/** The only movements of money in all these tests. */
let recharges = 0;

const installer = platformCaller({ userName: 'installer' });

const context = () => floor.context.on('money');

async function testPort(connectorId: ConnectorId | undefined, minutes = 5): Promise<OrderId> {
  if (connectorId === undefined) throw new Error('no port');
  const started = await startTestRun(context(), installer, { connectorId, minutes }, (work) =>
    transact(database.db, work),
  );
  if (!started.ok) throw new Error(started.error.code);
  return started.value.orderId;
}

async function runOf(orderId: OrderId) {
  const run = await findTestRun(database.db, installer, orderId);
  if (run === null) throw new Error('no test run');
  return run;
}

const orderOf = (id: OrderId) =>
  database.db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const ordersAt = (id: StationId) =>
  database.db.selectFrom('orders').selectAll().where('station_id', '=', id).orderBy('id').execute();

/** When the next attempt to stop it is due; null where none is. */
async function stopDueAt(orderId: OrderId): Promise<Instant | null> {
  const { rows } = await sql<{ run_at: Instant }>`
    select run_at from graphile_worker.jobs where key = ${`stop-test-run:${orderId}`}`.execute(database.db);
  return rows[0]?.run_at ?? null;
}

const nothingPaid = { payment_type: 'none', card_id: null, customer_id: null, amount_fen: 0, paid_fen: 0, held_fen: 0 };

/** Stations are asked nothing until they have booted, or half a minute has passed. */
const boot = { chargePointVendor: 'Lakeside', chargePointModel: 'L120' };

type Tested = { id: StationId; connectorIds: ConnectorId[]; station: TestStation };

/** A connected OCPP station with a vehicle at its first port. */
async function pluggedStation(number: string, options: { tariff?: boolean } = {}): Promise<Tested> {
  const { id, connectorIds } = await floor.addStation(number, options);
  const station = await connectStation(floor, number);
  await station.call('BootNotification', boot);
  await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query(
      `select 1 from stations s join connectors c on c.station_id = s.id
        where s.id = $1 and s.online and c.number = 1 and c.state = 'plugged_in'`,
      [id],
    );
    expect(rows).toHaveLength(1);
  });
  return { id, connectorIds, station };
}

/** The token of the request to start. */
function tokenOf(station: TestStation): string {
  const asked = station.asked.findLast(([action]) => action === 'RemoteStartTransaction');
  if (asked === undefined) throw new Error('it was not asked to start');
  return (asked[1] as { idTag: string }).idTag;
}

/** Messages come when they were made. */
function passTo(at: Instant): void {
  floor.clock.now = at;
}

async function begin(station: TestStation, idTag: string, at: Instant, meterStart = 1_000, connectorId = 1) {
  passTo(at);
  const begun = await station.call('StartTransaction', { connectorId, idTag, meterStart, timestamp: toIso(at) });
  return begun as { transactionId: number; idTagInfo: { status: string } };
}

async function read(station: TestStation, transactionId: number, at: Instant, wh: number, powerW: number) {
  passTo(at);
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [
      {
        timestamp: toIso(at),
        sampledValue: [{ value: String(wh) }, { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' }],
      },
    ],
  });
}

async function end(station: TestStation, transactionId: number, at: Instant, meterStop: number, more: object = {}) {
  passTo(at);
  await station.call('StopTransaction', { transactionId, meterStop, timestamp: toIso(at), ...more });
}

describe('a test run at an OCPP station', () => {
  test('a test run charges under a token of its own, is stopped when its minutes are over and costs nothing', async () => {
    const { id, connectorIds, station } = await pluggedStation('TEST-1');
    const orderId = await testPort(connectorIds[0], 1);
    const idTag = tokenOf(station);
    expect(await station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Accepted' } });
    const from = floor.context.now();
    const { transactionId, idTagInfo } = await begin(station, idTag, from);
    expect(idTagInfo.status).toBe('Accepted');
    const { begun_at: begunAt } = await orderOf(orderId);
    if (begunAt === null) throw new Error('it has not begun');
    expect(await stopDueAt(orderId)).toBe(begunAt + minuteMs);

    await read(station, transactionId, instant(from + 20_000), 1_150, 42_000);
    await read(station, transactionId, instant(from + 40_000), 1_500, 31_000);
    await vi.waitFor(async () => {
      expect(await runOf(orderId)).toMatchObject({
        stage: 'charging',
        energyWh: 500,
        powerW: 31_000,
        peakPowerW: 42_000,
      });
    });

    floor.clock.now = instant(begunAt + minuteMs - 1);
    await stopOverdueTestRun(context(), { orderId });
    expect(station.asked.map(([action]) => action)).not.toContain('RemoteStopTransaction');
    floor.clock.now = instant(begunAt + minuteMs);
    await stopOverdueTestRun(context(), { orderId });
    expect(station.asked.at(-1)).toEqual(['RemoteStopTransaction', { transactionId }]);
    expect(await runOf(orderId)).toMatchObject({
      stage: 'stopping',
      stop: { because: 'time_limit', answer: { kind: 'accepted' } },
    });
    expect(await stopDueAt(orderId)).toBe(begunAt + minuteMs + testRunLimits.askAgainMs);

    await end(station, transactionId, instant(from + minuteMs), 1_800, { reason: 'Remote', idTag });
    expect(await runOf(orderId)).toMatchObject({
      stage: 'passed',
      energyWh: 800,
      peakPowerW: 42_000,
      stopReason: 'time_limit',
      flags: [],
    });
    expect(await orderOf(orderId)).toMatchObject({
      ...nothingPaid,
      state: 'completed',
      start_mode: 'test',
      tariff_id: null,
    });
    expect(await ordersAt(id)).toHaveLength(1);
    await stopOverdueTestRun(context(), { orderId });
    expect(station.asked.filter(([action]) => action === 'RemoteStopTransaction')).toHaveLength(1);
    await station.end();
  });

  test('the token is valid for its test run alone: not at another station, and not afterwards', async () => {
    const here = await pluggedStation('TEST-TOKEN');
    const there = await pluggedStation('TEST-ELSEWHERE');
    const orderId = await testPort(here.connectorIds[0]);
    const idTag = tokenOf(here.station);
    expect(await there.station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Invalid' } });
    const from = floor.context.now();
    const { transactionId } = await begin(here.station, idTag, from);
    await end(here.station, transactionId, instant(from + minuteMs), 1_100, { reason: 'Local' });
    expect(await runOf(orderId)).toMatchObject({ stage: 'passed', energyWh: 100, stopReason: 'local' });
    expect(await here.station.call('Authorize', { idTag })).toMatchObject({ idTagInfo: { status: 'Invalid' } });
    await here.station.end();
    await there.station.end();
  });

  test('frames of a test run that come twice or late never make a charge that costs something', async () => {
    const { id, connectorIds, station } = await pluggedStation('TEST-TWICE');
    const cardId = await floor.addCard('E000000000000001', 9_000);
    recharges += 1;
    const orderId = await testPort(connectorIds[0]);
    const idTag = tokenOf(station);
    const from = floor.context.now();
    const { transactionId } = await begin(station, idTag, from);
    expect(await begin(station, idTag, from)).toMatchObject({ transactionId });
    await end(station, transactionId, instant(from + minuteMs), 1_500, { idTag: 'E000000000000001', reason: 'Remote' });
    await end(station, transactionId, instant(from + 2 * minuteMs), 9_500, { idTag: 'E000000000000001' });
    // The same token again: the station resumes the charge that it was asked to end.
    const again = await begin(station, idTag, instant(from + 3 * minuteMs), 1_500);
    expect(again.idTagInfo.status).not.toBe('Accepted');
    await end(station, again.transactionId, instant(from + 4 * minuteMs), 3_000);
    // A stop of a charge that we never heard of.
    await end(station, 0, instant(from + 6 * minuteMs), 9_000, { idTag });
    const orders = await ordersAt(id);
    expect(orders.map(({ energy_wh: wh }) => wh)).toEqual([500, 1_500, 0]);
    for (const order of orders) expect(order).toMatchObject({ ...nothingPaid, start_mode: 'test' });
    expect(orders.map(({ state }) => state)).toEqual(['completed', 'completed', 'settling']);
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(9_000);
    expect(await runOf(orderId)).toMatchObject({ stage: 'passed', energyWh: 500, flags: ['stop_differs'] });
    await station.end();
  });

  test('a test run that was cancelled and begins all the same is not accepted and is free', async () => {
    const { id, connectorIds, station } = await pluggedStation('TEST-LATE', { tariff: false });
    const orderId = await testPort(connectorIds[0]);
    const idTag = tokenOf(station);
    expect(await stopTestRun(context(), installer, orderId)).toEqual({ ok: true, value: null });
    expect(await runOf(orderId)).toMatchObject({ stage: 'cancelled' });
    const from = floor.context.now();
    const begun = await begin(station, idTag, from);
    expect(begun.idTagInfo.status).toBe('Blocked');
    const [, late] = await ordersAt(id);
    if (late === undefined) throw new Error('the late charge has no order');
    expect(late).toMatchObject({ ...nothingPaid, start_mode: 'test', state: 'charging' });
    expect(await stopDueAt(late.id)).toBe(late.begun_at);
    await stopOverdueTestRun(context(), { orderId: late.id });
    const { transactionId } = begun;
    expect(station.asked.at(-1)).toEqual(['RemoteStopTransaction', { transactionId }]);
    expect(await runOf(late.id)).toMatchObject({ stage: 'stopping', stop: { because: 'card_deauthorized' } });
    await end(station, begun.transactionId, instant(from + minuteMs), 1_700);
    expect(await orderOf(late.id)).toMatchObject({ ...nothingPaid, state: 'completed', energy_wh: 700 });
    await station.end();
  });

  test('a second charge with the token of a running test run is not accepted and is stopped at once', async () => {
    const { id, connectorIds, station } = await pluggedStation('TEST-TWO-PORTS');
    const orderId = await testPort(connectorIds[0], 30);
    const idTag = tokenOf(station);
    const from = floor.context.now();
    const first = await begin(station, idTag, from);
    const second = await begin(station, idTag, instant(from + 1_000), 2_000, 2);
    expect([first, second].map(({ idTagInfo }) => idTagInfo.status)).toEqual(['Accepted', 'Blocked']);
    const [, other] = await ordersAt(id);
    if (other === undefined) throw new Error('the second charge has no order');
    expect(await stopDueAt(other.id)).toBe(other.begun_at);
    for (const due of [orderId, other.id]) await stopOverdueTestRun(context(), { orderId: due });
    expect(station.asked.filter(([action]) => action === 'RemoteStopTransaction')).toEqual([
      ['RemoteStopTransaction', { transactionId: second.transactionId }],
    ]);
    await station.end();
  });

  test('a test run whose stop was reported before its start begins as a free charge that is stopped at once', async () => {
    const { id, connectorIds, station } = await pluggedStation('TEST-STOP-FIRST');
    const orderId = await testPort(connectorIds[0]);
    const idTag = tokenOf(station);
    expect(await stopTestRun(context(), installer, orderId)).toEqual({ ok: true, value: null });
    const from = floor.context.now();
    await end(station, -1, from, 2_000, { idTag });
    const begun = await begin(station, idTag, instant(from + 1_000), 2_000);
    expect(begun.idTagInfo.status).toBe('Blocked');
    const orders = await ordersAt(id);
    expect(orders.map(({ state }) => state)).toEqual(['cancelled', 'settling', 'charging']);
    const late = orders[2];
    if (late === undefined) throw new Error('the late charge has no order');
    expect(late).toMatchObject({ ...nothingPaid, start_mode: 'test' });
    expect(await runOf(late.id)).toMatchObject({ minutes: 5, userName: 'installer' });
    await end(station, begun.transactionId, instant(from + minuteMs), 2_300);
    expect(await orderOf(late.id)).toMatchObject({ ...nothingPaid, state: 'completed', energy_wh: 300 });
    await station.end();
  });

  test('a person ends a test run early, and a station that stays silent is asked again until it stops', async () => {
    const { connectorIds, station } = await pluggedStation('TEST-HAND');
    const orderId = await testPort(connectorIds[0], 30);
    const from = floor.context.now();
    const { transactionId } = await begin(station, tokenOf(station), from);
    expect(await stopTestRun(context(), installer, orderId)).toEqual({ ok: true, value: null });
    const stops = () => station.asked.filter(([action]) => action === 'RemoteStopTransaction').length;
    expect(stops()).toBe(1);
    expect(await runOf(orderId)).toMatchObject({ stage: 'stopping', stop: { because: 'remote' } });
    await stopOverdueTestRun(context(), { orderId });
    expect(stops()).toBe(2);
    await end(station, transactionId, instant(from + minuteMs), 1_000, { reason: 'Remote' });
    expect(await runOf(orderId)).toMatchObject({ stage: 'no_energy', stopReason: 'remote', energyWh: 0 });
    expect(await stopTestRun(context(), installer, orderId)).toEqual({
      ok: false,
      error: { code: 'order.already_ended' },
    });
    await station.end();
  });

  test('a test run whose station is away when its minutes are over is stopped when it is back', async () => {
    const { connectorIds, station } = await pluggedStation('TEST-AWAY');
    const orderId = await testPort(connectorIds[0], 1);
    const from = floor.context.now();
    const { transactionId } = await begin(station, tokenOf(station), from);
    await station.end();
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(`select online from stations where number = 'TEST-AWAY'`);
      expect(rows).toEqual([{ online: false }]);
    });
    floor.clock.now = instant(floor.context.now() + 2 * minuteMs);
    await stopOverdueTestRun(context(), { orderId });
    expect(await runOf(orderId)).toMatchObject({ stage: 'stopping', stop: { answer: { kind: 'offline' } } });
    expect(await stopDueAt(orderId)).toBe(floor.clock.now + testRunLimits.askAgainMs);
    const back = await connectStation(floor, 'TEST-AWAY');
    await back.call('BootNotification', boot);
    await stopOverdueTestRun(context(), { orderId });
    expect(back.asked).toEqual([['RemoteStopTransaction', { transactionId }]]);
    await end(back, transactionId, floor.clock.now, 1_900, { reason: 'Remote' });
    expect(await runOf(orderId)).toMatchObject({ stage: 'passed', energyWh: 900, stopReason: 'time_limit' });
    await back.end();
  });

  test('a test run that the station accepts and never begins is given up, and the port can be tested again', async () => {
    const { connectorIds, station } = await pluggedStation('TEST-NEVER');
    const orderId = await testPort(connectorIds[0]);
    floor.clock.now = instant(floor.context.now() + timeLimits.placedMs + 1);
    await watchOnce(context());
    expect(await runOf(orderId)).toMatchObject({ stage: 'not_begun', answer: { kind: 'accepted' }, stopReason: null });
    const again = await testPort(connectorIds[0]);
    expect(await runOf(again)).toMatchObject({ stage: 'waiting' });
    await station.end();
  });
});

describe('a test run at a station that names and prices its charges', () => {
  let asked: StationCommand[] = [];

  /** A vehicle is at its ports, and every command gets `outcome`. */
  async function namedStation(number: string, outcome: CommandOutcome | (() => CommandOutcome)): Promise<NamedStation> {
    const station = await openNamedStation(floor, number);
    asked = [];
    playHolder(floor.context.bus, number, async (command) => {
      asked.push(command);
      return typeof outcome === 'function' ? outcome() : outcome;
    });
    await database.db.updateTable('stations').set({ online: true }).where('id', '=', station.id).execute();
    await database.db
      .updateTable('connectors')
      .set({ state: 'plugged_in' })
      .where('station_id', '=', station.id)
      .execute();
    return station;
  }

  const nameAsked = () => {
    const start = asked.find(({ kind }) => kind === 'start-charge');
    return start?.kind === 'start-charge' ? (start.transaction ?? '') : '';
  };

  test('its own bill and another card in its record change nothing: the test run costs nothing, whatever its rule', async () => {
    const station = await namedStation('32010600000881', { kind: 'accepted' });
    const cardId = await floor.addCard('E000000000000002', 7_000);
    recharges += 1;
    floor.clock.now = chargeFrom;
    const orderId = await testPort(station.connectorIds[0], 30);
    expect(asked).toMatchObject([{ kind: 'start-charge', availableFen: 30_000 }]);
    const name = nameAsked();
    await station.begin(name);
    await station.read(name, instant(chargeFrom + minuteMs), 900, 54_000);
    expect(await runOf(orderId)).toMatchObject({ stage: 'charging', energyWh: 900, peakPowerW: 54_000 });
    floor.clock.now = instant(chargeFrom + hourMs);
    await stopOverdueTestRun(context(), { orderId });
    expect(asked.at(-1)).toEqual({ kind: 'stop-charge', transaction: name, connectorNumber: 1 });
    floor.clock.now = chargeTo;
    const record = {
      bill: billOf(dayEnergiesWh),
      cardNumber: 'E000000000000002',
      reason: 'remote',
      reasonCode: '0x40',
    } as const;
    await station.record(name, record);
    await station.record(name, record);
    expect(await orderOf(orderId)).toMatchObject({ ...nothingPaid, state: 'completed', energy_wh: 120_000 });
    expect(await runOf(orderId)).toMatchObject({
      stage: 'passed',
      stopReason: 'time_limit',
      stopCode: '0x40',
      flags: [],
    });
    expect(await floor.balanceOf(`card:${cardId}`)).toBe(7_000);
    expect(await floor.balanceOf(`receivable:card:${cardId}`)).toBe(0);
  });

  test('a stop that is refused in words that no database text holds is noted, and is asked for again', async () => {
    const refusal = { kind: 'station-error', code: 'GenericError', description: 'caf\0e\ud800' } as const;
    const outcomes: CommandOutcome[] = [{ kind: 'accepted' }, refusal];
    const station = await namedStation('32010600000884', () => outcomes.shift() ?? refusal);
    floor.clock.now = chargeFrom;
    const orderId = await testPort(station.connectorIds[0]);
    await station.begin(nameAsked());
    expect(await stopTestRun(context(), installer, orderId)).toEqual({ ok: true, value: null });
    expect(await runOf(orderId)).toMatchObject({
      stage: 'stopping',
      stop: { answer: { kind: 'station-error', words: 'GenericError: caf\u2400e\ufffd' } },
    });
    await stopOverdueTestRun(context(), { orderId });
    expect(asked.filter(({ kind }) => kind === 'stop-charge')).toHaveLength(2);
  });

  test('a record that comes after the test run was cancelled is kept at no price', async () => {
    const station = await namedStation('32010600000882', { kind: 'rejected', reason: 'not_plugged_in' });
    floor.clock.now = chargeFrom;
    const orderId = await testPort(station.connectorIds[0]);
    expect(await runOf(orderId)).toMatchObject({
      stage: 'refused',
      answer: { kind: 'rejected', reason: 'not_plugged_in', words: null },
    });
    floor.clock.now = chargeTo;
    await station.record(nameAsked(), { bill: billOf(dayEnergiesWh) });
    const [cancelled, late] = await ordersAt(station.id);
    expect(cancelled).toMatchObject({ id: orderId, state: 'cancelled' });
    expect(late).toMatchObject({ ...nothingPaid, start_mode: 'test', state: 'completed', energy_wh: 120_000 });
  });

  test('a station that reports a failed start gives the reason in its own code', async () => {
    const station = await namedStation('32010600000883', { kind: 'accepted' });
    floor.clock.now = chargeFrom;
    const orderId = await testPort(station.connectorIds[0]);
    const bill = billOf({});
    await station.record(nameAsked(), { bill, failedToStart: true, reason: 'start_failed', reasonCode: '0x4A' });
    expect(await runOf(orderId)).toMatchObject({ stage: 'not_begun', stopReason: 'start_failed', stopCode: '0x4A' });
  });
});
