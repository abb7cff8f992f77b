import type { Api, Language } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeThatEndsNow } from './charge-that-ends-now.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { chooseRecord, follow, press } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { inFront, type NetworkWalk, networkWalk, signInAs } from './network-walk.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';
import type { NetworkStation } from './told-charge.ts';

const cardNumber = 'CA4D000000000072';
const customerPhone = '13800007272';
const ownPassword = 'quiet-meadow-58';

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
let charger: NetworkStation;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  const price = { electricity: 70_000, service: 40_000 };
  const tariffId = await api.createTariff({
    name: 'All day',
    kind: 'energy',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
  const number = 'SHARED-1';
  const siteId = await api.createSite('Lakeside');
  await api.createSite('Hillside');
  const { id, password } = await api.createStation({ number, siteId, tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  const { id: customerId } = await api.post<{ id: number }>('/customers', {
    phone: customerPhone,
    nickname: 'Zhou Min',
  });
  await api.post('/cards', { number: cardNumber, customerId });
  await api.recharge({ cardNumber }, 50_000);
  charger = { id, number, cardNumber, station };
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test.each(['zh-CN', 'en'] as const)(
  'a divider is added with terms by clicking, signs in, and sees its income of the next order and nothing else, in %s',
  async (language: Language) => {
    const [name, other, loginName] =
      language === 'en' ? ['Lakeside Property', 'Lakeside Parking', 'lakeside'] : ['湖滨物业', '湖滨停车', 'hubin'];
    const admin = await consolePage(product, { language, token: await newToken(product.url) });
    const desk = networkWalk(admin.page, language);
    const { page, say } = desk;
    await page.goto(`${product.url}/accountChildren`);
    await press(page, say('dividers.add'));
    const form = inFront(desk);
    await form.locator('#name').fill(name);
    await form.locator('#loginName').fill(loginName);
    await press(form, say('dividers.add'));
    const once = inFront(desk).filter({ hasText: say('users.onceText') });
    const initialPassword =
      (await once
        .getByText(/^[A-HJ-NP-Za-kmnp-z2-9]{16}$/)
        .first()
        .textContent()) ?? '';
    await press(once, say('users.onceKept'));

    // Its terms at one site, by the form that says what is left.
    const others = await api.post<{ id: number }>('/dividers', { name: other });
    const sites = await api.get<{ items: { id: number; name: string }[] }>('/sites');
    const lakeside = sites.items.find((site) => site.name === 'Lakeside');
    await api.post(`/dividers/${others.id}/terms`, {
      siteId: lakeside?.id,
      electricityPercent: 45,
      servicePercent: 5,
      occupancyPercent: 0,
    });
    await follow(page, page.getByRole('link', { name, exact: true }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await press(page, say('dividers.addTerms'));
    const terms = inFront(desk);
    await chooseRecord(page, terms, '#siteId', 'Lakeside');
    await terms.getByRole('rowheader', { name: other }).waitFor();
    await terms
      .getByRole('row')
      .filter({ hasText: say('dividers.left') })
      .getByText('95%')
      .waitFor();
    await terms.locator('#electricityPercent').fill('60');
    await terms.locator('#servicePercent').fill('12.5');
    await press(terms, say('dividers.addTerms'));
    await terms.getByText(`${other} 45%`).waitFor();
    expect(await overflowFaults(page)).toEqual([]);
    await terms.locator('#electricityPercent').fill('10');
    await terms.locator('#servicePercent').fill('96');
    await press(terms, say('dividers.addTerms'));
    await terms.getByText(`${other} 5%`).waitFor();
    const faultAt = (field: string) =>
      terms
        .locator('.ant-form-item')
        .filter({ has: page.locator(field) })
        .locator('.ant-form-item-explain-error');
    await faultAt('#servicePercent').waitFor();
    await expect.poll(() => faultAt('#electricityPercent').count()).toBe(0);
    await terms.locator('#servicePercent').fill('12.5');
    await press(terms, say('dividers.addTerms'));
    await terms.waitFor({ state: 'hidden' });
    const row = page
      .getByRole('row')
      .filter({ has: page.getByText('Lakeside', { exact: true }), visible: true })
      .first();
    await row.getByText('12.5').waitFor();

    // The same terms for many sites, one of which has no room.
    await press(page, say('dividers.addTermsAtSites'));
    const batch = inFront(desk);
    for (const site of ['Lakeside', 'Hillside']) await chooseRecord(page, batch, '#siteIds', site);
    await page.keyboard.press('Escape');
    await batch.locator('#electricityPercent').fill('50');
    await press(batch, say('dividers.batchVerb', { count: 2 }));
    const outcome = page.getByRole('dialog', { name: say('dividers.batchResult') });
    await outcome.getByText(say('dividers.batchDone', { added: 1, count: 2 })).waitFor();
    await outcome.getByText(`${other} 45%`).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(outcome, say('dividers.close'));

    const order = await chargeThatEndsNow(api, charger);
    const opened = await consolePage(product, { language, token: null, width: 375, height: 800 });
    const own = networkWalk(opened.page, language);
    await own.page.goto(product.url);
    await signInAs(own, { userName: loginName, password: initialPassword });
    await replacePassword(own, initialPassword);
    await own.page.waitForURL('**/login*');
    await signInAs(own, { userName: loginName, password: ownPassword });
    await own.page.waitForURL('**/dividerIncome');
    await settled(opened);
    // 20 kWh: 10 % of ¥14 and 12.5 % of ¥8.
    await own.page.getByText('¥2.40').first().waitFor();
    await own.page.getByText(order.number).first().waitFor();
    // At which site it shares, and how much.
    const where = own.page.getByRole('region', { name: say('dividers.terms') });
    await where.getByRole('row').filter({ hasText: 'Lakeside' }).filter({ hasText: '12.5%' }).waitFor();
    const seen = (await own.page.locator('body').textContent()) ?? '';
    for (const secret of [cardNumber, customerPhone, 'Zhou Min', other, '¥22.00']) expect(seen).not.toContain(secret);
    expect(await overflowFaults(own.page)).toEqual([]);
    expect(await accessibilityFaults(own.page)).toEqual([]);
    await own.page.getByRole('button', { name: say('shell.openSidebar') }).click();
    const menu = own.page.getByRole('navigation', { name: say('shell.mainMenu') }).filter({ visible: true });
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      say('menu.dividerIncome'),
      say('menu.taskList'),
    ]);
    await own.page.keyboard.press('Escape');
    await own.page.getByRole('button', { name: new RegExp(`^${say('shell.account')}`) }).click();
    await own.page.getByRole('menuitem', { name: say('shell.profile') }).waitFor();
    const account = await own.page.getByRole('menuitem').allTextContents();
    // All of it would be refused.
    expect(account).not.toContain(say('shell.screen'));
    for (const path of ['/orderListHistory', '/accountChildren', '/registerUser', '/shareTerms']) {
      await own.page.goto(product.url + path);
      await own.page.waitForURL('**/dividerIncome');
    }
    await opened.close();

    // The divider is disabled with its terms, and stays out.
    await press(page, say('dividers.disable'));
    await inFront(desk).getByRole('switch').click();
    await press(inFront(desk), say('dividers.disable'));
    await page.getByText(say('dividers.isDisabled')).waitFor();
    await row.getByText(say('term-state.over')).waitFor();
    await api.ask('PUT', `/dividers/${others.id}/enabled`, { enabled: false, endTerms: true });
    await admin.close();
  },
);

async function replacePassword({ page, say }: NetworkWalk, initialPassword: string): Promise<void> {
  await page.getByLabel(say('shell.oldPassword'), { exact: true }).fill(initialPassword);
  await page.getByLabel(say('shell.newPassword'), { exact: true }).fill(ownPassword);
  await page.getByLabel(say('shell.repeatPassword'), { exact: true }).fill(ownPassword);
  await press(page, say('shell.changePassword'));
}

test('what the platform keeps is set by default, at many sites, and cleared, by clicking', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;
  await page.goto(`${product.url}/accountChildren`);
  await page
    .getByRole('main')
    .getByRole('link', { name: say('dividers.commission') })
    .click();
  await page.waitForURL('**/shareTerms');
  await page.getByText(say('shareTerms.notSet')).waitFor();
  await press(page, say('shareTerms.setDefault'));
  await inFront(walk).locator('#channelFeePercent').fill('0.25');
  await inFront(walk).locator('#servicePercent').fill('8');
  await press(inFront(walk), say('shareTerms.save'));
  await page.getByText('0.25%').first().waitFor();
  await inFront(walk).waitFor({ state: 'hidden' });
  for (const site of ['Lakeside', 'Hillside']) {
    await page.getByRole('row').filter({ hasText: site }).getByRole('checkbox').check();
  }
  await press(page, say('shareTerms.setMany'));
  await inFront(walk).locator('#servicePercent').fill('10.55');
  await press(inFront(walk), say('shareTerms.save'));
  await page.getByText(say('shareTerms.saved', { count: 2 })).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Hillside' });
  await row.getByText('10.55').waitFor();
  await row.getByText(say('shareTerms.isConfigured'), { exact: true }).waitFor();
  await press(row, say('shareTerms.clear'));
  await press(inFront(walk), say('shareTerms.clear'));
  await row.getByText(say('shareTerms.hasDefault'), { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await opened.close();
});
