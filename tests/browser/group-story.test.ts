import { buffer } from 'node:stream/consumers';
import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation, tellFree } from '@voltdeck/journeys/library-station';
import { until } from '@voltdeck/journeys/until';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { xlsxStream } from '@voltdeck/server/http/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPage } from './browser-page.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, chooseRecord, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, networkWalk } from './network-walk.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

const number = 'FLEET-1';
const [driver, stranger, tooShort] = ['13800007001', '13800007002', '138'];
const group = 'Lakeside Logistics';

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
beforeAll(async () => {
  product = await hostedProduct((await freshDatabase()).url);
  api = await product.signIn();
  const price = { electricity: 70_000, service: 30_000 };
  const tariffId = await api.createTariff({
    name: 'All day',
    kind: 'energy',
    prices: { sharp: price, peak: price, flat: price, valley: price },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
  const { password } = await api.createStation({ number, siteId: await api.createSite('Lakeside'), tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L2' });
  await tellFree(station);
  for (const phone of [driver, stranger]) await api.post('/customers', { phone, nickname: 'Driver' });
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** The digits of the last message to the driver, which the embedded sender writes to the log. */
function codeOf(): string | null {
  const line = product.output.findLast((one) => one.includes('"short message"') && one.includes(driver));
  return line === undefined ? null : (JSON.parse(line) as { code: string }).code;
}

type Row = { phone: string; name: string };

/** A workbook of drivers. */
function driversFile(rows: readonly Row[]): Promise<Buffer> {
  const columns = [
    { head: 'Phone *', widthCharacters: 12, cell: ({ phone }: Row) => ({ text: phone }) },
    { head: 'Name', widthCharacters: 12, cell: ({ name }: Row) => ({ text: name }) },
  ];
  async function* batches() {
    yield rows;
  }
  return buffer(xlsxStream('Users', columns, batches()));
}

/** The driver scans the port, lets the group pay and charges 20 kWh. @returns the number on the bill. */
async function chargeOfDriver(page: Page): Promise<string> {
  await page.goto(`${product.url}/charge/${number}-1`);
  await page.getByLabel('Phone number').fill(driver);
  await page.getByRole('button', { name: 'Send a code' }).click();
  const field = page.getByLabel('Code from the message');
  await field.waitFor();
  await field.fill(await until('the message was sent', codeOf));
  await page.getByRole('button', { name: 'Sign in' }).click();

  const start = page.getByRole('button', { name: 'Start charging' });
  await page.getByText('You may still spend ¥500.00 of the group.').waitFor();
  expect(await page.getByRole('radio', { name: group }).isChecked()).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflowFaults(page)).toEqual([]);
  await page.getByText('Myself', { exact: true }).click();
  await page.getByText('Your balance is too low').waitFor();
  expect(await start.isVisible()).toBe(false);
  await page.getByText(group, { exact: true }).click();
  await start.click();
  await page.getByRole('heading', { level: 1, name: 'Waiting for the station' }).waitFor();
  const asked = await until('the station is asked to start', () =>
    station.asked.find(({ action }) => action === 'RemoteStartTransaction'),
  );
  const { idTag } = asked.payload as { idTag: string };
  const endMs = Math.floor(Date.now() / 1_000) * 1_000;
  const { transactionId } = await station.call('StartTransaction', {
    connectorId: 1,
    idTag,
    meterStart: 0,
    timestamp: new Date(endMs).toISOString(),
  });
  await station.call('StopTransaction', {
    transactionId,
    idTag,
    meterStop: 10,
    timestamp: new Date(endMs + 1_000).toISOString(),
    reason: 'Local',
  });
  await page.getByRole('heading', { level: 1, name: 'Charge complete' }).waitFor();
  await page.locator('dd').getByText(group).waitFor();
  return (await page.locator('dd').last().textContent()) ?? '';
}

test('a group is added, recharged and joined by imported drivers, pays for the charge of one and shows it in its orders and its statement', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;

  await chooseInMenu(walk, 'menu.groupCharge', 'menu.groupList');
  await press(page, say('groups.add'));
  await inFront(walk).locator('#name').fill(group);
  await inFront(walk).locator('#contact').fill('Li Lei');
  await inFront(walk).locator('#contactPhone').fill('13800000000');
  await inFront(walk).locator('#monthLimitFen').fill('500');
  await press(inFront(walk), say('groups.add'));
  await page.getByText(say('groups.added', { name: group })).waitFor();

  await actOn(walk, rowOf(page, group), say('groups.recharge'));
  await inFront(walk).locator('#amountFen').fill('1000');
  await press(inFront(walk), say('groups.recharge'));
  await page.getByText(say('groups.rechargedNow', { amount: '¥1,000.00', balance: '¥1,000.00' })).waitFor();

  await chooseInMenu(walk, 'menu.groupCharge', 'menu.userList');
  await press(page, say('groupMembers.import'));
  await chooseRecord(page, inFront(walk), '#group-import-group', group);
  await inFront(walk)
    .locator('input[type=file]')
    .setInputFiles({
      name: 'drivers.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await driversFile([
        { phone: driver, name: 'Driver Wang' },
        { phone: tooShort, name: 'Nobody' },
        { phone: stranger, name: 'Stranger Li' },
      ]),
    });
  await inFront(walk)
    .getByText(say('groupImport.checked', { name: 'drivers.xlsx', good: 2, bad: 1 }))
    .waitFor();
  await rowOf(page, '3', tooShort).waitFor();
  await press(inFront(walk), say('groupImport.start', { count: 2 }));
  await page.getByText(say('groupImport.done', { count: 2 })).waitFor();

  await actOn(walk, rowOf(page, driver), say('groupMembers.agree'));
  await press(inFront(walk), say('groupMembers.agree'));
  await rowOf(page, driver).getByText(say('group-member-state.bound')).waitFor();
  await actOn(walk, rowOf(page, stranger), say('groupMembers.refuse'));
  await inFront(walk).locator('#opinion').fill('Not one of the drivers');
  await press(inFront(walk), say('groupMembers.refuse'));
  await rowOf(page, stranger, 'Not one of the drivers').getByText(say('group-member-state.refused')).waitFor();

  const phone = await browserPage({ width: 390, height: 844, language: 'en', hasTouch: true });
  const order = await chargeOfDriver(phone.page);
  expect(phone.troubles).toEqual([]);
  await phone.close();

  await chooseInMenu(walk, 'menu.groupCharge', 'menu.groupOrderList');
  await rowOf(page, order, group).waitFor();
  await page.goto(`${product.url}/orderListHistory?groupOrder=true`);
  await rowOf(page, order).waitFor();

  await chooseInMenu(walk, 'menu.groupCharge', 'menu.groupList');
  await rowOf(page, group).getByText('999.99').first().waitFor();
  await actOn(walk, rowOf(page, group), say('groups.statement'));
  for (const [verb, ending] of [
    ['groups.statementXlsx', 'xlsx'],
    ['groups.statementPdf', 'pdf'],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await press(inFront(walk), say(verb));
    expect((await downloading).suggestedFilename()).toContain(`.${ending}`);
  }
  expect(opened.troubles).toEqual([]);
});
