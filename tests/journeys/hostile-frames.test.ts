import { once } from 'node:events';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Api } from './api.ts';
import { type Dice, dice, seedOfRun } from './dice.ts';
import { startFirmware } from './firmware.ts';
import { mutatedFrame } from './mutate-frame.ts';
import { type Product, startProduct } from './product.ts';
import { calculated, dayTariff, handBill, morning, twoHourCharge } from './two-hour-charge.ts';
import { until } from './until.ts';

const framesSum = 100_000;
const hostileStations = 8;
/** Frames between two calls that wait for an answer: as many as a station may leave unanswered. */
const burst = 25;
/** Detects a leak of a hundred bytes per frame. */
const heapGrowthMaxBytes = 8 * 1024 * 1024;
/** A process does not return its reserve memory to the system at once. */
const residentGrowthMaxBytes = 100 * 1024 * 1024;
/** Tolerance for the test's own requests; a real leak happens at least once per hostile station. */
const handsFull = hostileStations / 2;
const seed = seedOfRun('hostile frames');

let product: Product;
let api: Api;
let siteId: number;
let tariffId: number;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await startProduct(url);
  api = await product.signIn();
  tariffId = await api.createTariff(dayTariff);
  siteId = await api.createSite('Lakeside');
});
afterAll(() => product.stop());

/** The process's metrics. */
async function vitalSigns() {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  const read = (pattern: RegExp): number => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) throw new Error(`no metric ${pattern}`);
    return found.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    heapBytes: read(/^nodejs_heap_size_used_bytes (\S+)$/gm),
    cpuS: read(/^process_cpu_seconds_total (\S+)$/gm),
    residentBytes: read(/^process_resident_memory_bytes (\S+)$/gm),
    /** Files and sockets without those of the database pool, which may grow. */
    openFiles:
      read(/^process_open_fds (\S+)$/gm) -
      read(/^voltdeck_database_connections\{lane="\w+",state="(?:busy|idle)"\} (\S+)$/gm),
    /** Without one timer per pooled connection. */
    timers:
      read(/^nodejs_active_resources\{type="Timeout"\} (\S+)$/gm) -
      read(/^voltdeck_database_connections\{lane="\w+",state="idle"\} (\S+)$/gm),
  };
}

