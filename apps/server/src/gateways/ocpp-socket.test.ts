import { refusedStartGraceMs } from '@voltdeck/ocpp16/connection';
import { dayMs, instant, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectStation, type Floor, openFloor, testPassword } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { presenceLimits } from './station-presence.ts';
import { addYkcStation } from './test-ykc-station.ts';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

test('a NUL in the name of an action or a message is logged as its symbol, and the socket stays', async () => {
  const { id } = await floor.addStation('NUL-1');
  const station = await connectStation(floor, 'NUL-1');
  await expect(station.call('Heart\0beat', {}, { id: 'with\0nul' })).rejects.toThrow('NotImplemented');
  expect(await station.call('Heartbeat', {})).toHaveProperty('currentTime');
  const logged = await database.db
    .selectFrom('interaction_logs')
    .select(['action', 'message_id'])
    .where('station_id', '=', id)
    .orderBy('id')
    .execute();
  expect(logged[0]).toEqual({ action: 'Heart\u2400beat', message_id: 'with\u2400nul' });
  await station.end();
});

test('half characters in a station’s texts do not keep its charge from being recorded', async () => {
  const { id } = await floor.addStation('HALF-1');
  const station = await connectStation(floor, 'HALF-1');
  const named = { idTag: 'CARD\ud83d', timestamp: 'noon\udc00' };
  const begun = await station.call('StartTransaction', { ...named, connectorId: 1, meterStart: 0 });
  const { transactionId } = begun;
  expect(transactionId).toBeGreaterThan(0);
  await station.call('StopTransaction', { ...named, transactionId, meterStop: 0 });
  const order = await database.db
    .selectFrom('orders')
    .select(['state', 'card_number'])
    .where('station_id', '=', id)
    .executeTakeFirst();
  expect(order).toEqual({ state: 'completed', card_number: 'CARD\ufffd' });
  await station.end();
});

test('a station that is registered with another protocol is refused, and its connection help says why', async () => {
  const { siteId } = floor;
  const id = await addYkcStation(database, { number: '32010600030001', siteId, tariffId: null });
  await expect(connectStation(floor, '32010600030001')).rejects.toThrow('404');
  const row = await database.db
    .selectFrom('stations')
    .select('refused_because')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.refused_because).toBe('wrong_protocol');
});

test('a station whose number is not ASCII signs in with its UTF-8 form', async () => {
  await floor.addStation('北门');
  const station = await connectStation(floor, '北门');
  expect(await station.call('Heartbeat', {})).toHaveProperty('currentTime');
  await station.end();
});

/** The two seconds are `reconnectWaitMs` and a sweep (packages/ocpp16). */
test('a station that reconnects without a boot is commanded without being asked for one', async () => {
  await floor.addStation('BACK-1');
  const before = await connectStation(floor, 'BACK-1');
  await before.call('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' });
  await before.end();
  const station = await connectStation(floor, 'BACK-1');
  const outcome = await floor.context.bus.commandStation('BACK-1', { kind: 'clear-cache' });
  expect(outcome).toEqual({ kind: 'accepted' });
  expect(station.asked.map(([action]) => action)).toEqual(['ClearCache']);
  await station.end();
});

test('a refused charge is asked to stop again whenever its station reconnects, until it stops', async () => {
  await floor.addStation('REFUSED-1');
  const first = await connectStation(floor, 'REFUSED-1');
  await first.call('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' });
  const begun = await first.call('StartTransaction', {
    connectorId: 1,
    idTag: 'NOBODYS',
    meterStart: 0,
    timestamp: toIso(floor.context.now()),
  });
  const { transactionId } = begun;
  expect(begun.idTagInfo).toMatchObject({ status: 'Invalid' });
  await first.end();
  const begin = floor.context.now();
  try {
    for (const time of [1, 2]) {
      const again = await connectStation(floor, 'REFUSED-1');
      await again.call('Heartbeat', {});
      floor.clock.now = instant(begin + time * refusedStartGraceMs + 1_000);
      await expect.poll(() => again.asked, { timeout: 30_000 }).toEqual([['RemoteStopTransaction', { transactionId }]]);
      await again.end();
    }
    const last = await connectStation(floor, 'REFUSED-1');
    await last.call('StopTransaction', { transactionId, meterStop: 0, timestamp: toIso(floor.context.now()) });
    await last.end();
    const stopped = await connectStation(floor, 'REFUSED-1');
    floor.clock.now = instant(begin + 4 * refusedStartGraceMs);
    // Calls go out one after the other, so a pending stop would come between these.
    const { bus } = floor.context;
    for (const _ of [1, 2]) await bus.commandStation('REFUSED-1', { kind: 'clear-cache' });
    expect(stopped.asked.map(([action]) => action)).toEqual(['ClearCache', 'ClearCache']);
    await stopped.end();
  } finally {
    floor.clock.now = null;
  }
});

test("a command that waits for the boot is sent after the boot's answer", async () => {
  await floor.addStation('BOOT-1');
  const station = await connectStation(floor, 'BOOT-1');
  const heard: number[] = [];
  station.socket.on('message', (data) => heard.push((JSON.parse(String(data)) as [number])[0]));
  const outcome = floor.context.bus.commandStation('BOOT-1', { kind: 'clear-cache' });
  await station.call('BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model' });
  expect(await outcome).toEqual({ kind: 'accepted' });
  expect(heard).toEqual([3, 2]);
  await station.end();
});

test('a station that answers no ping and sends nothing is cut off after a missed heartbeat', async () => {
  let now = Date.now();
  const quiet = await openFloor(database, undefined, { ocpp: { uptimeMs: () => now } });
  quiet.clock.now = instant(now);
  await floor.addStation('MUTE-1');
  const begin = now;
  const socket = new WebSocket(`${quiet.url}MUTE-1`, 'ocpp1.6', {
    autoPong: false,
    headers: { authorization: `Basic ${Buffer.from(`MUTE-1:${testPassword}`).toString('base64')}` },
  });
  let pings = 0;
  let closed = false;
  socket.on('ping', () => {
    pings += 1;
  });
  socket.on('close', () => {
    closed = true;
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const passed = (seconds: number) => {
    now = begin + seconds * 1_000;
    quiet.clock.now = instant(now);
  };
  try {
    for (let minute = 1; minute <= 3; minute += 1) {
      passed(65 * minute);
      await expect.poll(() => pings, { timeout: 30_000 }).toBe(minute);
    }
    expect(closed).toBe(false);
    passed(400);
    await expect.poll(() => closed, { timeout: 30_000 }).toBe(true);
  } finally {
    socket.terminate();
    await quiet.close();
  }
});

test("a station stays connected when the server's clock is set, forward or back", async () => {
  await floor.addStation('STEP-1');
  const station = await connectStation(floor, 'STEP-1');
  const begin = floor.context.now();
  const { sweepEveryMs } = presenceLimits;
  try {
    for (const stepMs of [dayMs, -dayMs]) {
      floor.clock.now = instant(begin + stepMs);
      await new Promise((resolve) => setTimeout(resolve, 3 * sweepEveryMs));
      const { currentTime } = await station.call('Heartbeat', {});
      expect(currentTime).toBe(toIso(floor.clock.now));
    }
  } finally {
    floor.clock.now = null;
    await station.end();
  }
});
