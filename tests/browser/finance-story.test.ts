import { buffer } from 'node:stream/consumers';
import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { readPages } from '@voltdeck/server/http/test-pdf';
import { instant, shanghaiDate } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, leave, newToken, settled } from './console-page.ts';
import { actOn, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, networkWalk } from './network-walk.ts';
import { beginCharge } from './told-charge.ts';

const cardNumber = 'CA4D000000000091';
const site = 'Harbour';
const dayMs = 86_400_000;
const today = shanghaiDate(instant(Date.now()));

let database: Awaited<ReturnType<typeof freshDatabase>>;
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
  const number = 'HARBOUR-1';
  const { id, password } = await api.createStation({ number, siteId: await api.createSite(site), tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  await api.createCard(cardNumber, 50_000);
  // 30 kWh: ¥21.00 of electricity and ¥9.00 of service, of which ¥5.00 go back.
  const charge = await beginCharge(api, { id, number, cardNumber, station }, { minutesAgo: 31, minutes: 30 });
  await charge.stop(30);
  order = charge.order;
  await api.post(`/orders/${order.id}/refunds`, { amountFen: 500, reason: 'The gun came loose' });
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

test.each(['en', 'zh-CN'] as const)(
  'a day’s statement down to its postings and on paper, what is owed and held, and a grid bill with its loss, by clicking (%s)',
  async (language) => {
    const opened = await consolePage(product, { language, token: await newToken(product.url) });
    const walk = networkWalk(opened.page, language);
    const { page, say } = walk;
    await page.goto(`${product.url}/home`);
    await settled(opened);
    await chooseInMenu(walk, 'menu.finance', 'menu.financeList');

    // The day: 30.00 came in and 5.00 went back.
    const day = rowOf(page, today, '30.00');
    await day.waitFor();
    for (const amount of ['21.00', '9.00', '5.00', '25.00'])
      await day.getByText(amount, { exact: true }).first().waitFor();
    await page.getByText(say('finance.note')).waitFor();

    // On paper.
    const downloading = page.waitForEvent('download');
    await actOn(walk, day, say('finance.print'));
    const file = await downloading;
    expect(file.suggestedFilename()).toContain(today);
    const [paper = ''] = await readPages(await buffer(await file.createReadStream()));
    expect(paper).toContain(`${say('finance.net')} 25.00`);
    expect(paper).toContain(site);

    // Its tab and its switches are in the address, and a site is one click away.
    await page.getByText(say('statement-subject.site'), { exact: true }).click();
    const ofSite = rowOf(page, today, site);
    await ofSite.waitFor();
    expect(page.url()).toContain('by=site');

    // From the refund to its order, and on to the books.
    await ofSite.getByRole('link', { name: '5.00', exact: true }).click();
    const refund = rowOf(page, order.number, say('statement-cause.refunded'));
    await refund.waitFor();
    await leave(page, () => actOn(walk, refund, say('finance.toBooks')));
    await rowOf(page, say('transfer-reason.refund_order'), order.number).waitFor();
    await page.goto(`${product.url}/financeList`);

    // 475.00 are on the card, 500.00 came in at the desk, and 25.00 are the platform's.
    await page.getByText(say('finance.holdings'), { exact: true }).first().click();
    const customers = page.getByRole('row', {
      name: new RegExp(say('holding.customers_paid').replaceAll(/[()]/g, '.')),
    });
    await customers.getByText('475.00').waitFor();
    await page.getByText(say('finance.agrees')).waitFor();
    await page.getByText('¥25.00').first().waitFor();
    await customers.getByRole('link').click();
    await rowOf(page, 'card:1', '475.00').waitFor();
    await press(page, say('finance.backToHoldings'));
    // Yesterday there was nothing.
    await page.goto(`${product.url}/financeList?tab=holdings&day=${shanghaiDate(instant(Date.now() - dayMs))}`);
    await page.getByText('¥0.00').first().waitFor();

    // The channels' bills are one click away.
    const tabs = page.getByRole('navigation', { name: say('finance.tabs') });
    await tabs.getByRole('link', { name: say('finance.reconciliation') }).click();
    await page.waitForURL('**/reconciliationList');
    await page.goto(`${product.url}/financeList`);

    // A bill of the grid for today: 40 kWh for the 30 that the port counted.
    await page.getByText(say('finance.margin'), { exact: true }).first().click();
    await rowOf(page, site, '25.00').waitFor();
    await page.getByText(say('finance.bills'), { exact: true }).click();
    await press(page, say('gridBills.add'));
    const form = inFront(walk);
    await form.locator('#siteId').fill(site);
    await page.locator('.ant-select-item-option').filter({ hasText: site }).filter({ visible: true }).click();
    await form.locator('#accountNumber').fill('3301000091');
    for (const field of ['#fromOn', '#toOn']) {
      await form.locator(field).fill(today);
      await form.locator(field).press('Enter');
    }
    await form.locator('#energyWh').fill('40');
    await form.locator('#amountFen').fill('28');
    await form.locator('#registerFromWh').fill('200');
    await form.locator('#registerToWh').fill('160');
    await press(form, say('gridBills.add'));
    await form.getByText(say('field.register_backwards', { from: '200', to: '160' })).waitFor();
    await form.locator('#registerFromWh').fill('120');
    await press(form, say('gridBills.add'));
    await form.waitFor({ state: 'hidden' });
    const bill = rowOf(page, '3301000091');
    await bill.getByText('25.00', { exact: true }).first().waitFor();
    await actOn(walk, bill, say('gridBills.lock'));
    await press(inFront(walk), say('gridBills.lock'));
    const lockedAt = async () =>
      (await api.get<{ items: { lockedAt: string | null }[] }>('/grid-bills')).items.map((each) => each.lockedAt);
    await expect.poll(lockedAt).toEqual([expect.any(String)]);
    // The other language begins without it.
    await database.pool.query('delete from grid_bills');

    // The browser logs the refusal of the form, and nothing else went wrong.
    expect(opened.troubles).toEqual([expect.stringContaining('422')]);
    await opened.close();
  },
);
