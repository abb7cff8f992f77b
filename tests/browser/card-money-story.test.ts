import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { adminPassword } from '@voltdeck/journeys/product';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, type NetworkWalk, networkWalk } from './network-walk.ts';
import { beginCharge } from './told-charge.ts';

const [lost, successor] = ['CA4D000000000001', 'CA4D000000000002'];
const phone = '13800006161';
const clerk = { userName: 'clerk', password: adminPassword };

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
let stationAt: { id: number; number: string };
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  const price = { electricity: 70_000, service: 30_000 };
  const tariffId = await api.createTariff({
    name: 'All day',
    kind: 'energy',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
  const number = 'STORY-1';
  const { id, password } = await api.createStation({ number, siteId: await api.createSite('Lakeside'), tariffId });
  stationAt = { id, number };
  station = await libraryStation(product.ocppUrl, { number, password });
  await database.pool.query(`update configs set value = '4000' where key = 'second_person_recharge_refund_fen'`);
  // One person applies for a withdrawal and passes it.
  await database.pool.query(`update configs set value = 'off' where key = 'second_person_withdrawal_fen'`);
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

async function home(who?: typeof clerk): Promise<NetworkWalk & { troubles: string[] }> {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url, who) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  return { ...networkWalk(opened.page, 'en'), troubles: opened.troubles };
}

/** What a list shows, the oldest first: of each row the cells under these heads. */
async function listed({ page, say }: NetworkWalk, title: string, heads: readonly string[]): Promise<string[][]> {
  const list = page.getByRole('region', { name: say('list.table', { title }) }).filter({ visible: true });
  await list.getByRole('row').nth(1).waitFor();
  await settled({ page });
  const places = await list
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((head) => head.getAttribute('aria-label')?.replace(' (¥)', '') ?? ''));
  const rows = await list.getByRole('row').all();
  const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allTextContents()));
  return cells
    .filter((row) => row.length > 0)
    .map((row) => heads.map((head) => row[places.indexOf(head)] ?? ''))
    .reverse();
}

