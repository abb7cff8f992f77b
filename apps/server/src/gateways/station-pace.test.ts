import { connect } from 'node:net';
import { secondMs } from '@voltdeck/units/instant';
import { emptyRemainder, readFrames, readMessage, writeFrame } from '@voltdeck/ykc/frame';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectStation, type Floor, openFloor, testPassword } from '../charging/test-charging-floor.ts';
import type { Database } from '../database/database.ts';
import { freshDatabase } from '../database/test-database.ts';
import { type FramePaceLimits, framePaceLimits } from '../limits/frame-pace.ts';
import { addYkcStation, loginOf } from './test-ykc-station.ts';
import { openYkcGateway, type YkcGateway } from './ykc-socket.ts';

const waiting = { timeout: 60_000 };
const pace: FramePaceLimits = { ...framePaceLimits, framesPerSecond: 250, burstFrames: 100 };
const frames = 600;

let database: Database;
let floor: Floor;
let ykc: YkcGateway;
beforeAll(async () => {
  database = await freshDatabase();
  floor = await openFloor(database, undefined, { ocpp: { pace } });
  ykc = await openYkcGateway(floor.context, floor.journal, { host: '127.0.0.1', port: 0 }, { pace });
});
afterAll(async () => {
  await ykc.close();
  await floor.close();
});

/** The earliest time for the answers at the sustained pace; a pile's login is a frame, too. */
function early(answeredAtMs: readonly number[], beganAtMs: number): number[] {
  const allowed = (atMs: number) => pace.burstFrames + 2 + (pace.framesPerSecond * (atMs - beganAtMs)) / secondMs;
  return answeredAtMs.filter((atMs, index) => index + 1 > allowed(atMs));
}

test('a flooding OCPP station is read at its pace, loses nothing, and does not delay its neighbour', async () => {
  await floor.addStation('PACE-1');
  await floor.addStation('PACE-2');
  const neighbour = await connectStation(floor, 'PACE-2');
  const authorization = `Basic ${Buffer.from(`PACE-1:${testPassword}`).toString('base64')}`;
  const socket = new WebSocket(`${floor.url}PACE-1`, 'ocpp1.6', { headers: { authorization } });
  const answeredAtMs: number[] = [];
  socket.on('message', () => answeredAtMs.push(performance.now()));
  await new Promise((resolve) => socket.once('open', resolve));
  const beganAtMs = performance.now();
  for (let each = 0; each < frames; each += 1) socket.send(`[2,"${each}","Heartbeat",{}]`);
  await expect.poll(() => answeredAtMs.length, waiting).toBeGreaterThan(0);
  expect(await neighbour.call('Heartbeat', {})).toHaveProperty('currentTime');
  expect(answeredAtMs.length).toBeLessThan(frames);
  await expect.poll(() => answeredAtMs.length, waiting).toBe(frames);
  expect(early(answeredAtMs, beganAtMs)).toEqual([]);
  await neighbour.end();
  socket.terminate();
});

test('a flooding YKC pile is read at its pace and loses nothing', async () => {
  const number = '32010600070003';
  await addYkcStation(database, { number, siteId: floor.siteId, tariffId: null });
  const socket = connect({ port: ykc.port, host: '127.0.0.1' });
  const answeredAtMs: number[] = [];
  let remainder = emptyRemainder;
  socket.on('data', (chunk: Buffer) => {
    const read = readFrames(remainder, chunk);
    remainder = read.remainder;
    for (const frame of read.frames) {
      if (readMessage(frame).kind === 'heartbeat-answer') answeredAtMs.push(performance.now());
    }
  });
  const beganAtMs = performance.now();
  socket.write(writeFrame(loginOf(number), 1));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.write(
    Buffer.concat(
      Array.from({ length: frames }, (_, index) =>
        writeFrame({ kind: 'heartbeat', pileNo: number, gunNo: 1, gunState: 0 }, index),
      ),
    ),
  );
  await expect.poll(() => answeredAtMs.length, waiting).toBe(frames);
  expect(early(answeredAtMs, beganAtMs)).toEqual([]);
  socket.destroy();
});
