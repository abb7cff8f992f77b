import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { instant } from '@voltdeck/units/instant';
import { type Frame, writeFrame } from '@voltdeck/ykc/frame';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkOf } from '../limits/remote-networks.ts';
import { idleOf } from './test-ykc-station.ts';
import { type FrameTaker, TrunkSocket } from './trunk-socket.ts';

const patience = { timeout: 30_000 };
const limits = { garbageBytesMax: 1_000, unsentBytesMax: 256 * 1_024 };

let server: Server;
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** Both ends of a connection: the remote one and ours. */
async function connected(): Promise<{ far: Socket; socket: TrunkSocket }> {
  const accepted = once(server, 'connection');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  far.on('error', () => {});
  const [tcp] = (await accepted) as [Socket];
  tcp.on('error', () => {});
  const network = { key: '', sockets: 1, silent: new Set<TrunkSocket>(), failures: 0 };
  return { far, socket: new TrunkSocket(tcp, { network, now: instant(0), ...limits }) };
}

describe('a socket that stations share', () => {
  test('a shared socket holds what was already read while a station asks for a pause, and keeps the order', async () => {
    const { far, socket } = await connected();
    const taken: number[] = [];
    const taker: FrameTaker = {
      take(_, frame: Frame) {
        taken.push(frame.sequence);
        if (taken.length % 100 === 0) socket.pause('a');
      },
      onGarbage: () => expect.unreachable(),
    };
    socket.tcp.on('data', (chunk: Buffer) => socket.receive(chunk, taker));
    const frames = Array.from({ length: 1_000 }, (_, index) => writeFrame(idleOf('32010600010001'), index));
    far.write(Buffer.concat(frames));
    for (let pauses = 1; pauses <= 10; pauses += 1) {
      await expect.poll(() => taken.length, patience).toBe(pauses * 100);
      socket.resume('a');
    }
    expect(taken).toEqual(frames.map((_, index) => index));
    far.destroy();
  });

  test('a shared socket is read again only when no station asks for a pause', async () => {
    const { far, socket } = await connected();
    const taken: Frame[] = [];
    const taker: FrameTaker = { take: (_, frame) => void taken.push(frame), onGarbage: () => {} };
    socket.tcp.on('data', (chunk: Buffer) => socket.receive(chunk, taker));
    socket.pause('a');
    socket.pause('b');
    far.write(writeFrame(idleOf('32010600010001'), 1));
    socket.resume('a');
    await new Promise(setImmediate);
    expect([socket.tcp.isPaused(), taken.length]).toEqual([true, 0]);
    socket.resume('b');
    await expect.poll(() => taken.length, patience).toBe(1);
    far.destroy();
  });

  test('a shared socket tolerates garbage that good frames make up for, and no more', async () => {
    const { far, socket } = await connected();
    let floods = 0;
    let good = 0;
    const taker: FrameTaker = {
      take(_, frame) {
        good += 1;
        socket.noteGood(frame.bytes.length);
      },
      onGarbage() {
        floods += 1;
      },
    };
    const chatty = Buffer.concat([Buffer.alloc(50), writeFrame(idleOf('32010600010001'), 1)]);
    for (let index = 0; index < 200; index += 1) socket.receive(chatty, taker);
    expect([good, floods]).toEqual([200, 0]);
    socket.receive(Buffer.alloc(900), taker);
    expect(floods).toBe(0);
    socket.receive(Buffer.alloc(200), taker);
    expect(floods).toBe(1);
    far.destroy();
  });

  test('a shared socket cuts off a peer that does not read', async () => {
    const { far, socket } = await connected();
    far.pause();
    let most = 0;
    for (let sent = 0; sent < 2_000 && !socket.tcp.destroyed; sent += 1) {
      socket.send(Buffer.alloc(32 * 1_024));
      most = Math.max(most, socket.tcp.writableLength);
      await new Promise(setImmediate);
    }
    expect(socket.tcp.destroyed).toBe(true);
    expect(most).toBeLessThanOrEqual(limits.unsentBytesMax + 32 * 1_024);
    far.destroy();
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