test('100,000 broken frames crash nothing, leak nothing, close no socket and cost no neighbour a message', async () => {
  const { pid } = product;
  const neighbours = await Promise.all(
    [0, 1, 2, 3].map(async (index) => {
      const card = `C${String(index).padStart(15, '0')}`;
      await api.createCard(card, 20_000 * 13);
      const number = `NEIGHBOUR-${index}`;
      const { password } = await api.createStation({ number, siteId, tariffId });
      const resendsWith = 'same-id';
      const firmware = startFirmware({ ocppUrl: product.ocppUrl, number, password, resendsWith });
      await firmware.connected();
      return { card, firmware };
    }),
  );
  const passwords: string[] = [];
  for (let index = 0; index < hostileStations; index += 1) {
    passwords.push((await api.createStation({ number: `HOSTILE-${index}`, siteId, tariffId })).password);
  }
  const attack = async (frames: number, round: number) => {
    const share = frames / hostileStations;
    const attacks = passwords.map((password, index) =>
      attackBy(`HOSTILE-${index}`, password, share, dice(seed + index + round * 1_000)),
    );
    return (await Promise.all(attacks)).reduce((sum, answers) => sum + answers, 0);
  };

  // What a process allocates once, for its first thousands of frames, is not a leak.
  await attack(framesSum / 5, 1);
  const before = await settledSigns();
  let isOver = false;
  const charges = neighbours.map(async ({ card, firmware }) => {
    let told = 0;
    for (let day = 20; day > 7 && !isOver; day -= 1) {
      for (const message of twoHourCharge(card, morning(day))) await firmware.tell(message);
      told += 1;
    }
    return told;
  });
  const startedAt = performance.now();
  const answers = await attack((framesSum * 4) / 5, 2);
  const tookS = (performance.now() - startedAt) / 1_000;
  isOver = true;
  const told = await Promise.all(charges);

  expect(product.pid).toBe(pid);
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  expect(answers).toBeGreaterThan(framesSum / 4);
  expect(product.errors).toEqual([]);
  for (const [index, { card, firmware }] of neighbours.entries()) {
    expect(firmware.connections).toBe(1);
    expect(firmware.sent).toBe(firmware.told.length);
    const orders = await api.ordersOf({ cardNumber: card });
    expect(orders).toHaveLength(told[index] ?? 0);
    for (const { id } of orders) {
      const order = await api.order(id);
      expect(order).toMatchObject({ state: 'completed', amountFen: handBill.amountFen, abnormal: false });
      expect(order.lines.map(calculated)).toEqual(handBill.lines);
      expect(await api.readingsOf(id)).toHaveLength(9);
    }
  }
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });

  const after = await settledSigns();
  const grownMb = (after.heapBytes - before.heapBytes) / 1024 / 1024;
  console.log(
    `${(framesSum * 4) / 5} frames in ${tookS.toFixed(1)} s (${(after.cpuS - before.cpuS).toFixed(1)} s of the server's processor), ${answers} answers, ${told.reduce((a, b) => a + b)} charges beside; ` +
      `heap ${grownMb.toFixed(1)} MB more, ${((after.residentBytes - before.residentBytes) / 1024 / 1024).toFixed(0)} MB more resident, ` +
      `${after.openFiles - before.openFiles} files more, ${after.timers - before.timers} timers more`,
  );
  // Memory in short use is soon returned; a leak is not.
  const isGivenBack = async () => {
    await product.collectGarbage();
    const { openFiles, timers, heapBytes, residentBytes } = await vitalSigns();
    expect(openFiles).toBeLessThanOrEqual(before.openFiles + handsFull);
    expect(timers).toBeLessThanOrEqual(before.timers + handsFull);
    expect(heapBytes).toBeLessThan(before.heapBytes + heapGrowthMaxBytes);
    expect(residentBytes).toBeLessThan(before.residentBytes + residentGrowthMaxBytes);
    return true;
  };
  await until('files, timers and memory are given back', isGivenBack, 60_000);
  await Promise.all(neighbours.map(({ firmware }) => firmware.stop()));
}, 600_000);

/** The metrics once the hostile sockets are closed and garbage is collected. */
async function settledSigns() {
  await until('the hostile sockets are gone', async () => {
    const { items } = await api.get<{ items: { number: string }[] }>('/stations?number=HOSTILE&online=true');
    return items.length === 0;
  });
  await product.collectGarbage();
  return vitalSigns();
}

/** Sends broken frames over one connection that must survive, and returns the number of answers. */
async function attackBy(number: string, password: string, frames: number, chance: Dice): Promise<number> {
  const headers = { authorization: `Basic ${Buffer.from(`${number}:${password}`).toString('base64')}` };
  const socket = new WebSocket(`${product.ocppUrl}/${number}`, 'ocpp1.6', { headers });
  await once(socket, 'open');
  let answers = 0;
  let closedBy: string | null = null;
  let heard = Promise.withResolvers<void>();
  let awaited = '';
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as [number, string];
    if (frame[0] !== 2) answers += 1;
    if (frame[0] === 3 && frame[1] === awaited) heard.resolve();
  });
  socket.on('close', (code, reason) => {
    closedBy = `${code} ${reason}`;
    heard.resolve();
  });
  const sentLately: string[] = [];
  for (let sent = 0; sent < frames && closedBy === null; sent += burst) {
    sentLately.length = 0;
    for (let index = 0; index < burst; index += 1) {
      const text = mutatedFrame(chance, `${number}-${sent + index}`);
      sentLately.push(text);
      socket.send(chance.next() < 0.02 ? Buffer.from(text) : text);
    }
    heard = Promise.withResolvers();
    awaited = `${number}-h-${sent}`;
    socket.send(JSON.stringify([2, awaited, 'Heartbeat', {}]));
    await heard.promise;
  }
  if (closedBy !== null) {
    throw new Error(
      `${number} was cut off (${closedBy}) after one of:\n${sentLately.map((t) => t.slice(0, 300)).join('\n')}`,
    );
  }
  socket.close();
  await until('the socket is closed', () => closedBy !== null);
  return answers;
}
