import { connect, type Socket } from 'node:net';
import { inboxPauseAt } from '@voltdeck/connection/inbox';
import type { StationId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { writeFrame } from '@voltdeck/ykc/frame';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Floor, openFloor } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { tariffVersionOf } from '../stations/tariffs/station-tariff.ts';
import { admissionLimits } from './admission.ts';
import { addYkcStation, connectYkc, idleOf, loginOf, recordOf, type TestYkcStation } from './test-ykc-station.ts';
import { openYkcGateway, type YkcGateway, ykcLimits } from './ykc-socket.ts';

/** Another address on this machine. */
const elsewhere = '127.0.0.2';
const patience = { timeout: 30_000 };

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let database: Database;
let floor: Floor;
let gateway: YkcGateway;
const open: TestYkcStation[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
  gateway = await openYkcGateway(floor.context, floor.journal, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((station) => station.end()));
  await expect.poll(() => gateway.sockets(), patience).toBe(0);
});
afterAll(async () => {
  await gateway?.close();
  await floor.close();
});

let made = 0;
const register = async (): Promise<{ number: string; id: StationId }> => {
  made += 1;
  const number = `3201060001${String(made).padStart(4, '0')}`;
  return { number, id: await addYkcStation(database, { number, siteId: floor.siteId, tariffId: floor.tariffId }) };
};
const dial = async (localAddress?: string, port = gateway.port) => {
  const station = await connectYkc(port, localAddress);
  open.push(station);
  return station;
};
const rowOf = (id: StationId) =>
  database.db.selectFrom('stations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const stateOf = async (id: StationId, port = 1) =>
  (
    await database.db
      .selectFrom('connectors')
      .select('state')
      .where('station_id', '=', id)
      .where('number', '=', port)
      .executeTakeFirstOrThrow()
  ).state;

describe('a station that speaks YKC', () => {
  test('a YKC station signs in, is answered, and is online with what it reported about itself', async () => {
    const { number, id } = await register();
    const station = await dial();
    expect(await station.logIn(number)).toMatchObject({ pileNo: number, result: 0 });
    await expect
      .poll(() => rowOf(id), patience)
      .toMatchObject({
        online: true,
        model: 'DC',
        firmware_version: 'V4.1.50',
        protocol_version: '1.6',
        reported_connectors: 2,
        remote_address: '127.0.0.1',
      });
    station.say({ kind: 'heartbeat', pileNo: number, gunNo: 2, gunState: 0 }, 0x1234);
    expect(await station.hears('heartbeat-answer')).toMatchObject({ pileNo: number, gunNo: 2 });
    station.say(idleOf(number));
    await expect.poll(() => stateOf(id), patience).toBe('free');
    await station.end();
    await expect.poll(() => rowOf(id), patience).toMatchObject({ online: false });
    expect(await stateOf(id)).toBe('offline');
  });

  test('a YKC station gets the tariff it lacks and confirms it the next time', async () => {
    const { number, id } = await register();
    const station = await dial();
    await station.logIn(number);
    station.say({ kind: 'billing-model-verify', pileNo: number, modelNo: '0000' });
    expect(await station.hears('billing-model-verify-answer')).toMatchObject({ modelNo: '0000', result: 1 });
    station.say({ kind: 'billing-model-request', pileNo: number });
    const modelNo = tariffVersionOf(floor.tariffId);
    expect(await station.hears('billing-model-answer')).toMatchObject({ modelNo });
    expect(await rowOf(id)).toMatchObject({ running_tariff_id: floor.tariffId, running_tariff_version: modelNo });
    station.say({ kind: 'billing-model-verify', pileNo: number, modelNo });
    expect(await station.hears('billing-model-verify-answer')).toMatchObject({ modelNo, result: 0 });
  });

  test('a YKC station charges by card, and its reports on vehicle, cable and ground lock are stored', async () => {
    const { number, id } = await register();
    const cardNumber = '00000000ABCD1234';
    await floor.addCard(cardNumber, 20_000);
    const station = await dial();
    await station.logIn(number);
    station.say(idleOf(number));
    await expect.poll(() => stateOf(id), patience).toBe('free');
    station.say({
      kind: 'charge-application',
      pileNo: number,
      gunNo: 1,
      startMode: 1,
      needPassword: 0,
      account: cardNumber,
      password: '0'.repeat(32),
      vin: '',
    });
    const decided = await station.hears('charge-application-answer');
    expect(decided).toMatchObject({ authOk: 1, balance: 20_000 });
    const { tradeNo } = decided;
    const charging = {
      ...idleOf(number),
      tradeNo,
      state: 3,
      plugged: 1,
      voltage: 7_500,
      current: 1_000,
      cableTemp: 83,
    };
    station.say({ ...charging, energy: 10_000, lossEnergy: 10_000 });
    station.say({
      kind: 'bms-demand',
      tradeNo,
      pileNo: number,
      gunNo: 1,
      demandV: 7_600,
      demandA: 5_000,
      mode: 2,
      measV: 7_500,
      measA: 5_000,
      cellMax: 0,
      soc: 42,
      remainMin: 30,
      outV: 7_500,
      outA: 5_000,
      chargedMin: 1,
    });
    station.say({
      kind: 'ground-lock-report',
      pileNo: number,
      gunNo: 1,
      lockState: 255,
      spaceState: 255,
      battery: 77,
      alarm: 0,
    });
    const readings = () =>
      database.db
        .selectFrom('readings')
        .innerJoin('orders', 'orders.id', 'readings.order_id')
        .select(['readings.energy_wh', 'readings.cable_temperature_c'])
        .where('orders.station_id', '=', id)
        .execute();
    await expect.poll(readings, patience).toEqual([{ energy_wh: 1_000, cable_temperature_c: 33 }]);
    const notes = () =>
      database.db
        .selectFrom('charge_notes')
        .innerJoin('orders', 'orders.id', 'charge_notes.order_id')
        .select(['charge_notes.kind', 'charge_notes.connector_number', 'charge_notes.detail', 'orders.state'])
        .where('charge_notes.station_id', '=', id)
        .execute();
    await expect
      .poll(notes, patience)
      .toMatchObject([{ kind: 'demand', connector_number: 1, detail: { socPercent: 42 }, state: 'charging' }]);
    const lock = () =>
      database.db
        .selectFrom('connectors')
        .select(['ground_lock', 'parking_bay', 'ground_lock_battery'])
        .where('station_id', '=', id)
        .where('number', '=', 1)
        .execute();
    await expect
      .poll(lock, patience)
      .toEqual([{ ground_lock: 'lowered', parking_bay: 'occupied', ground_lock_battery: 77 }]);
  });

  test('a YKC station carries out commands', async () => {
    const { number } = await register();
    const station = await dial();
    await station.logIn(number);
    const asked = floor.context.bus.commandStation(number, { kind: 'reset', mode: 'hard' });
    expect(await station.hears('reboot')).toMatchObject({ pileNo: number });
    station.say({ kind: 'reboot-reply', pileNo: number, result: 1 });
    expect(await asked).toEqual({ kind: 'accepted' });
  });

  test('a YKC station is heard from the first byte on, however its bytes are split, and with garbage between', async () => {
    const { number, id } = await register();
    const station = await dial();
    const said = Buffer.concat([
      writeFrame(loginOf(number), 0),
      Buffer.from([0x68, 0x68, 0x00, 0xff]),
      writeFrame(idleOf(number, 1), 1),
      writeFrame(idleOf(number, 2), 2),
    ]);
    for (const byte of said) {
      station.socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect(await station.hears('login-answer')).toMatchObject({ result: 0 });
    await expect.poll(() => stateOf(id, 2), patience).toBe('free');
    expect(await stateOf(id, 1)).toBe('free');
  });

  test('a YKC station may send more records at once than we process at once, and each is confirmed', async () => {
    const { number, id } = await register();
    const station = await dial();
    await station.logIn(number);
    const records = inboxPauseAt + 8;
    const endTime = instant(Date.now() - 60 * minuteMs);
    const tradeNos = Array.from(
      { length: records },
      (_, index) => `${number}01260102030405${String(index).padStart(4, '0')}`,
    );
    station.socket.write(
      Buffer.concat(tradeNos.map((tradeNo, index) => writeFrame(recordOf(number, tradeNo, endTime), index))),
    );
    const confirmed = () =>
      new Set(station.heard.flatMap((m) => (m.kind === 'transaction-record-confirm' ? [m.tradeNo] : []))).size;
    await expect.poll(confirmed, { timeout: 60_000 }).toBe(records);
    const { orders } = await database.db
      .selectFrom('orders')
      .select(({ fn }) => fn.countAll<number>().as('orders'))
      .where('station_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(orders).toBe(records);
  });

  test('an unregistered YKC station is refused, cut off and listed', async () => {
    const station = await dial();
    expect(await station.logIn('99999999999999')).toMatchObject({ pileNo: '99999999999999', result: 1 });
    await station.closed;
    const listed = () =>
      database.db
        .selectFrom('unknown_stations')
        .select(['number', 'protocol', 'remote_address'])
        .where('number', '=', '99999999999999')
        .execute();
    await expect.poll(listed).toEqual([{ number: '99999999999999', protocol: 'ykc', remote_address: '127.0.0.1' }]);
  });

  test('a YKC station registered with another protocol is refused, and its connection help says why', async () => {
    const number = '32010600020001';
    const { id } = await floor.addStation(number);
    const station = await dial();
    expect(await station.logIn(number)).toMatchObject({ result: 1 });
    await station.closed;
    expect(await rowOf(id)).toMatchObject({ online: false, refused_because: 'wrong_protocol' });
  });

  test('a YKC station is not heard before its login', async () => {
    const { number, id } = await register();
    const station = await dial();
    station.say(idleOf(number));
    station.say({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 });
    await station.logIn(number);
    expect(station.heard.map(({ kind }) => kind)).not.toContain('heartbeat-answer');
    expect(await stateOf(id)).toBe('offline');
  });

  test('a YKC station on a new socket replaces its old one and stays online', async () => {
    const { number, id } = await register();
    const before = await dial();
    await before.logIn(number);
    const now = await dial();
    await now.logIn(number);
    await before.closed;
    now.say({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 });
    await now.hears('heartbeat-answer');
    await floor.journal.drained();
    expect(await rowOf(id)).toMatchObject({ online: true });
    expect(gateway.connected()).toBe(1);
  });
});

describe('a concentrator', () => {
  test('a concentrator carries several independent stations', async () => {
    const stations = [await register(), await register(), await register()];
    const line = await dial();
    for (const { number } of stations) line.say(loginOf(number));
    for (const { number } of stations) expect(await line.hears('login-answer', number)).toMatchObject({ result: 0 });
    for (const { number } of stations) line.say(idleOf(number));
    for (const { id } of stations) await expect.poll(() => stateOf(id), patience).toBe('free');
    expect(gateway.connected()).toBe(3);
    await line.end();
    for (const { id } of stations) await expect.poll(() => rowOf(id), patience).toMatchObject({ online: false });
  });

  test('a concentrator keeps its line when one of its stations is unknown or moves to another line', async () => {
    const [stays, moves] = [await register(), await register()];
    const line = await dial();
    await line.logIn(stays.number);
    await line.logIn(moves.number);
    expect(await line.logIn('99999999999998')).toMatchObject({ result: 1 });
    const own = await dial();
    await own.logIn(moves.number);
    line.say({ kind: 'heartbeat', pileNo: stays.number, gunNo: 1, gunState: 0 });
    await line.hears('heartbeat-answer', stays.number);
    line.say({ kind: 'heartbeat', pileNo: moves.number, gunNo: 1, gunState: 0 });
    own.say({ kind: 'heartbeat', pileNo: moves.number, gunNo: 1, gunState: 0 });
    await own.hears('heartbeat-answer', moves.number);
    line.say({ kind: 'heartbeat', pileNo: stays.number, gunNo: 2, gunState: 0 });
    expect(await line.hears('heartbeat-answer', stays.number)).toMatchObject({ gunNo: 2 });
    expect(line.heard.filter((m) => m.kind === 'heartbeat-answer' && m.pileNo === moves.number)).toEqual([]);
    await floor.journal.drained();
    expect(await rowOf(moves.id)).toMatchObject({ online: true });
  });

  test('a concentrator carries a limited number of stations', async () => {
    const narrow = await openYkcGateway(
      floor.context,
      floor.journal,
      { host: '127.0.0.1', port: 0 },
      { limits: { ...ykcLimits, stationsPerSocket: 1 } },
    );
    const [first, second] = [await register(), await register()];
    const line = await dial(undefined, narrow.port);
    expect(await line.logIn(first.number)).toMatchObject({ result: 0 });
    expect(await line.logIn(second.number)).toMatchObject({ result: 1 });
    line.say({ kind: 'heartbeat', pileNo: first.number, gunNo: 1, gunState: 0 });
    await line.hears('heartbeat-answer', first.number);
    await line.end();
    await narrow.close();
  });
});

/** Answers to a neighbour's heartbeats during an attack. */
async function expectWell(neighbour: TestYkcStation, number: string): Promise<void> {
  neighbour.say({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 });
  await neighbour.hears('heartbeat-answer', number);
}

describe('a stranger', () => {
  test('a stranger with 2,000 silent sockets keeps only some of them, and neighbours notice nothing', async () => {
    const { number } = await register();
    const neighbour = await dial();
    await neighbour.logIn(number);
    const silent: Socket[] = [];
    for (let index = 0; index < 2_000; index += 1) {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress: elsewhere });
      socket.on('error', () => {});
      silent.push(socket);
      if (index % 100 === 99) await expectWell(neighbour, number);
    }
    const most = ykcLimits.silentSocketsPerNetwork + 1;
    await expect.poll(() => silent.filter((socket) => !socket.closed).length, patience).toBeLessThan(most);
    expect(gateway.sockets()).toBeLessThanOrEqual(most);
    await expectWell(neighbour, number);
    const late = await register();
    const welcome = await dial(elsewhere);
    expect(await welcome.logIn(late.number)).toMatchObject({ result: 0 });
    for (const socket of silent) socket.destroy();
  });

  test('a stranger who never signs in is cut off after a while, whether it sends byte by byte or nothing', async () => {
    const hasty = await openYkcGateway(
      floor.context,
      floor.journal,
      { host: '127.0.0.1', port: 0 },
      { limits: { ...ykcLimits, loginWaitMs: 500 } },
    );
    const silent = await dial(elsewhere, hasty.port);
    const slow = await dial(elsewhere, hasty.port);
    const drops = setInterval(() => slow.socket.write(Buffer.of(0x68)), 20);
    await Promise.all([silent.closed, slow.closed]);
    clearInterval(drops);
    const { number } = await register();
    const welcome = await dial(undefined, hasty.port);
    await welcome.logIn(number);
    await expectWell(welcome, number);
    await welcome.end();
    await hasty.close();
  });

  test.each([
    ['of start bytes', () => Buffer.alloc(64 * 1_024, 0x68)],
    ['of zeros', () => Buffer.alloc(64 * 1_024)],
    ['of lengths that never end', () => Buffer.from(Array.from({ length: 32 * 1_024 }, () => [0x68, 0xff]).flat())],
    ['of good frames of other stations', () => Buffer.concat(Array.from({ length: 200 }, () => stray()))],
  ])('a stranger with a flood %s is cut off', async (_, flood) => {
    const { number } = await register();
    const neighbour = await dial();
    await neighbour.logIn(number);
    const stranger = await dial(elsewhere);
    stranger.socket.write(flood());
    await stranger.closed;
    await expectWell(neighbour, number);
  });

  test('a stranger who opens more sockets than a network may is refused the rest, and other networks are not', async () => {
    const small = await openYkcGateway(
      floor.context,
      floor.journal,
      { host: '127.0.0.1', port: 0 },
      { limits: { ...ykcLimits, silentSocketsMax: 5 }, admission: { ...admissionLimits, socketsPerNetwork: 3 } },
    );
    const theirs = [];
    for (let index = 0; index < 3; index += 1) theirs.push(await dial(elsewhere, small.port));
    await expect.poll(() => small.sockets(), patience).toBe(3);
    const fourth = await dial(elsewhere, small.port);
    await fourth.closed;
    const { number } = await register();
    const welcome = await dial(undefined, small.port);
    await welcome.logIn(number);
    // The oldest silent socket of all makes room, whoever's it is; one with a station never does.
    for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5']) await dial(address, small.port);
    await theirs[0]?.closed;
    await expectWell(welcome, number);
    await small.close();
  });

  test('a stranger who floods a station’s socket before the login is decided is cut off', async () => {
    const { number } = await register();
    const stranger = await dial(elsewhere);
    const flood = Array.from({ length: ykcLimits.framesAwaitingLogin + 1 }, () => writeFrame(idleOf(number), 1));
    stranger.socket.write(Buffer.concat([writeFrame(loginOf(number), 0), ...flood]));
    await stranger.closed;
    const again = await dial();
    await again.logIn(number);
    await expectWell(again, number);
  });

  test('a stranger who has signed in cannot speak for another station', async () => {
    const [mine, theirs] = [await register(), await register()];
    const own = await dial();
    await own.logIn(theirs.number);
    own.say(idleOf(theirs.number));
    await expect.poll(() => stateOf(theirs.id), patience).toBe('free');
    const stranger = await dial(elsewhere);
    await stranger.logIn(mine.number);
    stranger.say({ ...idleOf(theirs.number), state: 1 });
    stranger.say({ kind: 'heartbeat', pileNo: theirs.number, gunNo: 1, gunState: 0 });
    await expectWell(stranger, mine.number);
    await floor.journal.drained();
    expect(await stateOf(theirs.id)).toBe('free');
    expect(stranger.heard.filter((m) => m.kind === 'heartbeat-answer')).toHaveLength(1);
  });

  test('a stranger who tries many numbers is listed for some of them only, and others sign in meanwhile', async () => {
    const strict = await openYkcGateway(
      floor.context,
      floor.journal,
      { host: '127.0.0.1', port: 0 },
      { admission: { ...admissionLimits, failuresPerMinute: 5, suspectsWaiting: 50 } },
    );
    const tries = Array.from({ length: 60 }, (_, index) => `880000000000${String(index).padStart(2, '0')}`);
    await Promise.all(
      tries.map(async (number) => {
        const stranger = await dial(elsewhere, strict.port);
        stranger.say(loginOf(number));
        await stranger.closed;
      }),
    );
    const { number } = await register();
    const welcome = await dial(undefined, strict.port);
    expect(await welcome.logIn(number)).toMatchObject({ result: 0 });
    await welcome.end();
    await strict.close();
    const listed = await database.db
      .selectFrom('unknown_stations')
      .select('number')
      .where('number', 'like', '88%')
      .execute();
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.length).toBeLessThanOrEqual(5);
  });
});

function stray(): Uint8Array {
  return writeFrame(idleOf('12345678901234'), 1);
}

test('a closing server closes every socket', async () => {
  const brief = await openYkcGateway(floor.context, floor.journal, { host: '127.0.0.1', port: 0 });
  const { number, id } = await register();
  const station = await dial(undefined, brief.port);
  await station.logIn(number);
  const silent = await dial(undefined, brief.port);
  await brief.close();
  await Promise.all([station.closed, silent.closed]);
  await floor.journal.drained();
  expect(await rowOf(id)).toMatchObject({ online: false });
});
