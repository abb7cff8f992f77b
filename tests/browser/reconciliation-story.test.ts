import type { ReconciliationDay } from '@voltdeck/contract/reconciliation';
import type { Api } from '@voltdeck/journeys/api';
import { type Database, openDatabase } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { dayMs, instant, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, networkWalk } from './network-walk.ts';
import { accessibilityFaults } from './page-faults.ts';

let product: HostedProduct;
let database: Database;
let api: Api;
const day = shanghaiDate(instant(Date.now() - dayMs));
const numbers = {
  agrees: 'C20261120000000000001',
  missing: 'C20261120000000000002',
  wrong: 'C20261120000000000003',
  unknown: 'X20261120000000000009',
};

beforeAll(async () => {
  const fresh = await freshDatabase();
  database = openDatabase(fresh.url);
  product = await hostedProduct(fresh.url);
  api = await product.signIn();
  await api.post('/customers', { phone: '13800007272', nickname: 'Wu' });
  const { pool } = database;
  const noon = `timestamptz '${day} 12:00+08'`;
  await pool.query(
    `insert into channel_payments (number, channel, purpose, customer_id, user_id, amount_fen, title, state,
       page_token_hash, notify_url, expires_at, third_party_number, paid_at, paid_fen, attention, created_at, ended_at)
     select number, 'alipay', 'recharge', (select min(id) from customers), (select min(id) from users), 5000, 'Recharge',
            'paid', sha256(number::bytea), '', ${noon}, '42' || number, ${noon}, 5000, 'payer_gone', ${noon}, ${noon}
       from unnest($1::text[]) number`,
    [[numbers.agrees, numbers.missing, numbers.wrong]],
  );
  await pool.query(`insert into channel_bills (channel, day, lines, downloaded_at) values ('alipay', $1, 3, now())`, [
    day,
  ]);
  await pool.query(
    `insert into channel_bill_lines (channel, day, line, kind, number, third_party_number, amount_fen, fee_fen, at, raw)
     select 'alipay', $1::date, place, 'payment', number, '42' || number, fen, 30, ${noon}, '{}'
       from unnest($2::text[], $3::bigint[]) with ordinality as l (number, fen, place)`,
    [day, [numbers.agrees, numbers.wrong, numbers.unknown], [5_000, 5_100, 800]],
  );
  await api.post(`/reconciliation/days/${day}/runs`);
});
afterAll(async () => {
  await database.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a day’s differences are looked into, taken and ended, and the day is sealed and its seal checked, by clicking', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;
  await page.goto(`${product.url}/home`);
  await settled(opened);
  await chooseInMenu(walk, 'menu.finance', 'menu.reconciliationList');
  await rowOf(page, day).getByText(say('reconciliation-day.differs')).first().waitFor();

  // A day with open differences cannot be sealed, and its figures show why.
  await rowOf(page, day).getByRole('button', { name: day, exact: true }).click();
  const figures = inFront(walk);
  await figures.getByText('¥150.00').waitFor();
  await figures.getByText('¥109.00').waitFor();
  await settled(opened);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await rowOf(page, day).getByRole('link', { name: '3' }).click();

  await rowOf(page, numbers.missing).getByText(say('difference-kind.ours_only')).waitFor();
  await rowOf(page, numbers.unknown).getByText(say('repair.find_out')).waitFor();
  const wrong = rowOf(page, numbers.wrong);
  await wrong.getByText('50.00').waitFor();
  await wrong.getByText('51.00').waitFor();

  await wrong.getByRole('button', { name: numbers.wrong }).first().click();
  const drawer = inFront(walk);
  await drawer.getByText(say('repair-how.compare_amounts')).waitFor();
  await drawer.getByRole('link', { name: new RegExp(numbers.wrong) }).waitFor();
  await settled(opened);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await actOn(walk, rowOf(page, numbers.wrong), say('reconciliation.take'));
  await wrong.getByText(say('difference-state.taken')).waitFor();
  for (const number of [numbers.missing, numbers.wrong, numbers.unknown]) {
    await actOn(walk, rowOf(page, number), say('reconciliation.end'));
    const form = inFront(walk);
    await form.getByText(say('reconciliation.endIntro')).waitFor();
    await form.getByText(say('difference-outcome.explained'), { exact: true }).click();
    await form.locator('#reason').fill('Checked at Alipay');
    await form
      .getByRole('button', { name: new RegExp(`${say('reconciliation.end')}$`) })
      .last()
      .click();
    await form.waitFor({ state: 'hidden' });
  }

  await page.goto(`${product.url}/reconciliationList`);
  await rowOf(page, day).getByText(say('reconciliation-day.agrees'), { exact: true }).first().waitFor();
  await rowOf(page, day).getByText(say('reconciliation-day.differs')).waitFor({ state: 'hidden' });
  await actOn(walk, rowOf(page, day), say('reconciliation.seal'));
  await page.getByText(say('reconciliation.sealQuestion', { day })).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('reconciliation.seal') })
    .last()
    .click();
  await rowOf(page, day).getByText(say('reconciliation-day.sealed')).waitFor();

  await rowOf(page, day).getByRole('button', { name: day, exact: true }).click();
  await inFront(walk)
    .getByRole('button', { name: say('reconciliation.check') })
    .click();
  await inFront(walk).getByText(say('reconciliation.holds')).waitFor();
  const { state, sealedHash } = await api.get<ReconciliationDay>(`/reconciliation/days/${day}`);
  expect(state).toBe('sealed');
  expect(sealedHash).toMatch(/^[0-9a-f]{64}$/);
  await opened.close();
});
