import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromiumFlags, isSandboxed } from '@voltdeck/browser-tests/chromium-flags';
import { buildConsole } from '@voltdeck/front-door/console-build.mjs';
import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import type { Database } from '@voltdeck/server/database/database';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { openSession } from './open-session.ts';
import { startProduct } from './product.ts';
import { benchPassword, cardNumber, seedStations, stationNumber } from './seed-stations.ts';
import type { SettleOrder } from './settle-load.ts';
import { watchTasks } from './task-times.ts';

const stations = 200;
/** The demo network ends so many charges in an hour (`liveLimits` of tools/world: 33 at once, a few ending every minute). */
const demoChargesPerHour = 165;
const playedHours = 8;
const timesDemo = 10;
const chargesPlayed = demoChargesPerHour * playedHours * timesDemo;
/** A slow machine plays fewer; that is a miss, and the bench ends all the same. */
const playMaxMs = 200_000;
const roundMs = 5_000;
const warmUpMs = 20_000;
const waitLimitMs = 90_000;

/** A heap that keeps nothing of what it showed differs by the caches of the engine. */
const heapGrowthMaxMib = 6;
/**
 * What the page itself may take of a frame. By the clock it also waits for the processors that server, database and
 * stations hold; that is printed beside it.
 */
const frameMaxMs = 50;

type Heap = { mib: number; nodes: number; listeners: number };
type Seen = {
  before: Heap;
  after: Heap;
  tasks: number[];
  longestMs: number;
  longTasks: number;
  charges: number;
  playedMs: number;
};

/**
 * Eight hours of ten demo networks on the big screen in some minutes: real charges by real stations against the real
 * server, the screen in Chromium. Its heap, document and listeners may not grow, no frame may be kept waiting, and at the
 * end its figures are those of the orders.
 * @returns a line for each bound that is missed.
 */
