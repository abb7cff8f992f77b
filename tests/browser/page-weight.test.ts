import { dayTariff } from '@voltdeck/journeys/two-hour-charge';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consolePage, goTo, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { menuPaths } from './screen-views.ts';

const kibibyte = 1_024;
const loginMaxKib = 70;
const listMaxKib = 350;
const nextListMaxKib = 60;
const stationNumber = 'WEIGHED-1';

let product: HostedProduct;
beforeAll(async () => {
  product = await hostedProduct((await freshDatabase()).url);
  const api = await product.signIn();
  const siteId = await api.createSite('Lakeside');
  await api.createStation({ number: stationNumber, siteId, tariffId: await api.createTariff(dayTariff) });
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

type Weighed = { path: string; bytes: number; encoding: string | null };

/** Scripts and styles loaded from now on, with the bytes of their bodies on the wire. */
function weighScriptsAndStyles(page: Page): () => Promise<Weighed[]> {
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) answers.push(response);
  });
  return () =>
    Promise.all(
      answers.map(async (response) => {
        await response.finished();
        return {
          path: new URL(response.url()).pathname,
          bytes: (await response.request().sizes()).responseBodySize,
          encoding: await response.headerValue('content-encoding'),
        };
      }),
    );
}

function kibOf(files: readonly Weighed[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0) / kibibyte;
}

describe.each(['zh-CN', 'en'] as const)(
  'scripts and styles as the server sends them, in %s and with an empty cache',
  (language) => {
    test(`the sign-in page weighs at most ${loginMaxKib} KiB of scripts and styles`, async () => {
      const opened = await consolePage(product, { language, token: null });
      const weigh = weighScriptsAndStyles(opened.page);
      await opened.page.goto(`${product.url}/login`, { waitUntil: 'networkidle' });
      await opened.page.locator('#password').waitFor();
      const files = await weigh();
      console.log(`sign-in page in ${language}: ${kibOf(files).toFixed(1)} KiB in ${files.length} files`);
      expect(files.filter(({ encoding }) => encoding !== 'br' && encoding !== 'gzip')).toEqual([]);
      // Less would mean that files were missed.
      expect(kibOf(files)).toBeGreaterThan(20);
      expect(kibOf(files)).toBeLessThanOrEqual(loginMaxKib);
      await opened.close();
    });

    test(`a first visit to the list of stations weighs at most ${listMaxKib} KiB of scripts and styles`, async () => {
      const opened = await consolePage(product, { language, token: await newToken(product.url) });
      const weigh = weighScriptsAndStyles(opened.page);
      await opened.page.goto(`${product.url}/deviceList`);
      await opened.page.getByRole('link', { name: stationNumber }).waitFor();
      await settled(opened);
      const files = await weigh();
      console.log(`list of stations in ${language}: ${kibOf(files).toFixed(1)} KiB in ${files.length} files`);
      expect(files.filter(({ encoding, bytes }) => encoding === null && bytes > kibibyte)).toEqual([]);
      expect(kibOf(files)).toBeGreaterThan(100);
      expect(kibOf(files)).toBeLessThanOrEqual(listMaxKib);
      await opened.close();
    });
  },
);

test('unvisited screens are preloaded while the browser is idle', async () => {
  const token = await newToken(product.url);
  const opened = await consolePage(product, { language: 'zh-CN', token, fetchesAhead: true });
  // As they happen: the browser's own list of resources ends with the 250th.
  const fetched: string[] = [];
  opened.page.on('requestfinished', (request) => fetched.push(new URL(request.url()).pathname));
  await opened.page.goto(`${product.url}/deviceList`);
  await opened.page.getByRole('link', { name: stationNumber }).waitFor();
  for (const screen of ['OrderHistoryPage', 'FileListPage']) {
    await expect.poll(() => fetched.some((path) => path.includes(`/assets/${screen}`))).toBe(true);
  }
  console.log(`preloaded: ${fetched.length} files`);
  await opened.close();
});

test(`a first visit to any list, with another one open, loads at most ${nextListMaxKib} KiB of new scripts`, async () => {
  const opened = await consolePage(product, { language: 'zh-CN', token: await newToken(product.url) });
  const { page } = opened;
  await page.goto(`${product.url}/deviceList`);
  await page.getByRole('link', { name: stationNumber }).waitFor();
  await settled(opened);
  // Statistics draw charts, whose engine is larger than a list.
  const others = ['/home', '/deviceList', '/statisticsList'];
  const lists = menuPaths.filter((path) => !others.includes(path));
  const weights: Record<string, number> = {};
  const shown = () => page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().textContent();
  for (const path of lists) {
    const weigh = weighScriptsAndStyles(page);
    const before = await shown();
    await goTo(page, path);
    // A list may add a default filter to its address.
    await page.waitForURL(({ pathname }) => pathname === path);
    await expect.poll(shown).not.toBe(before);
    // Hidden pages may be paused half loaded.
    const busy = page.locator('[aria-busy="true"], .ant-skeleton').filter({ visible: true });
    await expect.poll(() => busy.count()).toBe(0);
    weights[path] = Math.round(kibOf((await weigh()).filter((file) => file.path.endsWith('.js'))) * 10) / 10;
    page.removeAllListeners('response');
  }
  console.log(`new scripts of a first visit, KiB: ${JSON.stringify(weights)}`);
  expect(Object.entries(weights).filter(([, kib]) => kib > nextListMaxKib)).toEqual([]);
  // At least one list must load something that the list of stations did not.
  expect(Math.max(...Object.values(weights))).toBeGreaterThan(1);
  await opened.close();
});
