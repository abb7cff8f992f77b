import type { Api } from '@voltdeck/journeys/api';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace, makeSettledOrder } from '@voltdeck/server/http/test-records';
import { makePartnerCharge, makeRoamingCharge } from '@voltdeck/server/interop/test-interconnected-orders';
import type { CustomerId, PartnerId } from '@voltdeck/units/id';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, networkWalk } from './network-walk.ts';
import { accessibilityFaults } from './page-faults.ts';

const phone = '13800007001';

let product: HostedProduct;
let api: Api;
let database: Database;
let customerId: CustomerId;
let inbound: string;
let outbound: string;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  const partner = {
    operatorId: 'MA0ORDERS',
    name: 'Harbour Mobility',
    role: 'both',
    baseUrl: 'https://charge.example',
  };
  const { id } = await api.post<{ id: PartnerId }>('/partners', partner);
  const place = await makePlace(database, null, 'inbound');
  const order = await makeSettledOrder(database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
  const at = instant(Date.now() - 5 * minuteMs);
  inbound = await makePartnerCharge(database, id, order, at);
  customerId = (await api.createCustomer(phone, 5_000)) as CustomerId;
  outbound = (await makeRoamingCharge(database, id, customerId, at)).sequence;
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('an order is pushed again, and a disputed charge is settled with what both operators agreed on, and refunded', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;

  await chooseInMenu(walk, 'menu.hlht', 'menu.hlhtOrderList');
  const pushed = rowOf(page, inbound);
  await pushed.getByRole('checkbox').check();
  await press(page, say('deliveries.replay'));
  await press(inFront(walk), say('deliveries.replay'));
  await page.getByText(say('deliveries.replayed', { count: '1' })).waitFor();
  const { rows } = await database.pool.query<{ version: number }>(
    `select d.version from partner_deliveries d join partner_charges p on p.order_id = d.order_id where p.sequence = $1`,
    [inbound],
  );
  expect(rows).toEqual([{ version: 1 }]);

  await page.getByText(say('roaming.outbound'), { exact: true }).click();
  const disputed = rowOf(page, outbound);
  await disputed.getByText(say('roaming-doubt.above_price')).waitFor();
  await actOn(walk, disputed, say('roaming.settle'));
  const form = inFront(walk);
  await form.locator('#serviceFeeFen').fill('6');
  await form.locator('#reason').fill('Agreed with their finance by phone');
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(form, say('roaming.settleVerb', { amount: '¥18.00' }));
  await page.getByText(say('roaming.settled', { sequence: outbound, amount: '¥18.00' })).waitFor();
  await rowOf(page, outbound).getByText(say('roaming-state.completed')).waitFor();
  const balance = async () => {
    const { rows: wallet } = await database.pool.query<{ balance_fen: number }>(
      'select balance_fen from ledger_accounts where key = $1',
      [`customer:${customerId}`],
    );
    return wallet[0]?.balance_fen;
  };
  expect(await balance()).toBe(3_200);

  const paid = rowOf(page, outbound);
  await actOn(walk, paid, say('roaming.refund'));
  const refund = inFront(walk);
  await refund.locator('#amountFen').fill('3');
  await refund.locator('#reason').fill('Their meter ran on after the stop');
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(refund, say('roaming.refundVerb', { amount: '¥3.00' }));
  await page.getByText(say('roaming.refundedDone', { sequence: outbound, amount: '¥3.00' })).waitFor();
  expect(await balance()).toBe(3_500);
});
