import { buffer } from 'node:stream/consumers';
import type { Invoice } from '@voltdeck/contract/invoices';
import type { Api } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, type NetworkWalk, networkWalk } from './network-walk.ts';
import { beginCharge } from './told-charge.ts';

const phone = '13800007171';
const cardNumber = 'CA4D000000000071';
const company = { title: 'Lakeside Logistics Ltd', taxNumber: '91350100M000100Y43' };

let product: HostedProduct;
let api: Api;
let station: LibraryStation;
let orders: { id: number; number: string }[] = [];
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
  const number = 'INVOICED-1';
  const { id, password } = await api.createStation({ number, siteId: await api.createSite('Lakeside'), tariffId });
  station = await libraryStation(product.ocppUrl, { number, password });
  const { id: customerId } = await api.post<{ id: number }>('/customers', { phone, nickname: 'Zhou' });
  await api.post('/cards', { number: cardNumber, customerId });
  await api.recharge({ cardNumber }, 50_000);
  // 30 kWh each, ¥21.00 of electricity and ¥9.00 of service.
  for (const minutesAgo of [300, 200]) {
    const charge = await beginCharge(api, { id, number, cardNumber, station }, { minutesAgo, minutes: 30 });
    await charge.stop(30);
    orders.push(charge.order);
  }
  orders = orders.sort((a, b) => a.id - b.id);
});
afterAll(async () => {
  await station.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function applyFor(walk: NetworkWalk, order: { number: string }): Promise<void> {
  const { page, say } = walk;
  await press(page, say('invoices.add'));
  const form = inFront(walk);
  await form.locator('#customerId').fill(phone);
  await page.locator('.ant-select-item-option').filter({ hasText: phone }).filter({ visible: true }).click();
  await form.getByRole('checkbox', { name: order.number }).check();
  await form.getByText(say('invoices.chosen', { count: 1, amount: '¥30.00' })).waitFor();
  await form.getByText(say('invoice-title-kind.company'), { exact: true }).click();
  await form.locator('#title').fill(company.title);
  await form.locator('#taxNumber').fill('91350100M000100Y44');
  await form.locator('#email').fill('tax@lakeside.example');
  await press(form, say('invoices.add'));
  await form.getByText(say('field.tax_number')).waitFor();
  await form.locator('#taxNumber').fill(company.taxNumber);
  await press(form, say('invoices.add'));
  await form.waitFor({ state: 'hidden' });
}

test('an invoice from its application over its rejection, its PDF and its sending to the red letter after a refund, by clicking', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;
  await page.goto(`${product.url}/home`);
  await settled(opened);
  const [first, second] = orders;
  if (first === undefined || second === undefined) throw new Error('two charges were not settled');
  await chooseInMenu(walk, 'menu.invoiceList');

  await applyFor(walk, first);
  const row = rowOf(page, company.title);
  // The state in the specification's words, and the step beside it.
  await row.getByText(say('invoice-state.waiting'), { exact: true }).first().waitFor();

  // What a review wants is said in the specification's words.
  await press(page, say('invoices.reviewMany'));
  await press(inFront(walk), say('invoices.reviewMany'));
  await inFront(walk).getByText(say('error.invoice.decision_required')).waitFor();
  await inFront(walk).getByText(say('invoices.decision.pass'), { exact: true }).click();
  await press(inFront(walk), say('invoices.reviewMany'));
  await inFront(walk).getByText(say('error.invoice.none_selected')).waitFor();
  await page.keyboard.press('Escape');
  await press(inFront(walk), say('shell.leave'));
  await actOn(walk, row, say('invoices.reject'));
  await press(inFront(walk), say('invoices.reject'));
  await inFront(walk).getByText(say('error.invoice.reason_required')).waitFor();
  await inFront(walk).locator('#reason').fill('The header is of another company');
  await press(inFront(walk), say('invoices.reject'));
  await row.getByText(say('invoice-step.rejected'), { exact: true }).waitFor();
  await row.getByText(say('invoice-state.failed'), { exact: true }).waitFor();
  await row.getByText('The header is of another company').waitFor();

  // A rejected application leaves its order to be applied for again.
  await applyFor(walk, first);
  const again = rowOf(page, company.title, say('invoice-step.review'));
  await again.waitFor();
  await again.getByRole('checkbox').check();
  await page.getByText(say('list.selected', { count: 1 }), { exact: true }).waitFor();
  await page
    .getByRole('button', { name: new RegExp(`${say('invoices.reviewMany')}$`) })
    .filter({ visible: true })
    .last()
    .click();
  await inFront(walk).getByText(say('invoices.decision.pass'), { exact: true }).click();
  await press(inFront(walk), say('invoices.reviewMany'));
  const issued = rowOf(page, company.title, say('invoice-step.issued'));
  await issued.waitFor();
  // No service sends mail here, and nobody pretends that one does.
  await issued.getByText(say('invoice-delivery.by_hand')).waitFor();

  const downloading = page.waitForEvent('download');
  await actOn(walk, issued, say('invoices.download'));
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^I\d{20}\.pdf$/);
  expect((await buffer(await file.createReadStream())).subarray(0, 5).toString()).toBe('%PDF-');

  await actOn(walk, issued, say('invoices.send'));
  await inFront(walk).locator('#email').fill('another@lakeside.example');
  await press(inFront(walk), say('invoices.send'));
  await page.getByText(/Invoice I\d+ is to be sent/).waitFor();

  // The order says on which invoice it is.
  await page.goto(`${product.url}/orderListDetailHistory?id=${first.id}`);
  await page
    .getByRole('link', { name: /^I\d{20}$/ })
    .first()
    .waitFor();
  await page.getByText(say('invoice-step.issued')).first().waitFor();

  await api.post(`/orders/${first.id}/refunds`, { amountFen: 1_000, reason: 'The gun came loose' });
  await page.goto(`${product.url}/invoiceList?attention=red_letter_needed`);
  const flagged = rowOf(page, company.title, say('invoice-attention.red_letter_needed'));
  await flagged.waitFor();
  await actOn(walk, flagged, say('invoices.redLetter'));
  await inFront(walk).locator('#reason').fill('An order was refunded');
  await press(inFront(walk), say('invoices.redLetter'));
  await flagged.waitFor({ state: 'hidden' });
  // First what was refunded, and the invoice stands for the rest.
  await page.goto(`${product.url}/invoiceList`);
  const part = rowOf(page, company.title, say('invoice-kind.red'));
  await part.getByText('-10.00').waitFor();
  const standing = rowOf(page, company.title, say('invoice-kind.blue'), say('invoice-step.issued'));
  await actOn(walk, standing, say('invoices.viewDetail'));
  await inFront(walk)
    .getByText(say('invoices.standing', { taken: '¥10.00', rest: '¥20.00' }))
    .waitFor();
  await inFront(walk).getByText(say('invoices.redPart')).waitFor();
  await inFront(walk).getByText(say('invoice-call.document')).first().waitFor();
  await page.keyboard.press('Escape');
  await actOn(walk, standing, say('invoices.redLetter'));
  await inFront(walk)
    .getByText(say('invoices.redIntro', { amount: '¥20.00' }))
    .waitFor();
  await inFront(walk).locator('#reason').fill('The buyer wants another header');
  await press(inFront(walk), say('invoices.redLetter'));
  const taken = rowOf(page, company.title, say('invoice-step.reddened'));
  await taken.waitFor();
  const red = rowOf(page, company.title, say('invoice-kind.red'));
  await red.getByText('-20.00').waitFor();

  // The page of the invoice tells its story.
  await actOn(walk, taken, say('invoices.viewDetail'));
  const drawer = inFront(walk);
  await drawer.getByText(say('invoice-event.end_red_letter')).first().waitFor();
  for (const event of ['apply', 'pass', 'issue', 'to_deliver_by_hand', 'refund', 'red_letter'] as const) {
    await drawer
      .getByText(say(`invoice-event.${event}`))
      .first()
      .waitFor();
  }
  await drawer.getByText(first.number).first().waitFor();
  await page.keyboard.press('Escape');

  // What is left of the refunded order can be invoiced now; the other one never was.
  const { items } = await api.get<{ items: Invoice[] }>('/invoices?pageSize=100');
  expect(items.map(({ kind, state, amountFen }) => `${kind} ${state} ${amountFen}`).sort()).toEqual([
    'blue failed 3000',
    'blue voided 3000',
    'red invoiced -1000',
    'red invoiced -2000',
  ]);
  const rest = await api.post<Invoice>('/invoices', {
    orderIds: [first.id, second.id],
    titleKind: 'personal',
    title: 'Zhou',
  });
  expect(rest.amountFen).toBe(5_000);
  // The browser logs each refusal, and nothing else went wrong.
  expect(opened.troubles).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('422')));
  await opened.close();
});