test('the money of a card from its recharge over a charge, a refund, a loss and a withdrawal, each step in the records and in the books', async () => {
  const maker = await home();
  const { page, say } = maker;

  await chooseInMenu(maker, 'menu.promotionList');
  await press(page, say('promotions.add'));
  await inFront(maker).locator('#name').fill('Autumn gift');
  await inFront(maker).locator('#satisfiedFen').fill('100');
  await inFront(maker).locator('#giftFen').fill('20');
  await press(inFront(maker), say('promotions.add'));
  await page.getByText(say('promotions.saved', { name: 'Autumn gift' })).waitFor();

  await chooseInMenu(maker, 'menu.register', 'menu.registerUser');
  await press(page, say('customers.add'));
  await inFront(maker).locator('#phone').fill(phone);
  await inFront(maker).locator('#nickname').fill('Zhou');
  await press(inFront(maker), say('customers.add'));
  await page.getByText(say('customers.saved', { name: 'Zhou' })).waitFor();

  await chooseInMenu(maker, 'menu.card', 'menu.cardList');
  await press(page, say('cards.add'));
  await inFront(maker).locator('#number').fill(lost);
  await press(inFront(maker), say('cards.add'));
  await page.getByText(say('cards.issued', { number: lost })).waitFor();
  await actOn(maker, rowOf(page, lost), say('cards.bind'));
  await inFront(maker).locator('#customerPhone').fill(phone);
  await press(inFront(maker), say('cards.bind'));
  await page.getByText(say('cards.bound', { number: lost, phone })).waitFor();

  await chooseInMenu(maker, 'menu.recharge');
  const find = page.getByRole('searchbox', { name: say('recharges.findLabel') });
  await find.fill(lost);
  await find.press('Enter');
  const target = say('recharges.targetCard', { number: lost });
  await page.getByRole('button', { name: `${say('recharges.recharge')} ${target}` }).click();
  await inFront(maker).locator('#amountFen').fill('100');
  await inFront(maker)
    .getByText(say('recharges.promotionApplies', { name: 'Autumn gift', amount: '¥20.00' }))
    .waitFor();
  await press(inFront(maker), say('recharges.submit', { amount: '¥100.00' }));
  await page.getByText(say('recharges.doneBalance', { before: '¥0.00', after: '¥120.00' })).waitFor();

  // 20 kWh for ¥1.00 each, from the paid money.
  const charge = await beginCharge(api, { ...stationAt, cardNumber: lost, station }, { minutesAgo: 60, minutes: 20 });
  await charge.stop(20);
  const order = charge.order.number;
  // Without the list's own filter of today, since the charge began an hour ago.
  await page.goto(`${product.url}/orderListHistory?time=placed`);
  await rowOf(page, order).getByText('20.00').first().waitFor();

  await chooseInMenu(maker, 'menu.register', 'menu.chongzhiRecods');
  await page.getByText(say('movements.recharges'), { exact: true }).click();
  const recharge = await page
    .getByText(/^R\d{20}$/)
    .filter({ visible: true })
    .first()
    .textContent();
  await actOn(maker, rowOf(page, lost), say('recharges.refund'));
  await inFront(maker).locator('#amountFen').fill('50');
  await inFront(maker)
    .getByText(say('recharges.refundGift', { gift: '¥10.00' }))
    .waitFor();
  await inFront(maker).locator('#reason').fill('Moves away');
  await press(inFront(maker), say('recharges.refundVerb', { amount: '¥50.00' }));
  await page.getByText(/This waits for approval by somebody else, number P\d+/).waitFor();

  const checker = await home(clerk);
  await checker.page.getByRole('button', { name: say('shell.toApprove', { count: 1 }) }).click();
  await rowOf(checker.page, 'Moves away').getByRole('button', { name: /^P\d+/ }).click();
  await press(inFront(checker), say('approvals.approve'));
  const asked = say('approval-act.recharge_refund', { amount: '¥50.00', subject: recharge ?? '' });
  const question = checker.page.getByRole('dialog').filter({
    hasText: say('approvals.approveQuestion', { act: asked }),
  });
  await press(question, say('approvals.approve'));
  await checker.page.getByText(say('approvals.approved', { act: asked })).waitFor();

  await chooseInMenu(maker, 'menu.card', 'menu.cardList');
  await actOn(maker, rowOf(page, lost), say('cards.lose'));
  await press(inFront(maker), say('cards.lose'));
  await rowOf(page, lost).getByText(say('card-state.lost')).waitFor();
  await actOn(maker, rowOf(page, lost), say('cards.replace'));
  await inFront(maker)
    .getByText(say('cards.replaceIntro', { paid: '¥30.00', gift: '¥10.00', number: lost }))
    .waitFor();
  await inFront(maker).locator('#number').fill(successor);
  await press(inFront(maker), say('cards.replace'));
  await page.getByText(say('cards.replaced', { number: lost, successor })).waitFor();

  await actOn(maker, rowOf(page, successor), say('cards.cancel'));
  await inFront(maker).getByText(say('card-payout.customer')).click();
  await inFront(maker)
    .getByText(say('cards.cancelToHolder', { paid: '¥30.00', gift: '¥10.00', phone }))
    .waitFor();
  await inFront(maker).locator('#reason').fill('Moves away');
  await press(inFront(maker), say('cards.cancelVerb', { paid: '¥30.00' }));
  await page.getByText(say('cards.cancelled', { number: successor })).waitFor();

  await chooseInMenu(maker, 'menu.register', 'menu.refund');
  await press(page, say('withdrawals.add'));
  await inFront(maker).locator('#customerId').fill(phone);
  await page.locator('.ant-select-item-option').filter({ hasText: phone }).filter({ visible: true }).click();
  await inFront(maker).locator('#amountFen').fill('30');
  await inFront(maker).locator('#way').click();
  await page.getByTitle(say('withdrawal-way.desk')).filter({ visible: true }).click();
  await inFront(maker)
    .getByText(say('withdrawals.preview', { gift: '¥0.00', fee: '¥0.00', payout: '¥30.00' }))
    .waitFor();
  await press(inFront(maker), say('withdrawals.add'));
  const withdrawal = rowOf(page, phone);
  await actOn(maker, withdrawal, say('withdrawals.pass'));
  await press(inFront(maker), say('withdrawals.pass'));
  await withdrawal.getByText(say('withdrawal-state.in_review')).waitFor();
  await actOn(maker, withdrawal, say('withdrawals.byHand'));
  await inFront(maker).locator('#receipt').fill('CASH-61');
  await press(inFront(maker), say('withdrawals.byHand'));
  await withdrawal.getByText(say('withdrawal-state.processed')).waitFor();

  await chooseInMenu(maker, 'menu.register', 'menu.chongzhiRecods');
  await page.getByText(say('movements.all'), { exact: true }).click();
  await rowOf(page, order).waitFor();
  const recorded = [say('movements.type'), say('movements.number'), say('recharges.cardNumber')];
  const figures = [say('movements.paid'), say('movements.gift'), say('movements.balanceAfter')];
  const transferred = expect.stringMatching(/^T\d{20}$/);
  // The list shows what it knew of before until it has asked again.
  const movements = () => listed(maker, say('movements.title'), [...recorded, ...figures]);
  await expect.poll(movements, { timeout: 30_000 }).toEqual([
    [say('movement-type.system_recharge'), recharge, lost, '100.00', '20.00', '120.00'],
    [say('movement-type.consume'), order, lost, '-20.00', '0.00', '100.00'],
    [say('movement-type.withdrawal'), recharge, lost, '-50.00', '-10.00', '40.00'],
    [say('movement-type.transfer'), transferred, lost, '-30.00', '-10.00', '0.00'],
    [say('movement-type.transfer'), transferred, successor, '30.00', '10.00', '40.00'],
    [say('movement-type.gift_deducted'), expect.stringMatching(/^G\d{20}$/), successor, '0.00', '-10.00', '30.00'],
    [say('movement-type.transfer'), transferred, successor, '-30.00', '0.00', '0.00'],
    [say('movement-type.transfer'), transferred, '—', '30.00', '0.00', '30.00'],
    [say('movement-type.withdrawal'), expect.stringMatching(/^W\d{20}$/), '—', '-30.00', '0.00', '0.00'],
  ]);

  await chooseInMenu(maker, 'menu.ledgerList');
  const sides = [say('books.reason'), say('books.fromKind'), say('books.toKind'), say('books.amount')];
  const [balance, hold, leaving] = [
    say('account-kind.card'),
    say('account-kind.card-held'),
    say('account-kind.card-frozen'),
  ];
  const [wallet, walletLeaving] = [say('account-kind.customer'), say('account-kind.customer-frozen')];
  const channel = say('account-kind.channel');
  expect(await listed(maker, say('books.title'), sides)).toEqual([
    [say('transfer-reason.recharge'), channel, balance, '120.00'],
    [say('transfer-reason.hold'), balance, hold, '50.00'],
    // With what the hold returns to the balance.
    [say('transfer-reason.charge_settled'), hold, say('account-kind.electricity-income'), '50.00'],
    [say('transfer-reason.money_frozen'), balance, leaving, '60.00'],
    [say('transfer-reason.recharge_refund'), leaving, channel, '50.00'],
    [say('transfer-reason.transfer'), balance, balance, '40.00'],
    [say('transfer-reason.gift_deducted'), say('account-kind.card-gift'), say('account-kind.gift-expense'), '10.00'],
    [say('transfer-reason.transfer'), balance, wallet, '30.00'],
    [say('transfer-reason.money_frozen'), wallet, walletLeaving, '30.00'],
    [say('transfer-reason.withdrawal'), walletLeaving, channel, '30.00'],
  ]);
  await page.getByText(say('books.accounts'), { exact: true }).filter({ visible: true }).first().click();
  const accounts = await listed(maker, say('books.accounts'), [say('books.kind'), say('books.balance')]);
  // ¥100 came in, ¥50 and ¥30 went out, and ¥20 was charged with; nobody's balance or gift is left.
  expect(accounts.filter(([, left]) => left !== '0.00').sort()).toEqual([
    [channel, '-20.00'],
    [say('account-kind.electricity-income'), '14.00'],
    [say('account-kind.service-income'), '6.00'],
  ]);
  expect([...maker.troubles, ...checker.troubles]).toEqual([]);
});
