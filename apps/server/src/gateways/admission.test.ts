import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectStation, type Floor, openFloor, testPassword } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { framePaceLimits } from '../limits/frame-pace.ts';
import { Admission, admissionLimits } from './admission.ts';
import { attachOcppGateway, type OcppGateway, type OcppOptions, ocppLimits } from './ocpp-socket.ts';
import { createRefusedStations } from './refused-stations.ts';
import { basicOf, knock } from './test-knock.ts';

const waiting = { timeout: 30_000 };
const elsewhere = '127.0.0.9';

let database: Database;
let floor: Floor;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database);
});
afterAll(() => floor.close());

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function open(options: OcppOptions): Promise<{ url: string; port: number; gateway: OcppGateway }> {
  const server = createServer();
  const gateway = attachOcppGateway(server, floor.context, floor.journal, options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(async () => {
    await gateway.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/ocpp/`, port, gateway };
}

async function refusalOf(number: string): Promise<string | null> {
  const row = await database.db
    .selectFrom('stations')
    .select('refused_because')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return row.refused_because;
}

describe('strangers at the OCPP port', () => {
  test('strangers wait for each other once there are too many, and no station waits with them', async () => {
    const { url } = await open({ admission: { ...admissionLimits, failuresPerMinute: 5, suspectRestMs: 300 } });
    for (const number of ['DOOR-KNOWN', 'DOOR-NEIGHBOUR']) await floor.addStation(number);
    const known = await knock(`${url}DOOR-KNOWN`, { localAddress: elsewhere });
    expect(known.status).toBe(101);
    for (let each = 0; each < 5; each += 1) {
      expect((await knock(`${url}STRANGER-${each}`, { localAddress: elsewhere })).status).toBe(404);
    }
    let answered = 0;
    const strangers = Array.from({ length: 10 }, async (_, each) => {
      const answer = await knock(`${url}STRANGER-${100 + each}`, { localAddress: elsewhere });
      answered += 1;
      return answer;
    });
    const neighbour = knock(`${url}DOOR-NEIGHBOUR`);
    const again = knock(`${url}DOOR-KNOWN`, { localAddress: elsewhere });
    expect((await neighbour).status).toBe(101);
    expect((await again).status).toBe(101);
    expect(answered).toBeLessThan(strangers.length);
    const statuses = (await Promise.all(strangers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const { rowCount } = await database.pool.query(`select 1 from unknown_stations where number like 'STRANGER-%'`);
    expect(rowCount).toBeLessThanOrEqual(5);
  });

  test('strangers that all arrived before the first was recognised form one queue', async () => {
    const admission = new Admission<object>({ ...admissionLimits, failuresPerMinute: 5, suspectsWaiting: 10 });
    closings.push(async () => admission.close());
    const network = admission.networkOf(elsewhere);
    let looked = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, each) =>
        admission.lookUp(network, `STRANGER-${each}`, async () => {
          looked += 1;
          await new Promise((resolve) => setImmediate(resolve));
          admission.noteFailure(network);
          return 'unknown';
        }),
      ),
    );
    const crowded = outcomes.filter((outcome) => outcome === 'crowded').length;
    expect(looked).toBeLessThanOrEqual(5 + admissionLimits.lookUpsAtOnce + 11);
    expect(crowded).toBe(200 - looked);
  });

  test('strangers beyond the queue are turned away a few at a time, and a known station is admitted meanwhile', async () => {
    const turnedAwayTickMs = 100;
    const { url } = await open({
      admission: {
        ...admissionLimits,
        failuresPerMinute: 1,
        suspectsWaiting: 2,
        turnedAwayPerTick: 1,
        turnedAwayTickMs,
      },
    });
    await floor.addStation('DOOR-OLD');
    expect((await knock(`${url}DOOR-OLD`, { localAddress: elsewhere })).status).toBe(101);
    expect((await knock(`${url}STRANGER-200`, { localAddress: elsewhere })).status).toBe(404);
    const holding = await database.pool.connect();
    await holding.query('begin');
    await holding.query('lock table stations in access exclusive mode');
    const turnedAwayAtMs: number[] = [];
    const beganAtMs = performance.now();
    const strangers = Array.from({ length: 11 }, async (_, each) => {
      const { status } = await knock(`${url}STRANGER-${300 + each}`, { localAddress: elsewhere });
      if (status === 503) turnedAwayAtMs.push(performance.now() - beganAtMs);
    });
    // One is being looked up and two wait.
    await expect.poll(() => turnedAwayAtMs.length, waiting).toBe(8);
    expect(turnedAwayAtMs.at(-1)).toBeGreaterThan(5 * turnedAwayTickMs);
    await holding.query('commit');
    holding.release();
    expect((await knock(`${url}DOOR-OLD`, { localAddress: elsewhere })).status).toBe(101);
    await Promise.all(strangers);
  });

  test('strangers get no more sockets than a network may have', async () => {
    const { url } = await open({ admission: { ...admissionLimits, socketsPerNetwork: 2 } });
    for (const number of ['CROWD-1', 'CROWD-2', 'CROWD-3']) await floor.addStation(number);
    const [first, second] = [await knock(`${url}CROWD-1`), await knock(`${url}CROWD-2`)];
    expect([first.status, second.status]).toEqual([101, 101]);
    expect((await knock(`${url}CROWD-3`)).status).toBe(503);
    expect((await knock(`${url}CROWD-3`, { localAddress: elsewhere })).status).toBe(101);
    first.socket.terminate();
    await expect.poll(async () => (await knock(`${url}CROWD-3`)).status, waiting).toBe(101);
  });

  test('strangers that never read the refusal are cut off soon', async () => {
    const { port } = await open({ limits: { ...ocppLimits, refusedWaitMs: 100 } });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    socket.resume();
    socket.write(
      'GET /ocpp/NOBODY HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()));
    await ended;
    // Our half stays open, so the server has to give up. A write then fails.
    const poke = setInterval(() => socket.write('x'), 20);
    await closed;
    clearInterval(poke);
  });
});

describe('wrong passwords', () => {
  test('wrong passwords of one network end in 429 for the number, even with the right one, and other networks may go on', async () => {
    const { url } = await open({ admission: { ...admissionLimits, wrongPasswordsPerMinute: 3 } });
    await floor.addStation('GUESSED-1');
    await floor.addStation('GUESSED-2');
    const wrong = { authorization: basicOf('GUESSED-1', 'not-the-password'), localAddress: elsewhere };
    for (let each = 0; each < 3; each += 1) expect((await knock(`${url}GUESSED-1`, wrong)).status).toBe(401);
    const barred = await knock(`${url}GUESSED-1`, { localAddress: elsewhere });
    expect([barred.status, barred.headers['retry-after']]).toEqual([429, '60']);
    expect(await refusalOf('GUESSED-1')).toBe('too_many_attempts');
    expect((await knock(`${url}GUESSED-2`, { localAddress: elsewhere })).status).toBe(101);
    expect((await knock(`${url}GUESSED-1`)).status).toBe(101);
  });
});

describe('a station that comes back', () => {
  test('a station that comes back does not delay others while its old connection ends', async () => {
    const atOnce = 6;
    const { url } = await open({ admission: { ...admissionLimits, lookUpsAtOnce: atOnce, arrivalsAtOnce: atOnce } });
    const numbers = Array.from({ length: atOnce }, (_, index) => `BACK-${index}`);
    for (const number of [...numbers, 'BACK-NEW']) await floor.addStation(number);
    const before = await Promise.all(numbers.map((number) => knock(`${url}${number}`)));
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('lock table interaction_logs in share mode');
    // Sent and not stored: each connection takes its whole time to end.
    for (const { socket } of before) socket.send('[2,"1","Heartbeat",{}]');
    await expect.poll(() => floor.journal.backlog, waiting).toBeGreaterThanOrEqual(numbers.length);
    const arrived: string[] = [];
    const come = (number: string) => knock(`${url}${number}`).then(() => arrived.push(number));
    const back = numbers.map(come);
    await expect.poll(() => before.every(({ socket }) => socket.readyState === WebSocket.CLOSED), waiting).toBe(true);
    await come('BACK-NEW');
    expect(arrived).toEqual(['BACK-NEW']);
    await client.query('commit');
    client.release();
    await Promise.all(back);
  });
});

describe('a connected station', () => {
  test('a station that sends but does not read is cut off before its answers fill the memory', {
    timeout: 400_000,
  }, async () => {
    const pace = { ...framePaceLimits, framesPerSecond: 1_000_000, burstFrames: 1_000_000 };
    const { url } = await open({ limits: { ...ocppLimits, unsentBytesMax: 64 * 1024 }, pace });
    await floor.addStation('DEAF-1');
    const { socket } = await knock(`${url}DEAF-1`);
    const tcp = (socket as unknown as { _socket: { pause(): void; bytesWritten: number } })._socket;
    tcp.pause();
    let isCut = false;
    const row = async () =>
      database.db.selectFrom('stations').select('online').where('number', '=', 'DEAF-1').executeTakeFirstOrThrow();
    await expect.poll(async () => (await row()).online, waiting).toBe(true);
    const id = 'x'.repeat(250);
    // What the kernel keeps for a peer that does not read differs by machine and load: up to 36 MiB on Linux.
    const untilMs = Date.now() + 300_000;
    while (!isCut && Date.now() < untilMs) {
      if (socket.bufferedAmount < 1024 * 1024) {
        for (let each = 0; each < 200; each += 1) socket.send(`[2,"${id}","Nonsense",{}]`);
      }
      await new Promise((resolve) => setImmediate(resolve));
      isCut = !(await row()).online;
    }
    expect(isCut).toBe(true);
    socket.terminate();
  });
});

describe('the path of a station', () => {
  test.each(['/ocpp/PATH-1/', '/ocpp//PATH-1', '/OCPP/PATH-1', '/Ocpp/PATH-1//', '/ocpp/PATH-1?x=1'])(
    'the address %s leads to the station',
    async (path) => {
      const known = await database.db
        .selectFrom('stations')
        .select('id')
        .where('number', '=', 'PATH-1')
        .executeTakeFirst();
      if (known === undefined) await floor.addStation('PATH-1');
      const { status, socket } = await knock(floor.url.replace('/ocpp/', path), {
        authorization: basicOf('PATH-1', testPassword),
      });
      expect(status).toBe(101);
      socket.terminate();
    },
  );

  test.each(['/ocpp', '/ocpp/', '/ocpp/a/b', '/ocppx/PATH-1', '/ocpp/%FF'])(
    'the address %s leads nowhere',
    async (path) => {
      const { status } = await knock(floor.url.replace('/ocpp/', path), { authorization: null });
      expect(status).toBe(404);
    },
  );

  test('an unknown station’s address with an extra slash is listed under the number without it', async () => {
    expect((await knock(`${floor.url}NEW-CHARGER/`)).status).toBe(404);
    const row = () =>
      database.db
        .selectFrom('unknown_stations')
        .select('protocol')
        .where('number', '=', 'NEW-CHARGER')
        .executeTakeFirst();
    await expect.poll(row, waiting).toEqual({ protocol: 'ocpp1.6' });
  });
});

describe('the list of unknown stations', () => {
  test('the list of unknown stations keeps the latest, of each network no more than its share', async () => {
    await database.db.deleteFrom('unknown_stations').execute();
    const refused = createRefusedStations(floor.context, { all: 6, perNetwork: 3 });
    const note = (number: string, network: string) =>
      refused.noteUnknown({ number, protocol: 'ykc', remoteAddress: network, network });
    const listed = async () => {
      const rows = await database.db.selectFrom('unknown_stations').select('number').orderBy('id').execute();
      return rows.map(({ number }) => number);
    };
    for (const number of ['real-1', 'real-2']) note(number, 'site');
    for (let each = 1; each <= 8; each += 1) note(`invented-${each}`, 'flood');
    await expect.poll(listed, waiting).toEqual(['real-1', 'real-2', 'invented-6', 'invented-7', 'invented-8']);
    note('new-1', 'another');
    note('new-2', 'another');
    await expect.poll(listed, waiting).toEqual(['real-2', 'invented-6', 'invented-7', 'invented-8', 'new-1', 'new-2']);
    await refused.close();
  });

  test('the list of unknown stations omits one registered meanwhile, and is written when the server closes', async () => {
    await database.db.deleteFrom('unknown_stations').execute();
    const refused = createRefusedStations(floor.context);
    const note = (number: string) =>
      refused.noteUnknown({ number, protocol: 'ocpp1.6', remoteAddress: elsewhere, network: elsewhere });
    await floor.addStation('ADOPTED-1');
    for (const number of ['WAITING-1', 'ADOPTED-1', 'WAITING-2']) note(number);
    await refused.close();
    const rows = await database.db.selectFrom('unknown_stations').select('number').orderBy('id').execute();
    expect(rows.map(({ number }) => number)).toEqual(['WAITING-1', 'WAITING-2']);
  });
});

test('a station connected twice at once is held by the later socket', async () => {
  await floor.addStation('TWICE-1');
  const [one, other] = await Promise.all([knock(`${floor.url}TWICE-1`), knock(`${floor.url}TWICE-1`)]);
  await expect
    .poll(() => [one, other].filter(({ socket }) => socket.readyState === WebSocket.OPEN).length, waiting)
    .toBe(1);
  const left = [one, other].find(({ socket }) => socket.readyState === WebSocket.OPEN);
  left?.socket.terminate();
  const online = async () =>
    (await database.db.selectFrom('stations').select('online').where('number', '=', 'TWICE-1').executeTakeFirst())
      ?.online;
  await expect.poll(online, waiting).toBe(false);
  const station = await connectStation(floor, 'TWICE-1');
  expect(await station.call('Heartbeat', {})).toHaveProperty('currentTime');
  await station.end();
});
