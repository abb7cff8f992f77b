import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { beginCharge, type NetworkStation } from './told-charge.ts';

const card = '00000000000000E1';

let database: Database;
let product: HostedProduct;
let api: Api;
let station: LibraryStation;
/** An order that waits for a person, and one that ended as it should. */
let waiting: { id: number; number: string };
let ended: { id: number; number: string };
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  const price = { electricity: 70_000, service: 30_000 };
  const tariffId = await api.createTariff({
    name: 'All day',
    kind: 'energy',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
  const siteId = await api.createSite('Lakeside');
  await api.createCard(card, 50_000);
  const number = 'FLAGGED-1';
  const { id, password } = await api.createStation({ number, siteId, tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  const told: NetworkStation = { id, number, cardNumber: card, station };
  const first = await beginCharge(api, told, { minutesAgo: 200, minutes: 20 });
  await first.stop(20);
  ended = first.order;
  const second = await beginCharge(api, told, { minutesAgo: 130, minutes: 60 });
  // 900 kWh within two minutes of a plausible reading.
  await second.stop(62, -900_000);
  waiting = second.order;
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('an abnormal order is found from the home page, accepted at the proposed sum, and leaves the list', async () => {
  const token = await newToken(product.url);
  const { page, troubles, close } = await consolePage(product, { language: 'zh-CN', token });
  await page.goto(`${product.url}/home`);
  await page.getByRole('link', { name: '待处理异常订单' }).click();
  await page.waitForURL(/\/orderListAbnormal\?handled=false/);
  const row = page.getByRole('row').filter({ hasText: waiting.number });
  await row.waitFor();
  await row.getByText('电量不合理').waitFor();
  expect(await row.textContent()).toMatch(/额定 \d+\.\d kW 最多输出 \d+\.\d+ kWh/);
  await row.getByRole('button', { name: '确认无误' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('将按建议结算：60.000 kWh，¥60.00').waitFor();
  const verb = dialog.getByRole('button', { name: '按建议结算 ¥60.00' });
  await verb.click();
  await dialog.getByText('必填').waitFor();
  await dialog.getByLabel('原因').fill('现场抄表一致');
  await verb.click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => row.count()).toBe(0);
  expect(await api.order(waiting.id)).toMatchObject({ state: 'completed', energyWh: 60_000, amountFen: 6_000 });

  await page.goto(`${product.url}/orderListDetailAbnormal?id=${waiting.id}`);
  await page.getByText('现场抄表一致').first().waitFor();
  await page.getByRole('region', { name: '异常标记' }).getByText('确认无误').first().waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('a refund made on an order’s page appears in the list of refunds, which leads back to the order', async () => {
  const token = await newToken(product.url);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token });
  await page.goto(`${product.url}/orderListDetailHistory?id=${ended.id}`);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Refund amount').fill('1.5');
  await dialog.getByLabel('Reason').fill('The gun broke');
  await dialog.getByRole('button', { name: 'Refund ¥1.50' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(`${product.url}/orderListRefund`);
  const row = page.getByRole('row').filter({ hasText: ended.number });
  await row.getByText('The gun broke').waitFor();
  await row.getByText('Refunded', { exact: true }).waitFor();
  await row.getByRole('link', { name: ended.number }).click();
  await page.waitForURL(/\/orderListDetailRefund\?id=/);
  await page.getByRole('heading', { name: `Order ${ended.number}` }).waitFor({ state: 'attached' });
  expect(troubles).toEqual([]);
  await close();
});

test('an order past its period for refunds says until when it could be refunded, on a button that does nothing', async () => {
  await database.db.updateTable('configs').set({ value: '1' }).where('key', '=', 'refund_days').execute();
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await database.pool.query('update orders set ended_at = $1 where id = $2', [at, ended.id]);
  const token = await newToken(product.url);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token });
  await page.goto(`${product.url}/orderListDetailHistory?id=${ended.id}`);
  const button = page.getByRole('button', { name: 'Refund', exact: true });
  await button.waitFor();
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.hover({ force: true });
  await page
    .getByText(/This order could be refunded until \d{4}-\d\d-\d\d/)
    .first()
    .waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(troubles).toEqual([]);
  await close();
});
