import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { adminPassword } from '@voltdeck/journeys/product';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { beginCharge } from './told-charge.ts';

const card = '00000000000000E7';
const clerk = { userName: 'clerk', password: adminPassword };

let database: Database;
let product: HostedProduct;
let api: Api;
let station: LibraryStation;
let order: { id: number; number: string };
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
  const number = 'APPROVED-1';
  const { id, password } = await api.createStation({ number, siteId, tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  const charge = await beginCharge(api, { id, number, cardNumber: card, station }, { minutesAgo: 200, minutes: 20 });
  await charge.stop(20);
  order = charge.order;
  await database.pool.query(`update configs set value = '100' where key = 'second_person_order_refund_fen'`);
  // A copy of the administrator, who signs in with the same password.
  await database.pool.query(
    `insert into users (user_name, real_name, password_hash, admin, created_at)
     select $1, 'Clerk Wang', password_hash, true, now() from users where user_name = 'admin'`,
    [clerk.userName],
  );
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a refund above the limit waits, another person approves it from the top bar, and the order has its money back', async () => {
  const maker = await consolePage(product, { language: 'en', token: await newToken(product.url, clerk) });
  await maker.page.goto(`${product.url}/orderListDetailHistory?id=${order.id}`);
  await maker.page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = maker.page.getByRole('dialog');
  await dialog.getByLabel('Refund amount').fill('1.5');
  await dialog.getByLabel('Reason').fill('The gun broke');
  await dialog.getByRole('button', { name: 'Refund ¥1.50' }).click();
  await maker.page.getByText(/waits for approval by somebody else, number P\d+/).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await maker.page.getByText('Refund of an order of ¥1.50 waits for approval').waitFor();
  expect(await api.order(order.id)).toMatchObject({ refundedFen: 0 });

  const checker = await consolePage(product, { language: 'zh-CN', token: await newToken(product.url) });
  await checker.page.goto(`${product.url}/home`);
  await checker.page.getByRole('region', { name: '待我审批' }).getByText(`订单 ${order.number} 退款 ¥1.50`).waitFor();
  await checker.page.getByRole('button', { name: '1 项操作待您审批' }).click();
  const row = checker.page.getByRole('row').filter({ hasText: order.number });
  await row.getByText('The gun broke').waitFor();
  await row.getByRole('button', { name: /^P\d+/ }).click();
  const drawer = checker.page.getByRole('dialog');
  await drawer.getByText('¥0.00 → ¥1.50').waitFor();
  expect(await drawer.getByText('审批结束时的数据').count()).toBe(0);
  await drawer.getByRole('button', { name: '批准' }).click();
  const question = checker.page.getByRole('dialog').filter({ hasText: `批准“订单 ${order.number} 退款 ¥1.50”吗？` });
  await question.getByText('原因：The gun broke').waitFor();
  await question.getByRole('button', { name: '批准' }).click();
  await checker.page.getByText(`已批准并执行：订单 ${order.number} 退款 ¥1.50`).waitFor();
  expect(await api.order(order.id)).toMatchObject({ refundedFen: 150 });
  await checker.page.getByRole('button', { name: '没有操作待您审批' }).waitFor();

  await maker.page.reload();
  await maker.page.getByText('The gun broke').first().waitFor();
  expect(await maker.page.getByText('waits for approval').count()).toBe(0);

  const look = async () => {
    await maker.page.goto(`${product.url}/approvalList?mine=asked`);
    const ended = maker.page.getByRole('row').filter({ hasText: order.number });
    await ended.getByRole('button', { name: /^P\d+/ }).click();
    return maker.page.getByRole('dialog');
  };
  const kept = await look();
  await kept.getByText('¥0.00 → ¥1.50').waitFor();
  await kept.getByText('The figures as they stood when the approval ended.').waitFor();
  // As approvals that ended before their facts were kept.
  await database.pool.query('update approvals set facts = null');
  await (await look()).getByText('No figures to show').waitFor();
  expect([...maker.troubles, ...checker.troubles]).toEqual([]);
  await maker.close();
  await checker.close();
});
