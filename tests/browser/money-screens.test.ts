import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleOptions, consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { inFront, type NetworkWalk, networkWalk } from './network-walk.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

let database: Database;
let product: HostedProduct;
let token: string;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  token = await newToken(product.url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function open(path: string, options: ConsoleOptions): Promise<NetworkWalk & { troubles: string[] }> {
  const opened = await consolePage(product, { token, ...options });
  await opened.page.goto(product.url + path);
  await opened.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await settled(opened);
  return { ...networkWalk(opened.page, options.language), troubles: opened.troubles };
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Chooses an act of a row, which a menu holds beyond the first two. */
async function act({ page, say }: NetworkWalk, row: Locator, label: string): Promise<void> {
  await row.waitFor();
  const button = row.getByRole('button', { name: new RegExp(`^${label}`) });
  if ((await button.count()) > 0) {
    await button.first().click();
    return;
  }
  await row.getByRole('button', { name: new RegExp(`^${say('list.moreActions')}`) }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

test.each(['zh-CN', 'en'] as const)(
  'a card is issued under 16 of 0-9 and A-F, blocked, found again and disabled, in %s',
  async (language) => {
    const number = language === 'en' ? 'A11CE00000000002' : 'A11CE00000000001';
    const walk = await open('/cardList', { language });
    const { page, say } = walk;
    await page
      .getByRole('button', { name: say('cards.add') })
      .first()
      .click();
    const form = inFront(walk);
    await form.locator('#number').fill('A11CE');
    await form.getByRole('button', { name: say('cards.add') }).click();
    await form.getByText(say('field.card_number')).waitFor();
    await form.locator('#number').fill(number.toLowerCase());
    await form.getByRole('button', { name: say('cards.add') }).click();
    await page.getByText(say('cards.issued', { number })).waitFor();

    const card = rowOf(page, number);
    const ask = async (label: string, question: string, verb: string) => {
      await act(walk, card, label);
      const dialog = inFront(walk);
      await dialog.getByText(question).waitFor();
      await dialog.getByRole('button', { name: verb }).click();
    };
    await ask(say('cards.lose'), say('cards.loseQuestion', { number }), say('cards.lose'));
    await card.getByText(say('card-state.lost')).waitFor();
    await ask(say('cards.restore'), say('cards.restoreQuestion', { number }), say('cards.restore'));
    await card.getByText(say('card-state.active')).waitFor();
    await ask(say('cards.disable'), say('cards.disableQuestion', { number }), say('cards.disable'));
    await card.getByText(say('card-state.disabled')).waitFor();
    await act(walk, card, say('cards.enable'));
    await card.getByText(say('card-state.active')).waitFor();
    expect(walk.troubles).toEqual([]);
  },
);

test('a card is issued, bound by phone, lost, replaced with its balance, and cancelled with a payout, each step in numbers', async () => {
  const [old, number] = ['A11CE00000000011', 'A11CE00000000012'];
  const phone = '13800004712';
  const walk = await open('/cardList', { language: 'en' });
  const { page, say } = walk;
  const api = async (path: string, body: object) => {
    const key = crypto.randomUUID();
    const answer = await page.request.post(`${product.url}/api${path}`, {
      data: body,
      headers: { token, language: 'en', 'idempotency-key': key },
    });
    expect(answer.status()).toBe(200);
  };
  await api('/customers', { phone, nickname: 'Wang' });
  await api('/cards', { number: old });
  await api('/recharges', { cardNumber: old, amountFen: 5_050 });
  await api('/gifts', { cardNumber: old, amountFen: 300, reason: 'A welcome' });
  await page.goto(`${product.url}/cardList?number=${old}`);

  const card = rowOf(page, old).first();
  await card.getByText('53.50').first().waitFor();
  await act(walk, card, say('cards.bind'));
  await inFront(walk)
    .getByText(say('cards.bindIntro', { number: old, balance: '¥53.50' }))
    .waitFor();
  await inFront(walk).locator('#customerPhone').fill('1380000');
  await inFront(walk)
    .getByRole('button', { name: say('cards.bind') })
    .click();
  await inFront(walk).getByText(say('field.phone_length')).waitFor();
  await inFront(walk).locator('#customerPhone').fill(phone);
  await inFront(walk)
    .getByRole('button', { name: say('cards.bind') })
    .click();
  await page.getByText(say('cards.bound', { number: old, phone })).waitFor();

  await act(walk, card, say('cards.lose'));
  await inFront(walk)
    .getByRole('button', { name: say('cards.lose') })
    .click();
  await card.getByText(say('card-state.lost')).waitFor();
  await act(walk, card, say('cards.replace'));
  await inFront(walk)
    .getByText(say('cards.replaceIntro', { paid: '¥50.50', gift: '¥3.00', number: old }))
    .waitFor();
  await inFront(walk).locator('#number').fill('A11CE');
  await inFront(walk)
    .getByRole('button', { name: say('cards.replace') })
    .click();
  await inFront(walk).getByText(say('field.card_number')).waitFor();
  await inFront(walk).locator('#number').fill(old);
  await inFront(walk)
    .getByRole('button', { name: say('cards.replace') })
    .click();
  await inFront(walk)
    .getByText(say('error.card.number_taken', { number: old }))
    .waitFor();
  await inFront(walk).locator('#number').fill(number);
  await inFront(walk)
    .getByRole('button', { name: say('cards.replace') })
    .click();
  await page.getByText(say('cards.replaced', { number: old, successor: number })).waitFor();
  await card.getByText(say('card-state.cancelled')).waitFor();

  await page.goto(`${product.url}/cardList?number=${number}`);
  const successor = rowOf(page, number).first();
  await successor.getByText('53.50').first().waitFor();
  await successor.getByText(phone).waitFor();
  await act(walk, successor, say('cards.cancel'));
  await inFront(walk)
    .getByText(say('cards.cancelCash', { paid: '¥50.50', gift: '¥3.00' }))
    .waitFor();
  await inFront(walk).getByText(say('card-payout.customer')).click();
  await inFront(walk)
    .getByText(say('cards.cancelToHolder', { paid: '¥50.50', gift: '¥3.00', phone }))
    .waitFor();
  await inFront(walk).locator('#reason').fill('Uses the phone now');
  await inFront(walk)
    .getByRole('button', { name: say('cards.cancelVerb', { paid: '¥50.50' }) })
    .click();
  await page.getByText(say('cards.cancelled', { number })).waitFor();
  await successor.getByText(say('card-state.cancelled')).waitFor();
  const { rows } = await database.pool.query(
    `select c.balance_fen::int as fen from ledger_accounts c join customers u on c.key = 'customer:' || u.id where u.phone = $1`,
    [phone],
  );
  expect(rows).toEqual([{ fen: 5_050 }]);
  // The number that was taken, and nothing else.
  expect(walk.troubles).toEqual([expect.stringContaining('409 (Conflict)')]);
});

test('a registered user is added by phone, and recharged by it; the record shows who paid what and is reversed', async () => {
  const phone = '13800004711';
  const users = await open('/registerUser', { language: 'en' });
  await users.page
    .getByRole('button', { name: users.say('customers.add') })
    .first()
    .click();
  const form = inFront(users);
  await form.locator('#phone').fill('1380000471x');
  await form.locator('#nickname').fill('Li of Hangzhou');
  await form.getByRole('button', { name: users.say('customers.add') }).click();
  await form.getByText(users.say('field.phone_digits')).waitFor();
  await form.locator('#phone').fill('138');
  await form.getByText(users.say('field.phone_length')).waitFor();
  await form.locator('#phone').fill(phone);
  await form.getByRole('button', { name: users.say('customers.add') }).click();
  await users.page.getByText(users.say('customers.saved', { name: 'Li of Hangzhou' })).waitFor();

  const walk = await open('/recharge', { language: 'en' });
  const { page, say } = walk;
  const field = page.getByRole('searchbox', { name: say('recharges.findLabel') });
  await field.fill('99999');
  await field.press('Enter');
  await page.getByText(say('recharges.nobody', { text: '99999' })).waitFor();
  await field.fill('4711');
  await field.press('Enter');
  const target = say('recharges.targetCustomer', { name: 'Li of Hangzhou', phone });
  await page.getByRole('button', { name: `${say('recharges.recharge')} ${target}` }).click();
  const dialog = inFront(walk);
  await dialog.locator('#amountFen').fill('120.5');
  await dialog.getByText(say('recharges.question', { target, amount: '¥120.50' })).waitFor();
  await dialog.getByText(say('recharges.questionDetails', { before: '¥0.00', after: '¥120.50' })).waitFor();
  await dialog.locator('#remark').fill('Cash at the front desk');
  await dialog.getByRole('button', { name: say('recharges.submit', { amount: '¥120.50' }) }).click();
  await page.getByText(say('recharges.doneBalance', { before: '¥0.00', after: '¥120.50' })).waitFor();

  await page.getByRole('link', { name: /^R\d{20}$/ }).click();
  const record = rowOf(page, 'Li of Hangzhou');
  await record.getByText('120.50').first().waitFor();
  await record.getByText('Cash at the front desk').waitFor();
  await act(walk, record, say('recharges.reverse'));
  const question = inFront(walk);
  await question.getByText(say('recharges.reverseIntro', { target, amount: '¥120.50' })).waitFor();
  await question.locator('#reason').fill('Wrong person');
  await question.getByRole('button', { name: say('recharges.reverseVerb', { amount: '¥120.50' }) }).click();
  await record.getByText('Wrong person').waitFor();
  expect([...users.troubles, ...walk.troubles]).toEqual([]);
});

test('a recharge says which promotion applies, and a part of it is refunded within its range', async () => {
  const promotions = await open('/promotionList', { language: 'en' });
  await promotions.page
    .getByRole('button', { name: promotions.say('promotions.add') })
    .first()
    .click();
  const form = inFront(promotions);
  await form.locator('#name').fill('Autumn gift');
  await form.locator('#satisfiedFen').fill('100');
  await form.locator('#giftFen').fill('20');
  await form.getByRole('button', { name: promotions.say('promotions.add') }).click();
  await promotions.page.getByText(promotions.say('promotions.saved', { name: 'Autumn gift' })).waitFor();
  await rowOf(promotions.page, 'Autumn gift').getByText('20.00').first().waitFor();

  const walk = await open('/recharge', { language: 'en' });
  const { page, say } = walk;
  const field = page.getByRole('searchbox', { name: say('recharges.findLabel') });
  await field.fill('4711');
  await field.press('Enter');
  await page
    .getByRole('button', { name: new RegExp(`^${say('recharges.recharge')} `) })
    .first()
    .click();
  const dialog = inFront(walk);
  await dialog.locator('#amountFen').fill('99');
  await dialog.getByText(say('recharges.noPromotion')).waitFor();
  await dialog.locator('#amountFen').fill('100');
  await dialog.getByText(say('recharges.promotionApplies', { name: 'Autumn gift', amount: '¥20.00' })).waitFor();
  await dialog.getByText(say('recharges.questionDetails', { before: '¥0.00', after: '¥120.00' })).waitFor();
  await dialog.getByText(say('recharges.partsAfter', { paid: '¥100.00', gift: '¥20.00' })).waitFor();
  await dialog.getByRole('button', { name: say('recharges.submit', { amount: '¥100.00' }) }).click();
  await page.getByText(say('recharges.doneBalance', { before: '¥0.00', after: '¥120.00' })).waitFor();

  await page.getByRole('link', { name: /^R\d{20}$/ }).click();
  const record = rowOf(page, 'Li of Hangzhou');
  await act(walk, record, say('recharges.refund'));
  const refund = inFront(walk);
  await refund.locator('#amountFen').fill('100.01');
  await refund.locator('#reason').fill('Moved away');
  await refund.getByRole('button', { name: say('recharges.refundVerb', { amount: '¥100.01' }) }).click();
  await refund.getByText(say('error.recharge.refund_too_high', { max: '100.00' })).waitFor();
  await refund.locator('#amountFen').fill('50');
  await refund.getByRole('button', { name: say('recharges.refundVerb', { amount: '¥50.00' }) }).click();
  await page.getByText(say('recharges.refundDone', { amount: '¥50.00' })).waitFor();
  await record.getByText(say('movement-state.partly_refunded')).waitFor();
  await page.getByText(say('movements.all'), { exact: true }).click();
  await rowOf(page, say('movement-type.withdrawal')).first().waitFor();
  expect([...promotions.troubles, ...walk.troubles]).toEqual([]);
});

test('a withdrawal that waits for a second person says so, names the approval and cannot be passed again', async () => {
  const api = await product.signIn();
  const customerPhone = '13900000477';
  await api.createCustomer(customerPhone, 200_000);
  await api.post('/withdrawals', { customerPhone, amountFen: 150_000, way: 'desk' });
  await database.pool.query('update withdrawals set applied_by = null');
  const walk = await open('/refund', { language: 'en' });
  const { page, say } = walk;
  const row = rowOf(page, customerPhone);
  await act(walk, row, say('withdrawals.pass'));
  await inFront(walk)
    .getByRole('button', { name: say('withdrawals.pass') })
    .click();
  await row.getByText(say('withdrawals.waitsForApproval')).waitFor();
  await row.getByRole('link', { name: /^P\d{20}$/ }).waitFor();
  const pass = row.getByRole('button', { name: new RegExp(`^${say('withdrawals.pass')}`) }).first();
  await expect.poll(() => pass.isDisabled()).toBe(true);
  expect(walk.troubles).toEqual([]);
});

test('a card is found and recharged on a phone', async () => {
  const walk = await open('/recharge', { language: 'zh-CN', width: 375, height: 812 });
  const { page, say } = walk;
  const field = page.getByRole('searchbox', { name: say('recharges.findLabel') });
  await field.fill('A11CE');
  await field.press('Enter');
  await page.getByRole('list', { name: say('recharges.found') }).waitFor();
  await page
    .getByRole('button', { name: new RegExp(`^${say('recharges.recharge')} `) })
    .first()
    .click();
  await inFront(walk).locator('#amountFen').fill('50');
  await inFront(walk)
    .getByRole('button', { name: say('recharges.submit', { amount: '¥50.00' }) })
    .waitFor();
  expect(await overflowFaults(page)).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a user’s page clips no figure at 1440, and the records keep their place and their switch at 375', async () => {
  const phone = '13800004713';
  const walk = await open('/registerUser', { language: 'en' });
  const { page, say } = walk;
  const api = async (path: string, body: object) => {
    const headers = { token, language: 'en', 'idempotency-key': crypto.randomUUID() };
    const answer = await page.request.post(`${product.url}/api${path}`, { data: body, headers });
    expect(answer.status()).toBe(200);
    return ((await answer.json()) as { data: { id: number } }).data.id;
  };
  const id = await api('/customers', { phone, nickname: 'Wang' });
  await api('/recharges', { customerPhone: phone, amountFen: 450_001, remark: 'Paid at the front desk, in two parts' });
  await api('/gifts', { customerPhone: phone, amountFen: 300, reason: 'A welcome' });
  await page.goto(`${product.url}/registerUserDetail?id=${id}`);
  await page.getByRole('cell', { name: 'A welcome' }).waitFor();
  const clipped = await page.evaluate(() =>
    [...document.querySelectorAll('section[tabindex="0"]')]
      .filter((region) => region.checkVisibility() && region.scrollWidth > region.clientWidth)
      .map((region) => region.getAttribute('aria-label')),
  );
  expect(clipped).toEqual([]);

  await page.setViewportSize({ width: 375, height: 812 });
  let answerSums = () => {};
  const held = new Promise<void>((resolve) => {
    answerSums = resolve;
  });
  await page.route('**/api/movements/sums*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${product.url}/chongzhiRecods?customerId=${id}`);
  const ways = page.getByRole('radiogroup', { name: say('movements.view') });
  await ways.waitFor();
  await page.getByText('¥3.00').or(page.getByText('3.00')).first().waitFor();
  const placeOf = async () => await ways.boundingBox();
  const before = await placeOf();
  answerSums();
  await page.getByText(`${say('movement-type.gift')} · `).waitFor();
  expect(await placeOf()).toEqual(before);
  expect((before?.x ?? 0) + (before?.width ?? 375)).toBeLessThanOrEqual(375);
  const last = await ways.getByText(say('movements.channels')).boundingBox();
  expect((last?.x ?? 375) + (last?.width ?? 375)).toBeLessThanOrEqual(375);
});

test('an application for a user is by bank transfer at first, and says so where nothing can be withdrawn', async () => {
  const phone = '13800004714';
  const walk = await open('/refund', { language: 'zh-CN' });
  const { page, say } = walk;
  const headers = { token, language: 'zh-CN', 'idempotency-key': crypto.randomUUID() };
  await page.request.post(`${product.url}/api/customers`, { data: { phone, nickname: '空余额' }, headers });
  await page
    .getByRole('button', { name: say('withdrawals.add') })
    .first()
    .click();
  const form = inFront(walk);
  await form.getByTitle(say('withdrawal-way.bank')).waitFor();
  await form.locator('#customerId').fill(phone);
  await page.locator('.ant-select-item-option').filter({ hasText: phone }).filter({ visible: true }).click();
  await form.locator('#amountFen').fill('5');
  await form.getByRole('button', { name: say('withdrawals.add') }).click();
  await form.getByText('可提现充值金 0.00 元，不足最低提现金额 1.00 元').waitFor();
});

test('an amount that was entered before the terms are known is checked when they come', async () => {
  const phone = '13800004715';
  const walk = await open('/refund', { language: 'en' });
  const { page, say } = walk;
  const headers = { token, language: 'en', 'idempotency-key': crypto.randomUUID() };
  await page.request.post(`${product.url}/api/customers`, { data: { phone, nickname: 'Slow line' }, headers });
  let answerTerms = () => {};
  const held = new Promise<void>((resolve) => {
    answerTerms = resolve;
  });
  await page.route('**/api/withdrawals/terms*', async (route) => {
    await held;
    await route.continue();
  });
  await page
    .getByRole('button', { name: say('withdrawals.add') })
    .first()
    .click();
  const form = inFront(walk);
  await form.locator('#customerId').fill(phone);
  await page.locator('.ant-select-item-option').filter({ hasText: phone }).filter({ visible: true }).click();
  await form.locator('#amountFen').fill('5');
  await form.getByRole('button', { name: say('withdrawals.add') }).click();
  await form.getByText(say('field.required')).waitFor();
  answerTerms();
  await form.getByText(say('error.withdrawal.too_little', { paid: '0.00', min: '1.00' })).waitFor();
});
