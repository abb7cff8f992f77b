import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { adminPassword } from '@voltdeck/journeys/product';
import { dayTariff, type Message, morning, twoHourCharge } from '@voltdeck/journeys/two-hour-charge';
import { until } from '@voltdeck/journeys/until';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

const card = '00000000000000C5';
/** The server's minimum interval between events of one order. */
const pushGapMs = 1_000;

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
beforeAll(async () => {
  const { url } = await freshDatabase();
  product = await hostedProduct(url);
  api = await product.signIn();
  const tariffId = await api.createTariff(dayTariff);
  const siteId = await api.createSite('Lakeside');
  await api.createCard(card, 20_000);
  const number = 'WATCHED-1';
  const { password } = await api.createStation({ number, siteId, tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** Sends the next messages of the story, up to the first that matches `isLast`. */
function teller(story: Message[]) {
  let transactionId = 0;
  let next = 0;
  let toldAtMs = 0;
  return async (isLast: (message: Message) => boolean): Promise<void> => {
    await until('the console may be told again', () => performance.now() - toldAtMs > pushGapMs);
    for (;;) {
      const message = story[next];
      if (message === undefined) throw new Error('the story is over');
      next += 1;
      const answer = await station.call(message.action, message.payload(transactionId));
      if (message.action === 'StartTransaction') transactionId = Number(answer.transactionId);
      if (isLast(message)) break;
    }
    toldAtMs = performance.now();
  };
}

/** The cell of a row in the column of this name. */
async function cellOf(page: Page, row: Locator, column: string): Promise<Locator> {
  const names = await page.getByRole('columnheader').allInnerTexts();
  const index = names.findIndex((name) => name.trim() === column);
  if (index === -1) throw new Error(`no column ${column} among ${names.join(', ')}`);
  return row.getByRole('cell').nth(index);
}

/** The bill's rows as shown, without the time span. */
async function readBill(page: Page, name: string): Promise<string[][]> {
  const rows = page.getByRole('region', { name }).getByRole('table').getByRole('row');
  await rows.nth(4).waitFor();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td, tfoot th')].map((cell) => (cell as HTMLElement).textContent.trim())),
  );
  return texts.filter((row) => row.length > 0);
}

test('a charge is watched from the sign-in page to its bill, in both languages', async () => {
  const { page, troubles } = await browserPage();
  await page.goto(product.url);
  await page.getByLabel('手机号或用户名').fill('admin');
  await page.getByLabel('密码', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/\/home/);

  await page.getByRole('link', { name: '实时订单' }).click();
  await page.waitForURL(/\/orderListReal/);
  await page.getByText('当前没有进行中的订单').waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset.loaded = 'once';
  });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  let navigations = 0;
  page.on('framenavigated', () => {
    navigations += 1;
  });

  const tell = teller(twoHourCharge(card, morning(1)));
  await tell(({ action }) => action === 'StartTransaction');
  const [order] = await api.ordersOf({ cardNumber: card });
  const number = order?.number ?? '';
  const row = page.getByRole('row').filter({ hasText: number });
  await row.waitFor();
  const energy = await cellOf(page, row, '电量 (kWh)');
  const fee = await cellOf(page, row, '当前费用 (¥)');
  expect(await (await cellOf(page, row, '订单状态')).textContent()).toContain('充电中');
  await expect.poll(() => energy.textContent()).toBe('0.00');

  requests.length = 0;
  await tell(({ readAt }) => readAt !== undefined);
  await expect.poll(() => energy.textContent()).toBe('6.90');
  // 6.903 kWh: 2.1561 + 2.0795 yuan so far.
  expect(await fee.textContent()).toBe('4.24');
  await tell(({ readAt }) => readAt !== undefined && Date.parse(readAt) >= morning(1) + 52 * 60_000);
  await expect.poll(() => energy.textContent()).toBe('51.98');
  // No requests: the figures were pushed.
  expect(requests).toEqual([]);

  await tell(({ action }) => action === 'StopTransaction');
  await row.waitFor({ state: 'detached' });
  expect(navigations).toBe(0);
  expect(await page.evaluate(() => document.documentElement.dataset.loaded)).toBe('once');

  await page.getByRole('link', { name: '历史订单' }).click();
  // The history starts with today, and this charge took place on another day.
  await page.getByRole('list', { name: '已应用的筛选' }).getByRole('button').click();
  await row.getByRole('link', { name: number }).click();
  await page.waitForURL(/\/orderListDetailHistory\?/);
  expect(await readBill(page, '账单明细')).toEqual([
    [expect.stringContaining('06:30'), '谷', '29.940', '0.31234', '0.30125', '9.35', '9.02', '18.37'],
    [expect.stringContaining('07:00'), '平', '60.082', '0.6875', '0.40', '41.31', '24.03', '65.34'],
    [expect.stringContaining('08:00'), '峰', '29.965', '1.03999', '0.50505', '31.16', '15.13', '46.29'],
    ['合计', '119.987', '', '', '81.82', '48.18', '¥130.00'],
  ]);
  await page.getByRole('region', { name: '订单概况' }).getByText('¥130.00').first().waitFor();

  await page.getByRole('button', { name: '语言 Language' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  expect(await readBill(page, 'Bill explained')).toEqual([
    [expect.stringContaining('06:30'), 'Valley', '29.940', '0.31234', '0.30125', '9.35', '9.02', '18.37'],
    [expect.stringContaining('07:00'), 'Regular', '60.082', '0.6875', '0.40', '41.31', '24.03', '65.34'],
    [expect.stringContaining('08:00'), 'Peak', '29.965', '1.03999', '0.50505', '31.16', '15.13', '46.29'],
    ['Total', '119.987', '', '', '81.82', '48.18', '¥130.00'],
  ]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  expect(troubles).toEqual([]);
});
