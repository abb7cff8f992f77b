import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { inFront, type NetworkWalk, networkWalk } from './network-walk.ts';

let product: HostedProduct;
let token: string;
let api: Api;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  token = await newToken(product.url);
  api = await product.signIn();
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** The page of a registered user. */
async function pageOf(id: number, language: 'zh-CN' | 'en'): Promise<NetworkWalk & { troubles: string[] }> {
  const opened = await consolePage(product, { token, language });
  await opened.page.goto(`${product.url}/registerUserDetail?id=${id}`);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  await settled(opened);
  return { ...networkWalk(opened.page, language), troubles: opened.troubles };
}

const begin = async (walk: NetworkWalk, label: string): Promise<Locator> => {
  await walk.page.getByRole('button', { name: label, exact: true }).click();
  const form = inFront(walk);
  await form.waitFor();
  return form;
};
/** Finds a user by phone in a field of the form, and chooses it. */
async function choose({ page }: NetworkWalk, form: Locator, field: string, phone: string): Promise<void> {
  await form.locator(`#${field}`).fill(phone);
  await page.locator('.ant-select-item-option').filter({ hasText: phone }).filter({ visible: true }).click();
}

test.each(['zh-CN', 'en'] as const)(
  'money is given, transferred within the range that is said, and the other record merged, in %s',
  async (language) => {
    const tail = language === 'en' ? '21' : '11';
    const phones = [`138000005${tail}`, `138000006${tail}`] as const;
    const [one, two] = [await api.createCustomer(phones[0], 10_000), await api.createCustomer(phones[1], 0)];
    const walk = await pageOf(one, language);
    const { page, say } = walk;

    const gift = await begin(walk, say('gifts.give'));
    await gift.locator('#amountFen').fill('5');
    await gift.getByText(say('gifts.after', { before: '¥0.00', after: '¥5.00' })).waitFor();
    await gift.locator('#reason').fill('An apology');
    await gift.getByRole('button', { name: say('gifts.giveAmount', { amount: '¥5.00' }) }).click();
    await page.getByText('An apology').waitFor();
    // A form starts with the balances that the page shows.
    await page.locator('dd').filter({ hasText: '¥5.00' }).first().waitFor();

    const form = await begin(walk, say('transfers.verb'));
    await form.getByText(say('transfers.introGift', { paid: '¥100.00', gift: '¥5.00' })).waitFor();
    await choose(walk, form, 'toCustomerId', phones[1]);
    await form.locator('#amountFen').fill('100.01');
    await form.getByRole('button', { name: say('transfers.verb'), exact: true }).click();
    await form.getByText(say('error.transfer.too_high', { max: '100.00' })).waitFor();
    await form.locator('#amountFen').fill('0');
    await form.getByText(say('error.transfer.too_high', { max: '100.00' })).waitFor();
    await form.locator('#amountFen').fill('40');
    await form.getByText(say('transfers.left', { left: '¥60.00' })).waitFor();
    await form.getByRole('button', { name: say('transfers.verbAmount', { amount: '¥40.00' }) }).click();
    await page
      .getByText(/T\d{20}/)
      .first()
      .waitFor();
    expect(await api.balanceOf({ customerId: two })).toMatchObject({ balanceFen: 4_000 });

    const merge = await begin(walk, say('customers.merge'));
    await merge.getByText(say('customers.mergeKeeps')).waitFor();
    await choose(walk, merge, 'intoId', phones[1]);
    await merge.locator('#reason').fill('Two phones of one person');
    await merge.getByRole('button', { name: say('customers.merge'), exact: true }).click();
    await page.getByText(say('customer-state.merged'), { exact: true }).waitFor();
    expect(await api.balanceOf({ customerId: two })).toMatchObject({ balanceFen: 10_500 });
    expect(walk.troubles).toEqual([]);
  },
);

test('a user is disabled with a reason and what it stops in figures, and enabled again', async () => {
  const id = await api.createCustomer('13800000777', 2_500);
  const walk = await pageOf(id, 'en');
  const { page, say } = walk;
  const form = await begin(walk, say('customers.disable'));
  await form.getByText(say('customers.disableStops', { cards: 0 })).waitFor();
  await form.getByText(say('customers.disableRunning', { running: 0 })).waitFor();
  await form.getByText(say('customers.disableKeeps', { balance: '¥25.00', cardBalance: '¥0.00' })).waitFor();
  await form.locator('#reason').fill('Chargebacks');
  await form.getByRole('button', { name: say('customers.disable'), exact: true }).click();
  await page.getByText(say('customers.isDisabled')).waitFor();
  await page.getByText('Chargebacks').waitFor();
  await page.getByRole('button', { name: say('customers.enable'), exact: true }).click();
  await page.getByText(say('customer-state.normal'), { exact: true }).waitFor();
  expect(walk.troubles).toEqual([]);
});
