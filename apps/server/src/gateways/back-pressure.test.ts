import { connect, type Socket } from 'node:net';
import { hourMs, instant } from '@voltdeck/units/instant';
import { emptyRemainder, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectStation, type Floor, openFloor, testPassword } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { type FramePaceLimits, framePaceLimits } from '../limits/frame-pace.ts';
import { addYkcStation, connectYkc, loginOf } from './test-ykc-station.ts';
import { openYkcGateway, type YkcGateway } from './ykc-socket.ts';

const waiting = { timeout: 60_000 };
const bounds = {
  station: { entries: 32, bytes: 1_000_000 },
  network: { entries: 1_000, bytes: 10_000_000 },
  all: { entries: 1_000, bytes: 10_000_000 },
};

/** A pace so high that only the journal stops anybody. */
const pace: FramePaceLimits = { ...framePaceLimits, framesPerSecond: 1_000_000, burstFrames: 1_000_000 };

let database: Database;
let floor: Floor;
let ykc: YkcGateway;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database, undefined, { journal: { bounds }, ocpp: { pace } });
  ykc = await openYkcGateway(floor.context, floor.journal, { host: '127.0.0.1', port: 0 }, { pace });
});
afterAll(async () => {
  await ykc.close();
  await floor.close();
});

/** Nothing is stored until `release`. */
async function holdWrites(): Promise<() => Promise<void>> {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('lock table interaction_logs in share mode');
  return async () => {
    await client.query('commit');
    client.release();
  };
}

/** A station that sends without waiting for answers, and counts them. */
async function floodOcpp(number: string, messages: number): Promise<{ socket: WebSocket; answered(): number }> {
  const authorization = `Basic ${Buffer.from(`${number}:${testPassword}`).toString('base64')}`;
  const socket = new WebSocket(floor.url + number, 'ocpp1.6', { headers: { authorization } });
  let answers = 0;
  socket.on('message', () => {
    answers += 1;
  });
  await new Promise((resolve) => socket.once('open', resolve));
  for (let each = 0; each < messages; each += 1) socket.send(`[2,"${each}","Heartbeat",{}]`);
  return { socket, answered: () => answers };
}

test('a flooding station is read up to its bound, nobody is cut off, and everything is answered in the end', async () => {
  await floor.addStation('FLOOD-1');
  await floor.addStation('FLOOD-2');
  const neighbour = await connectStation(floor, 'FLOOD-2');
  await neighbour.call('Heartbeat', {});
  const release = await holdWrites();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, floor.journal.backlog);
  }, 1);
  const flood = await floodOcpp('FLOOD-1', 1_500);
  await expect.poll(() => floor.journal.paused, waiting).toBe(1);
  const said = neighbour.call('Heartbeat', {});
  await release();
  expect(await said).toHaveProperty('currentTime');
  await expect.poll(() => flood.answered(), waiting).toBe(1_500);
  clearInterval(watch);
  // Beside the flood's bound: the neighbour's heartbeat and what presence writes.
  expect(peak).toBeLessThanOrEqual(bounds.station.entries + 4);
  expect(flood.socket.readyState).toBe(WebSocket.OPEN);
  await neighbour.end();
  flood.socket.terminate();
});

test('a station that is not read while the database is away does not count as silent', async () => {
  await floor.addStation('FLOOD-3');
  const release = await holdWrites();
  const flood = await floodOcpp('FLOOD-3', 1_000);
  await expect.poll(() => floor.journal.paused, waiting).toBe(1);
  // Far beyond the longest allowed silence of a station.
  const clock = vi.spyOn(floor.context, 'now').mockReturnValue(instant(Date.now() + hourMs));
  try {
    // Each sweep over the stations reads the clock.
    await expect.poll(() => clock.mock.calls.length, waiting).toBeGreaterThan(4);
    expect(flood.socket.readyState).toBe(WebSocket.OPEN);
  } finally {
    clock.mockRestore();
    await release();
  }
  await expect.poll(() => flood.answered(), waiting).toBe(1_000);
  flood.socket.terminate();
});

test('a station’s last messages before it hung up are stored, even though it was not being read', async () => {
  const { id } = await floor.addStation('FLOOD-4');
  const release = await holdWrites();
  const flood = await floodOcpp('FLOOD-4', 400);
  await expect.poll(() => floor.journal.paused, waiting).toBe(1);
  (flood.socket as unknown as { _socket: Socket })._socket.end();
  await release();
  const kept = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from interaction_logs where station_id = $1 and action = 'Heartbeat'`,
      [id],
    );
    return rows[0]?.count;
  };
  await expect.poll(kept, waiting).toBe(400);
});

test('a flooding YKC station is read up to its bound, and its neighbour is answered', async () => {
  const [loud, quiet] = ['32010600070001', '32010600070002'];
  for (const number of [loud, quiet]) await addYkcStation(database, { number, siteId: floor.siteId, tariffId: null });
  const neighbour = await connectYkc(ykc.port);
  await neighbour.logIn(quiet);
  const socket = connect({ port: ykc.port, host: '127.0.0.1' });
  const heard = countOf(socket, 'heartbeat-answer');
  await new Promise<void>((resolve) => socket.write(writeFrame(loginOf(loud), 1), () => resolve()));
  await expect.poll(() => countedLogins(socket), waiting).toBeGreaterThan(0);
  const release = await holdWrites();
  const heartbeat = (sequence: number) =>
    writeFrame({ kind: 'heartbeat', pileNo: loud, gunNo: 1, gunState: 0 }, sequence & 0xffff);
  socket.write(Buffer.concat(Array.from({ length: 3_000 }, (_, index) => heartbeat(index))));
  await expect.poll(() => floor.journal.paused, waiting).toBe(1);
  expect(floor.journal.backlog).toBeLessThanOrEqual(bounds.station.entries + 4);
  neighbour.say({ kind: 'heartbeat', pileNo: quiet, gunNo: 1, gunState: 0 });
  await release();
  await neighbour.hears('heartbeat-answer', quiet);
  await expect.poll(() => heard(), waiting).toBe(3_000);
  await neighbour.end();
  socket.destroy();
});

const logins = new WeakMap<Socket, number>();
const countedLogins = (socket: Socket): number => logins.get(socket) ?? 0;

function countOf(socket: Socket, kind: string): () => number {
  let remainder = emptyRemainder;
  let count = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    const read = readFrames(remainder, chunk);
    remainder = read.remainder;
    for (const frame of read.frames) {
      const message = readMessage(frame);
      if (message.kind === kind) count += 1;
      if (message.kind === 'login-answer') logins.set(socket, countedLogins(socket) + 1);
    }
  });
  return () => count;
}
