import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { addPerson } from './people.ts';

let network: ChargingNetwork;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.end());

const figures = (page: Page) => page.getByRole('region', { name: 'Today at a glance' });
const siteRow = (page: Page) =>
  page.getByRole('region', { name: 'Sites', exact: true }).getByRole('button', { name: /Shenzhen Bay Innovation/ });

test('every figure of the home page links to a list with as many rows', async () => {
  const token = await newToken(network.product.url);
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  await page.goto(`${network.product.url}/home`);
  const links = figures(page).getByRole('link');
  await links.first().waitFor();
  const told = await links.evaluateAll((all) =>
    all.map((link) => {
      const own = /\d[\d,]*$/.exec(link.textContent ?? '')?.[0];
      const figure = own ?? link.parentElement?.nextElementSibling?.textContent ?? '';
      return { name: link.textContent ?? '', figure: figure.trim(), address: (link as HTMLAnchorElement).href };
    }),
  );
  expect(told.map(({ name }) => name)).toEqual(expect.arrayContaining(['Orders today', 'Charging now', 'Gun ports']));
  for (const { name, figure, address } of told) {
    await page.goto(address);
    // A day that is minutes old has no orders yet, and their list says so instead of counting.
    if (figure === '0') {
      await page.getByText('No records match').waitFor();
      continue;
    }
    await page
      .getByText(/^Total \d/)
      .first()
      .waitFor();
    await settled({ page });
    const total = await page
      .getByText(/^Total \d/)
      .first()
      .textContent();
    expect(`${name}: ${total}`).toBe(`${name}: Total ${figure}`);
  }
  expect(troubles).toEqual([]);
  await close();
});

test('on a laptop every figure of the home page is shown whole', async () => {
  const token = await newToken(network.product.url);
  const { page, close } = await consolePage(network.product, { language: 'en', token, width: 1440, height: 900 });
  await page.goto(`${network.product.url}/home`);
  await figures(page)
    .getByRole('link', { name: /Waits for a person/ })
    .waitFor();
  expect(await figures(page).evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBe(0);
  await close();
});

test('a site card shows the current price and directions, and links to exactly the ports that it counts', async () => {
  const token = await newToken(network.product.url);
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  await page.goto(`${network.product.url}/home`);
  await siteRow(page).click();
  const card = page.getByRole('region', { name: /Shenzhen Bay Innovation/ });
  await card.getByText(/^¥\d\.\d+\/kWh \((Valley|Peak|Regular|Sharp), until \d\d:\d\d\)/).waitFor();
  const way = await card.getByRole('link', { name: 'Directions' }).getAttribute('href');
  expect(way).toContain('uri.amap.com');
  expect(await siteRow(page).getAttribute('aria-pressed')).toBe('true');
  await card.getByRole('link', { name: 'Offline 4' }).click();
  await page.waitForURL(/\/portList\?/);
  await page.getByText('Total 4').first().waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('a site card offers directions by the configured services, in their order, and none where none is', async () => {
  const token = await newToken(network.product.url);
  const configure = (value: string) =>
    network.database.db.updateTable('configs').set({ value }).where('key', '=', 'navigation_apps').execute();
  const ways = async () => {
    const { page, close } = await consolePage(network.product, { language: 'en', token });
    await page.goto(`${network.product.url}/home`);
    await siteRow(page).click();
    const links = page.getByRole('navigation', { name: /^Pages of Shenzhen Bay/ });
    await links.waitFor();
    await settled({ page });
    const hosts = await links
      .locator('a[target="_blank"]')
      .evaluateAll((all) => all.map((link) => [link.textContent, new URL((link as HTMLAnchorElement).href).host]));
    await close();
    return hosts;
  };
  await configure('tencent, baidu');
  expect(await ways()).toEqual([
    ['Directions by Tencent Maps', 'apis.map.qq.com'],
    ['Directions by Baidu Maps', 'api.map.baidu.com'],
  ]);
  await configure('none');
  expect(await ways()).toEqual([]);
  await configure('amap');
  expect(await ways()).toEqual([['Directions', 'uri.amap.com']]);
});

test('a user with access to the home page only sees figures without links', async () => {
  const guest = await addPerson({ api: network.api, database: network.database, url: network.product.url }, 'guest', [
    'home',
  ]);
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token: guest.token });
  await page.goto(`${network.product.url}/home`);
  await figures(page).getByText('Charging now').waitFor();
  expect(await figures(page).getByRole('link').count()).toBe(0);
  await siteRow(page).click();
  const card = page.getByRole('region', { name: /Shenzhen Bay Innovation/ });
  await expect.poll(() => card.getByRole('link').allTextContents()).toEqual(['Directions']);
  expect(troubles).toEqual([]);
  await close();
});