export async function benchScreen(): Promise<string[]> {
  const built = buildConsole();
  if (!built.ok) throw new Error(built.output);
  const product = await startProduct((database) => seedStations(database, stations));
  const load = fork(new URL('./settle-load.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('this machine has no Chromium or Chrome');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: isSandboxed, args: [...chromiumFlags] });
  try {
    const url = `http://127.0.0.1:${product.port}`;
    const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
    context.setDefaultTimeout(waitLimitMs);
    await context.addCookies([{ name: 'zhny_token', value: await openSession(product.database), url }]);
    await context.addInitScript({ path: fileURLToPath(new URL('./frames-of-screen.js', import.meta.url)) });
    const page = await context.newPage();
    await tell(load, {
      kind: 'connect',
      url: `ws://127.0.0.1:${product.port}/ocpp/`,
      password: benchPassword,
      stations: Array.from({ length: stations }, (_, index) => ({
        number: stationNumber(index),
        card: cardNumber(index),
      })),
    });
    await page.goto(`${url}/screen?language=en&theme=dark`);
    await page.locator('[data-liveness="live"]').first().waitFor();
    const seen = await play(page, load);
    return report(seen, await differing(page, product.database));
  } finally {
    await browser.close();
    load.kill();
    await product.stop();
  }
}

async function play(page: Page, load: ChildProcess): Promise<Seen> {
  const engine = await page.context().newCDPSession(page);
  // What is made once, such as the first charts and compiled code, is no growth.
  await tell(load, { kind: 'run', forMs: warmUpMs });
  const before = await heapOf(engine);
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  const endTasks = await watchTasks(browser);
  await page.evaluate('screenFrames.begin()');
  const beganMs = performance.now();
  let charges = 0;
  while (charges < chargesPlayed && performance.now() - beganMs < playMaxMs) {
    charges += await tell(load, { kind: 'run', forMs: roundMs });
  }
  const playedMs = performance.now() - beganMs;
  const { longestMs, count } = await page.evaluate<{ longestMs: number; count: number }>('screenFrames.seen()');
  const tasks = await endTasks();
  if (tasks.length < charges / 100) throw new Error('the tasks of the page were not seen');
  return { before, after: await heapOf(engine), tasks, longestMs, longTasks: count, charges, playedMs };
}

/** After a collection, so that only what is reachable counts. */
async function heapOf(engine: CDPSession): Promise<Heap> {
  await engine.send('HeapProfiler.enable');
  await engine.send('HeapProfiler.collectGarbage');
  await engine.send('HeapProfiler.collectGarbage');
  const { usedSize } = await engine.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await engine.send('Memory.getDOMCounters');
  return { mib: usedSize / 2 ** 20, nodes, listeners: jsEventListeners };
}

/** The total of the screen beside that of the orders, once everything has ended; empty when they are the same. */
async function differing(page: Page, { pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ receivable: number; received: number; wh: number; orders: number }>(
    `select sum(amount_fen - discount_fen)::float8 as receivable, sum(paid_fen)::float8 as received,
            sum(energy_wh)::float8 as wh, count(*)::int as orders from orders where state = 'completed'`,
  );
  const [sums] = rows;
  if (sums === undefined) throw new Error('the orders have no sums');
  const text = (value: number, decimals: number) =>
    value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const wanted = [
    text(sums.receivable / 100, 2),
    text(sums.received / 100, 2),
    text(sums.wh / 1_000, 0),
    text(sums.orders, 0),
  ];
  const cells = page.locator('section[aria-labelledby]', { hasText: 'Month and total' }).locator('tbody td:last-child');
  const until = Date.now() + waitLimitMs;
  let shown: string[] = [];
  while (Date.now() < until) {
    shown = (await cells.allTextContents()).slice(0, wanted.length);
    if (shown.join() === wanted.join()) return [];
    await page.waitForTimeout(500);
  }
  return wanted.flatMap((value, index) => (shown[index] === value ? [] : [`${shown[index]} for ${value}`]));
}

function report(
  { before, after, tasks, longestMs, longTasks, charges, playedMs }: Seen,
  wrong: readonly string[],
): string[] {
  const hours = charges / (demoChargesPerHour * timesDemo);
  const longestOwnMs = tasks.reduce((longest, ms) => Math.max(longest, ms), 0);
  const growthMib = after.mib - before.mib;
  console.log(`the big screen at 1920 × 1080, ${stations} stations`);
  console.log(
    `  played                  ${hours.toFixed(1)} hours of ${timesDemo} demo networks in ${(playedMs / 1_000).toFixed(0)} s, ${charges.toLocaleString('en')} charges`,
  );
  console.log(`  heap after collection   ${before.mib.toFixed(1)} MiB, at the end ${after.mib.toFixed(1)} MiB`);
  console.log(`  nodes of the document   ${before.nodes}, at the end ${after.nodes}`);
  console.log(`  listeners               ${before.listeners}, at the end ${after.listeners}`);
  console.log(
    `  longest frame           ${longestOwnMs.toFixed(0)} ms of a processor, ${tasks.filter((ms) => ms > frameMaxMs).length} of ${tasks.length.toLocaleString('en')} above ${frameMaxMs} ms`,
  );
  console.log(
    `  by the clock            ${longestMs.toFixed(0)} ms, ${longTasks} above 50 ms, beside all the rest on this machine`,
  );
  console.log(`  figures against SQL     ${wrong.length === 0 ? 'the same' : wrong.join('; ')}`);
  const misses: string[] = [];
  if (hours < playedHours) misses.push(`screen: ${hours.toFixed(1)} hours played, bound ${playedHours}`);
  if (growthMib > heapGrowthMaxMib)
    misses.push(`screen: the heap grew by ${growthMib.toFixed(1)} MiB, bound ${heapGrowthMaxMib} MiB`);
  if (after.listeners > before.listeners * 1.2)
    misses.push(`screen: ${after.listeners} listeners, ${before.listeners} before`);
  if (longestOwnMs > frameMaxMs)
    misses.push(`screen: a frame of ${longestOwnMs.toFixed(0)} ms, bound ${frameMaxMs} ms`);
  if (wrong.length > 0) misses.push(`screen: wrong figures: ${wrong.join('; ')}`);
  return misses;
}

async function tell(load: ChildProcess, order: SettleOrder): Promise<number> {
  const answered = once(load, 'message') as Promise<[{ settled?: number; failed?: string }]>;
  load.send(order);
  const [answer] = await answered;
  if (answer.settled === undefined) throw new Error(answer.failed);
  return answer.settled;
}
