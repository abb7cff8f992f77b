import { adminPassword } from '@voltdeck/journeys/product';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

const card = '00000000000000F7';
const clerk = { userName: 'clerk', password: adminPassword };

let database: Database;
let product: HostedProduct;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  // A copy of the administrator, who signs in with the same password.
  await database.pool.query(
    `insert into users (user_name, real_name, password_hash, admin, created_at)
     select $1, 'Clerk Wang', password_hash, true, now() from users where user_name = 'admin'`,
    [clerk.userName],
  );
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a gift is reversed from its transfer in the ledger, once somebody else approves it', async () => {
  const api = await product.signIn();
  const cardId = await api.createCard(card, 1_000);
  const body = { cardId, amountFen: 250, reason: 'A welcome' };
  const gift = await api.ask<{ number: string }>('POST', '/gifts', body, { idempotencyKey: 'gift' });

  const maker = await consolePage(product, { language: 'en', token: await newToken(product.url, clerk) });
  await maker.page.goto(`${product.url}/ledgerList?reason=gift`);
  await maker.page.getByRole('row').filter({ hasText: '2.50' }).getByRole('button').first().click();
  const drawer = maker.page.getByRole('dialog').filter({ hasText: 'Postings' });
  await drawer.getByText('Not reversed').waitFor();
  await drawer.getByRole('button', { name: 'Reverse', exact: true }).click();
  const form = maker.page.getByRole('dialog').filter({ hasText: 'Somebody else has to approve it first' });
  await form.getByLabel('Reason').fill('Entered twice');
  await form.getByRole('button', { name: 'Reverse ¥2.50' }).click();
  await drawer.getByText('Reversal in the ledger of ¥2.50 waits for approval').waitFor();
  await drawer.getByRole('button', { name: 'Reverse', exact: true, disabled: true }).waitFor();

  const checker = await consolePage(product, { language: 'zh-CN', token: await newToken(product.url) });
  await checker.page.goto(`${product.url}/approvalList`);
  const row = checker.page.getByRole('row').filter({ hasText: gift.data?.number ?? '' });
  await row.getByText('Entered twice').waitFor();
  await row.getByRole('button', { name: /^P\d+/ }).click();
  const opened = checker.page.getByRole('dialog');
  await opened.getByText('手工赠送').waitFor();
  await opened.getByText('¥2.50 → ¥0.00').waitFor();
  await opened.getByRole('button', { name: '批准' }).click();
  const act = `冲正 ${gift.data?.number}，金额 ¥2.50`;
  const question = checker.page.getByRole('dialog').filter({ hasText: `批准“${act}”吗？` });
  await question.getByRole('button', { name: '批准' }).click();
  await checker.page.getByText(`已批准并执行：${act}`).waitFor();

  await maker.page.reload();
  await drawer.getByText('Reversed by', { exact: true }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Reverse', exact: true }).count()).toBe(0);
  expect(await maker.page.getByText('waits for approval').count()).toBe(0);
  await maker.page.goto(`${product.url}/giftList`);
  await maker.page.getByRole('row').filter({ hasText: '2.50' }).getByText('Reversed', { exact: true }).waitFor();
  expect([...maker.troubles, ...checker.troubles]).toEqual([]);
  await maker.close();
  await checker.close();
});

test('a gift to a card that was replaced since says why it cannot be reversed', async () => {
  const api = await product.signIn();
  const cardId = await api.createCard('00000000000000F8', 1_000);
  await api.post('/gifts', { cardId, amountFen: 330, reason: 'A welcome' });
  await api.post(`/cards/${cardId}/replacements`, { number: '00000000000000F9' });
  for (const [language, verb, why] of [
    ['en', 'Reverse', 'was replaced'],
    ['zh-CN', '冲正', '已换卡'],
  ] as const) {
    const { page, troubles, close } = await consolePage(product, { language, token: await newToken(product.url) });
    await page.goto(`${product.url}/ledgerList?reason=gift`);
    await page.getByRole('row').filter({ hasText: '3.30' }).getByRole('button').first().click();
    const button = page.getByRole('dialog').getByRole('button', { name: verb, exact: true, disabled: true });
    await button.hover();
    await page.getByRole('tooltip').getByText(why).waitFor();
    expect(troubles).toEqual([]);
    await close();
  }
});
