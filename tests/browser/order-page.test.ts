import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken } from './console-page.ts';
import { addPerson } from './people.ts';
import { beginCharge } from './told-charge.ts';

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
});
afterAll(() => network.end());

const openOrder = (page: Page, id: number | string) =>
  page.goto(`${network.product.url}/orderListDetailHistory?id=${id}`);
const glance = (page: Page) => page.getByRole('region', { name: 'Order at a glance' });

test('an order with a debt offers to collect it first, and the received money repays it', async () => {
  const cardNumber = '00000000000000D7';
  await network.api.createCard(cardNumber, 100);
  const charge = await beginCharge(network.api, { ...network.free, cardNumber }, { minutesAgo: 60, minutes: 10 });
  await charge.stop(12);
  const { id } = charge.order;
  const { owedFen } = await network.api.get<{ owedFen: number }>(`/orders/${id}`);
  expect(owedFen).toBeGreaterThan(0);
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  await openOrder(page, id);
  await glance(page).getByText('is still owed; the payer’s next recharge repays it').waitFor();
  const acts = glance(page).getByRole('button', { name: /Collect debt|Refund/ });
  expect(await acts.first().textContent()).toBe('Collect debt');
  await acts.first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`is recharged by`).waitFor();
  await dialog.getByRole('button', { name: `¥${(owedFen / 100).toFixed(2)} received` }).click();
  await page.getByText(/of the debt was repaid, ¥0\.00 is still owed/).waitFor();
  await glance(page).getByText('was paid in full').waitFor();
  expect(await glance(page).getByRole('button', { name: 'Collect debt' }).count()).toBe(0);
  expect(troubles).toEqual([]);
  await close();
});

test('the paid amount and what is left after a refund have names of their own, and accounts name their owners', async () => {
  const { page, troubles, close } = await consolePage(network.product, { language: 'en', token });
  await openOrder(page, network.orders.refunded.id);
  await glance(page).getByText('Paid after refunds').waitFor();
  expect(await glance(page).getByText('Actual payment').count()).toBe(0);
  const postings = page.getByRole('region', { name: 'Ledger postings' }).first();
  await postings.getByText(`IC card balance ${network.free.cardNumber}`).first().waitFor();
  expect(await postings.getByText(/ \d{1,4}$/).count()).toBe(0);
  await page.getByRole('link', { name: 'Frames of this charge' }).click();
  await page.waitForURL(/\/deviceLogOther\?.*stationNumber=HZ-XHWH-0002/);
  await page.getByRole('row').filter({ hasText: 'StartTransaction' }).first().waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('an order and its receipt name the gun port as the station does', async () => {
  const { page, troubles, close } = await consolePage(network.product, { language: 'zh-CN', token });
  await openOrder(page, network.orders.refunded.id);
  const port = (within: Locator) => within.locator('dt', { hasText: /^枪口$/ }).locator('+ dd');
  await expect.poll(() => port(page.locator('main')).textContent()).toMatch(/^\d 号枪$/);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await port(page.locator('[data-receipt]')).textContent()).toMatch(/^\d 号枪$/);
  expect(troubles).toEqual([]);
  await close();
});

test('a missing order shows a message and a link back to the list', async () => {
  const { page, close } = await consolePage(network.product, { language: 'en', token });
  for (const id of ['999999', '9007199254740991', 'ORDER-1', '-5']) {
    await openOrder(page, id);
    await page.getByText(/^(Order not found|No order selected)$/).waitFor();
    await page.getByRole('link', { name: 'Back to Order history' }).waitFor();
  }
  await page.goto(`${network.product.url}/deviceDetail?id=9007199254740991`);
  await page.getByText('Station not found').waitFor();
  await page.getByRole('link', { name: 'Back to Charging stations' }).waitFor();
  await close();
});

test('a user who may only watch live orders is offered no acts or links that would be refused', async () => {
  const { api, database, product } = network;
  const watcher = await addPerson({ api, database, url: product.url }, 'watcher', ['orderListReal']);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token: watcher.token });
  await page.goto(`${product.url}/orderListDetailReal?id=${network.orders.running.id}`);
  await glance(page).getByText('Fee so far').waitFor();
  const acts = await glance(page).getByRole('button').allTextContents();
  expect(acts.filter((text) => text !== '')).toEqual(['Print']);
  const ways = await page
    .locator('main a')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  expect(ways.filter((path) => !path.startsWith('/orderList'))).toEqual([]);
  expect(troubles).toEqual([]);
  await close();
});
