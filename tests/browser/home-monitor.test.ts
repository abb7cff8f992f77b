import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { addPerson } from './people.ts';

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
});
afterAll(() => network.end());

const tree = (page: Page) => page.getByRole('tree', { name: 'Regions and sites' });
const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name });
const wall = (page: Page) => page.getByRole('region', { name: 'Gun ports, live' });
const group = (page: Page, name: string) => wall(page).getByRole('region', { name, exact: true });
const tiles = (page: Page) => wall(page).getByRole('listitem');

async function open(path: string, given: { token?: string; width?: number } = {}) {
  const opened = await consolePage(network.product, { language: 'en', token, ...given });
  const hears = opened.page.waitForResponse('**/api/events*');
  await opened.page.goto(network.product.url + path);
  await hears;
  return opened;
}

test('the tree opens region by region down to a site, and the wall has the ports of what is chosen', async () => {
  const { page, troubles, close } = await open('/home');
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Monitor').click();
  await page.waitForURL(/view=tree/);
  await row(page, 'Guangdong Province').waitFor();
  expect(await tree(page).getByRole('treeitem').count()).toBe(3);
  await tiles(page).first().waitFor();
  expect(await tiles(page).count()).toBe(8);
  await row(page, 'Guangdong Province').click();
  await row(page, 'Shenzhen City').click();
  await row(page, 'Nanshan District').click();
  await page.waitForURL(/region=440305/);
  const inDistrict = 4;
  await expect.poll(() => tiles(page).count()).toBe(inDistrict);
  await row(page, /Shenzhen Bay Innovation/).click();
  await page.waitForURL(/site=\d/);
  await wall(page)
    .getByRole('heading', { name: /Shenzhen Bay/ })
    .waitFor();
  await expect.poll(() => tiles(page).count()).toBe(inDistrict);

  await page.reload();
  expect(await row(page, /Shenzhen Bay Innovation/).getAttribute('aria-selected')).toBe('true');
  await wall(page)
    .getByRole('heading', { name: /Shenzhen Bay/ })
    .waitFor();
  await wall(page).getByRole('heading').getByRole('link').click();
  await page.waitForURL(/\/plotDetail\?id=\d/);
  expect(troubles).toEqual([]);
  await close();
});

test('the tree goes by keyboard: arrows move, open and close, Enter chooses', async () => {
  const { page, troubles, close } = await open('/home?view=tree');
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('[title]')?.textContent);
  await row(page, 'Guangdong Province').waitFor();
  await row(page, 'All regions').focus();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('End');
  const last = (await focused()) ?? '';
  expect(['Guangdong Province', 'Zhejiang Province']).toContain(last);
  await press('ArrowRight');
  await expect.poll(() => row(page, last).getAttribute('aria-expanded')).toBe('true');
  const city = tree(page).getByRole('treeitem', { level: 3 });
  await city.waitFor();
  await press('ArrowRight');
  expect(await city.textContent()).toContain(await focused());
  await press('Enter');
  await page.waitForURL(/region=\d{4}00/);
  await expect.poll(() => city.getAttribute('aria-selected')).toBe('true');
  await press('ArrowLeft', 'ArrowLeft');
  expect(await focused()).toBe(last);
  await press('ArrowLeft');
  await city.waitFor({ state: 'detached' });
  await press('Home');
  expect(await focused()).toBe('All regions');
  expect(troubles).toEqual([]);
  await close();
});

test('a site is found in the tree by its name, and opens its ports', async () => {
  const { page, troubles, close } = await open('/home?view=tree');
  await page.getByLabel('Search site name or address').fill('bay innov');
  const found = page.getByRole('button', { name: /Shenzhen Bay Innovation/ });
  await found.click();
  await page.waitForURL(/site=\d/);
  await expect.poll(() => found.getAttribute('aria-pressed')).toBe('true');
  await wall(page)
    .getByRole('heading', { name: /Shenzhen Bay/ })
    .waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('a tile of the wall moves to its new state when the station tells it, without a reload', async () => {
  const { page, troubles, close } = await open('/home?view=tree');
  const fault = group(page, 'Fault').getByRole('listitem');
  await fault.first().waitFor();
  const faults = await fault.count();
  await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));
  const tell = (status: string, errorCode: string) =>
    network.charging.station.call('StatusNotification', {
      connectorId: 2,
      errorCode,
      status,
      timestamp: new Date().toISOString(),
    });
  await tell('Available', 'NoError');
  await expect.poll(() => fault.count()).toBe(faults - 1);
  await tell('Faulted', 'GroundFailure');
  await expect.poll(() => fault.count()).toBe(faults);
  expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(true);
  expect(troubles).toEqual([]);
  await close();
});

test('a tile leads to the order of its charge, or to its station', async () => {
  const { page, troubles, close } = await open('/home?view=tree');
  const charging = group(page, 'Occupied')
    .getByRole('listitem')
    .filter({ has: page.locator(`a[href*="/orderListDetailReal?id=${network.orders.running.id}"]`) });
  await charging.getByText('35.00 kWh').waitFor();
  const faulty = group(page, 'Fault').getByRole('link').first();
  expect(await faulty.getAttribute('href')).toContain('/deviceDetail?id=');
  expect(troubles).toEqual([]);
  await close();
});

test('a user with access to the home page only sees the wall without links and without charges', async () => {
  const guest = await addPerson(
    { api: network.api, database: network.database, url: network.product.url },
    'wall-guest',
    ['home'],
  );
  const { page, troubles, close } = await open('/home?view=tree', { token: guest.token });
  const charging = group(page, 'Occupied');
  await charging.waitFor();
  expect(await wall(page).getByRole('link').count()).toBe(0);
  expect(await charging.textContent()).not.toContain('kWh');
  expect(troubles).toEqual([]);
  await close();
});

test('on a phone the tree stands above the wall, and nothing is wider than the screen', async () => {
  const { page, troubles, close } = await open('/home?view=tree', { width: 375 });
  await tiles(page).first().waitFor();
  await settled({ page });
  const [above, below] = [await tree(page).boundingBox(), await wall(page).boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  expect(troubles).toEqual([]);
  await close();
});
