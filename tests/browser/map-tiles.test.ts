import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

/** One dot, a PNG. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A map service: its tiles, and what was asked of it. */
let service: Server;
let isOut = false;
const asked: { path: string; referer: string | undefined }[] = [];
let product: HostedProduct;
let token: string;
let siteId: number;

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push({ path: request.url ?? '', referer: request.headers.referer });
    if (isOut) response.writeHead(403).end();
    else
      response.writeHead(200, { 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' }).end(dot);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const database = await freshDatabase();
  product = await hostedProduct(database.url, {
    MAP_PROVIDER: 'amap',
    MAP_KEY: 'k-4711',
    MAP_TILES: `http://127.0.0.1:${port}/{z}/{x}/{y}.png?key={key}`,
  });
  token = await newToken(product.url);
  const api = await product.signIn();
  siteId = await api.createSite('Lakeside');
});
beforeEach(() => {
  isOut = false;
  asked.length = 0;
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
  service.closeAllConnections();
  service.close();
});

async function open(path: string): Promise<BrowserPage> {
  const opened = await consolePage(product, { language: 'en', token });
  await opened.page.goto(product.url + path);
  return opened;
}

test('the home map draws the tiles of the configured service, with its attribution and the key', async () => {
  const { page, troubles, close } = await open('/home');
  await page.locator('.leaflet-tile-loaded').first().waitFor();
  await page.getByText('© AMap').waitFor();
  expect(asked[0]?.path).toMatch(/^\/\d+\/\d+\/\d+\.png\?key=k-4711$/);
  // Services bind a key to the console's address.
  expect(asked[0]?.referer).toBe(`${product.url}/`);
  expect(troubles).toEqual([]);
  await close();
});

test('where a site is placed, the mark is shifted on GCJ-02 tiles and the position stays WGS-84', async () => {
  const { page, close } = await open(`/plotDetail?id=${siteId}`);
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const drawer = page.getByRole('dialog').last();
  await drawer.locator('.position-mark').waitFor();
  await drawer.locator('.leaflet-tile-loaded').first().waitFor();
  const longitude = drawer.getByLabel('Longitude', { exact: true });
  const before = Number(await longitude.inputValue());
  // A click on the mark's own place gives its position back, within a pixel at this zoom.
  const mark = drawer.locator('.position-mark');
  await mark.scrollIntoViewIfNeeded();
  const box = (await mark.boundingBox()) ?? { x: 0, y: 0 };
  const map = (await drawer.locator('.site-map-view').boundingBox()) ?? { x: 0, y: 0 };
  const tip = { x: box.x + 14 - map.x, y: box.y + 34 - map.y };
  await drawer.locator('.site-map-view').click({ position: { x: tip.x + 100, y: tip.y } });
  await expect.poll(async () => Number(await longitude.inputValue())).toBeGreaterThan(before);
  await drawer.locator('.site-map-view').click({ position: tip });
  await expect.poll(async () => Number(await longitude.inputValue())).toBeCloseTo(before, 4);
  await close();
});

test.each(['/home', 'the form of a site'])(
  'when the tiles do not come, the built-in map is shown and says so: %s',
  async (where) => {
    isOut = true;
    const { page, close } = await open(where === '/home' ? where : `/plotDetail?id=${siteId}`);
    if (where !== '/home') await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByText('The map service does not answer; the built-in map is shown').waitFor();
    await page.locator('.site-map-land').waitFor({ state: 'attached' });
    expect(await page.locator('.leaflet-tile-loaded').count()).toBe(0);
    await close();
  },
);
