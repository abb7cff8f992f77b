import { createReadStream } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumFlags, isSandboxed } from '@voltdeck/browser-tests/chromium-flags';
import { buildConsole } from '@voltdeck/front-door/console-build.mjs';
import { findChromium } from '@voltdeck/front-door/machine-packages.mjs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { openSession } from './open-session.ts';
import { startProduct } from './product.ts';
import { seedSites } from './seed-sites.ts';
import { median, percentile, spread } from './spread.ts';

const siteCount = 20_000;
/** Each in a new browser profile, so that nothing is cached. */
const loads = 9;
const ratioMax = 1.5;
const frameMaxMs = 50;
const waitLimitMs = 60_000;
const restMs = 2_000;
const dragSteps = 24;
const directions = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-1, -1],
  [1, 1],
] as const;

type Side = { name: string; paintedMs: number[]; framesMs: number[] };

/**
 * The home map with 20,000 sites against a bare page of Leaflet and supercluster with the same answer of the same
 * server: from the address to the first painted mark, and frames while it is dragged.
 * @returns a line for each bound that is missed.
 */
export async function benchSiteMap(): Promise<string[]> {
  const built = buildConsole();
  if (!built.ok) throw new Error(built.output);
  const product = await startProduct(async () => undefined);
  // After the start, which takes every station for offline.
  await seedSites(product.database, siteCount);
  const bare = await serveBareMap(product.port);
  try {
    const token = await openSession(product.database);
    const { port } = bare.address() as AddressInfo;
    return await compare(token, `http://127.0.0.1:${product.port}/home`, `http://127.0.0.1:${port}/`);
  } finally {
    bare.close();
    await product.stop();
  }
}

async function compare(token: string, homeUrl: string, bareUrl: string): Promise<string[]> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('this machine has no Chromium or Chrome');
  const browser = await chromium.launch({ executablePath, chromiumSandbox: isSandboxed, args: [...chromiumFlags] });
  const home: Side = { name: 'the home map', paintedMs: [], framesMs: [] };
  const bare: Side = { name: 'bare Leaflet', paintedMs: [], framesMs: [] };
  try {
    // The first round warms the server and the disk, and does not count.
    for (let load = -1; load < loads; load += 1) {
      for (const [side, url] of [
        [bare, bareUrl],
        [home, homeUrl],
      ] as const) {
        const seen = await visit(browser, url, token);
        if (load < 0) continue;
        side.paintedMs.push(seen.paintedMs);
        side.framesMs.push(...seen.framesMs);
      }
    }
  } finally {
    await browser.close();
  }
  return report(home, bare);
}

async function visit(browser: Browser, url: string, token: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' });
  try {
    context.setDefaultTimeout(waitLimitMs);
    await context.addCookies([{ name: 'zhny_token', value: token, url }]);
    await context.addInitScript({ path: fileURLToPath(new URL('./frames-in-page.js', import.meta.url)) });
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('html[data-painted-ms]').waitFor({ state: 'attached' });
    const paintedMs = await page.evaluate<number>('frames.painted()');
    return { paintedMs, framesMs: await drag(page) };
  } finally {
    await context.close();
  }
}

async function drag(page: Page): Promise<number[]> {
  // What still loads after the first mark is no part of a drag.
  await page.waitForTimeout(restMs);
  const frames: number[] = [];
  for (const [dx, dy] of directions) {
    // As after a pause of the network: the console fetches the answer again while the hand moves.
    await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))");
    frames.push(...(await page.evaluate<number[]>(`frames.drag(${dx}, ${dy}, ${dragSteps})`)));
  }
  return frames;
}

/** The bare page with its libraries; calls of the API go to the product. */
async function serveBareMap(productPort: number): Promise<Server> {
  const leaflet = dirname(fileURLToPath(import.meta.resolve('leaflet')));
  const supercluster = dirname(fileURLToPath(import.meta.resolve('supercluster')));
  const files: Readonly<Record<string, { file: string; type: string }>> = {
    '/': { file: fileURLToPath(new URL('./bare-map.html', import.meta.url)), type: 'text/html' },
    '/bare-map.js': { file: fileURLToPath(new URL('./bare-map.js', import.meta.url)), type: 'text/javascript' },
    '/leaflet.js': { file: join(leaflet, 'leaflet.js'), type: 'text/javascript' },
    '/leaflet.css': { file: join(leaflet, 'leaflet.css'), type: 'text/css' },
    '/supercluster.js': {
      file: join(supercluster, 'dist', 'supercluster.min.js'),
      type: 'text/javascript',
    },
  };
  const server = createServer((asked, answer) => {
    const found = files[asked.url ?? ''];
    if (found !== undefined) {
      answer.setHeader('content-type', `${found.type}; charset=utf-8`);
      createReadStream(found.file).pipe(answer);
      return;
    }
    const options = { port: productPort, host: '127.0.0.1', path: asked.url, headers: asked.headers };
    request(options, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    })
      .on('error', () => answer.destroy())
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function report(home: Side, bare: Side): string[] {
  console.log(`map of ${siteCount} sites, ${loads} loads of each page in turns; median (least to most)`);
  for (const { name, paintedMs, framesMs } of [bare, home]) {
    console.log(`  ${name}`);
    console.log(`    address to first mark, ms   ${spread(paintedMs, 0)}`);
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(framesMs, share).toFixed(1));
    const long = framesMs.filter((ms) => ms > frameMaxMs).length;
    console.log(
      `    frames of a drag, ms        p50 ${p50}, p99 ${p99}, longest ${most}; ${long} of ${framesMs.length} above ${frameMaxMs}`,
    );
  }
  const ratio = median(home.paintedMs) / median(bare.paintedMs);
  const longest = Math.max(...home.framesMs);
  console.log(`  first mark over the bare page  ${ratio.toFixed(2)}`);
  const misses: string[] = [];
  if (ratio > ratioMax)
    misses.push(`site-map: first mark after ${ratio.toFixed(2)} of the bare page, bound ${ratioMax}`);
  if (longest > frameMaxMs) misses.push(`site-map: a frame of ${longest.toFixed(0)} ms, bound ${frameMaxMs} ms`);
  return misses;
}
