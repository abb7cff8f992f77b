import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { addPerson } from './people.ts';
import { beginCharge, type NetworkStation } from './told-charge.ts';

const card = '00000000000000D1';
const readMinutes = 100;

/** Prices change every half hour, so that a bill shows how its energy was spread. */
const halfHours = Array.from({ length: 48 }, (_, index) => {
  const clock = (half: number) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
  return { start: clock(index), end: clock(index + 1), period: index % 2 === 0 ? 'peak' : 'valley' } as const;
});

let database: Database;
let product: HostedProduct;
let api: Api;
let station: LibraryStation;
let orderId: number;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  const price = (electricity: number) => ({ electricity, service: 30_000 });
  const tariffId = await api.createTariff({
    name: 'Every half hour',
    kind: 'energy',
    prices: { sharp: price(150_000), peak: price(100_000), flat: price(70_000), valley: price(20_000) },
    slots: halfHours,
  });
  const siteId = await api.createSite('Lakeside');
  await api.createCard(card, 20_000);
  const number = 'DOUBTED-1';
  const { id, password } = await api.createStation({ number, siteId, tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  const told: NetworkStation = { id, number, cardNumber: card, station };
  const charge = await beginCharge(api, told, { minutesAgo: 130, minutes: readMinutes });
  // 900 kWh within two minutes of a plausible reading.
  await charge.stop(readMinutes + 2, -900_000);
  orderId = charge.order.id;
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a user who may not settle sees why an order waits, without the button', async () => {
  const clerk = await addPerson({ api, database, url: product.url }, 'clerk', ['orderListReal']);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token: clerk.token });
  await page.goto(`${product.url}/orderListDetailReal?id=${orderId}`);
  const panel = page.getByRole('region', { name: 'Waits for a person' });
  await panel.getByText('Energy implausible').waitFor();
  await panel.getByText('Your position may not settle orders').waitFor();
  expect(await panel.getByRole('button').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Settle manually' }).count()).toBe(0);
  expect(troubles).toEqual([]);
  await close();
});

test('on a phone, the times, periods and sums of the preview are separate', async () => {
  const token = await newToken(product.url);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token, width: 375, height: 812 });
  await page.goto(`${product.url}/orderListDetailReal?id=${orderId}`);
  await page.getByRole('button', { name: 'Settle as proposed' }).click();
  const preview = page.getByRole('dialog').getByRole('region', { name: 'What this means' });
  await preview.waitFor();
  const widths = await preview.getByRole('listitem').evaluateAll((rows) =>
    rows.flatMap((row) =>
      [...row.children].map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return { ink: text.getBoundingClientRect().width, room: cell.getBoundingClientRect().width };
      }),
    ),
  );
  expect(widths.length).toBeGreaterThan(4 * 4);
  expect(widths.filter(({ ink, room }) => ink > room + 0.5)).toEqual([]);
  expect(troubles).toEqual([]);
  await close();
});

test('a waiting order is found from the home page and settled at the sum of its preview', async () => {
  const token = await newToken(product.url);
  const { page, troubles } = await consolePage(product, { language: 'zh-CN', token });
  await page.goto(`${product.url}/home`);
  await page.getByRole('link', { name: '待人工处理 1' }).click();
  await page.waitForURL(/\/orderListReal\?waitsFor=person/);
  const { number } = await api.order(orderId);
  const row = page.getByRole('row').filter({ hasText: number });
  // Everything needed to decide is visible at once: why it waits, since when, and where.
  await row.waitFor();
  const heads = (await page.getByRole('columnheader').allInnerTexts()).map((head) => head.trim()).filter(Boolean);
  expect(heads.slice(0, 5)).toEqual(['订单号', '等待原因', '开始等待', '充电桩', '枪口号']);
  await row.getByText('电量不合理').waitFor();
  await row.getByRole('link', { name: 'DOUBTED-1' }).waitFor();
  await row.getByRole('link', { name: number }).click();

  const glance = page.getByRole('region', { name: '订单概况' });
  await glance.getByText('尚未结算，建议金额').waitFor();
  expect(await glance.textContent()).not.toContain('¥0.00');
  const panel = page.getByRole('region', { name: '待人工处理' });
  const reason = panel.getByRole('listitem').filter({ hasText: '电量不合理' });
  // 102 kWh that were delivered and 900 that could not have been.
  expect(await reason.textContent()).toContain('1,002.000 kWh');
  await panel.getByText('由逐次读数累加').waitFor();
  await panel.getByText('100.000 kWh', { exact: true }).waitFor();
  await panel.getByRole('button', { name: '按建议结算' }).click();

  const form = page.getByRole('dialog');
  const energy = form.getByLabel('电量', { exact: true });
  await expect.poll(() => energy.inputValue()).toBe('100.000');
  const preview = form.getByRole('region', { name: '结算结果预览' });
  expect(await preview.getByRole('listitem').last().textContent()).toContain('100.000 kWh');
  await energy.fill('61.5');
  await expect.poll(() => preview.getByRole('listitem').last().textContent()).toContain('61.500 kWh');
  const lines = await preview.getByRole('listitem').allTextContents();
  // At least four half hours, each with its own price.
  expect(lines.length).toBeGreaterThan(4);
  await form.getByRole('button', { name: /^结算 ¥/ }).click();
  await form.getByText('必填').waitFor();
  await form.getByLabel('原因').fill('现场抄表 61.5 kWh');
  await form.getByRole('button', { name: /^结算 ¥/ }).click();
  await form.waitFor({ state: 'hidden' });

  await page.getByText('人工结算，电量按时间平均分摊').waitFor();
  await expect.poll(() => panel.count()).toBe(0);
  const settled = await api.order(orderId);
  expect(settled).toMatchObject({ state: 'completed', energyWh: 61_500 });
  const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`;
  expect(lines.map((line) => /¥[\d.]+$/.exec(line)?.[0])).toEqual([
    ...settled.lines.map((line) => yuan(line.electricityFeeFen + line.serviceFeeFen)),
    yuan(settled.amountFen),
  ]);
  await glance.getByText('订单金额').waitFor();
  await glance.getByText(yuan(settled.amountFen)).first().waitFor();
  expect(await api.proof()).toMatchObject({ sumFen: 0, mismatches: 0 });
  expect(troubles).toEqual([]);
});
