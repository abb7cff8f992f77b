import { text } from 'node:stream/consumers';
import type { Api, TariffForm } from '@voltdeck/journeys/api';
import { until } from '@voltdeck/journeys/until';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { liveClock } from '@voltdeck/simulator/clock';
import { type Bench, openBench } from '@voltdeck/simulator/tcec/bench';
import type { CheckId } from '@voltdeck/simulator/tcec/check';
import { testSettings, verdictsOf } from '@voltdeck/simulator/tcec/test-benches';
import type { VirtualStation } from '@voltdeck/simulator/virtual-station';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, chooseRecord, follow, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import {
  chooseInMenu,
  hungryVehicle,
  inFront,
  installedStation,
  type NetworkWalk,
  networkWalk,
} from './network-walk.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

const name = 'Harbour Mobility';
const sites = { agreed: 'Lakeside', usual: 'Hillside' };
const station = 'AT-Lakeside';
const agreed = 'Harbour agreement';
const ended = 'Agreement of last year';
/** Yuan per kWh times 1e5. */
const prices = {
  'All day': { electricity: 70_000, service: 30_000 },
  [agreed]: { electricity: 120_000, service: 80_000 },
  [ended]: { electricity: 110_000, service: 70_000 },
};
const tariffIds = new Map<string, number>();
/** With less, rounding would hide which of the rules priced it. */
const chargedWh = 150;

/** Another operator on a socket of its own, whose customers charge at our stations. */
let partner: Bench;
let product: HostedProduct;
let api: Api;
let charger: VirtualStation;
let opened: BrowserPage;
let walk: NetworkWalk;
beforeAll(async () => {
  product = await hostedProduct((await freshDatabase()).url);
  partner = await openBench(testSettings('demand', { url: `${product.url}/evcs/v1.0` }), liveClock());
  api = await product.signIn();
  charger = await stationsAtSites();
  opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  walk = networkWalk(opened.page, 'en');
});
afterAll(async () => {
  await opened?.close();
  await charger?.stop();
  await partner?.close();
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** Two sites that may be shown to others, each with a station; a vehicle stands at the one of the first. */
async function stationsAtSites(): Promise<VirtualStation> {
  const slots: TariffForm['slots'] = [{ start: '00:00', end: '24:00', period: 'flat' }];
  for (const [rule, price] of Object.entries(prices)) {
    const everyPeriod = { sharp: price, peak: price, flat: price, valley: price };
    const form = { name: rule, kind: 'energy', prices: everyPeriod, slots } as const;
    tariffIds.set(rule, await api.createTariff(form));
  }
  const tariffId = tariffIds.get('All day') ?? 0;
  const passwords = new Map<string, string>();
  for (const site of Object.values(sites)) {
    const place = { regionCode: '330106', address: '1 Lake Road', longitude: 120.13, latitude: 30.26 };
    const needed = { kind: 'public', place: 'office', servicePhone: '400-800-1234', ownGrid: false };
    const { id } = await api.post<{ id: number }>('/sites', { name: site, ...place, ...needed });
    const { number, password } = await api.createStation({ number: `AT-${site}`, siteId: id, tariffId, ports: 2 });
    passwords.set(number, password);
    await api.ask('PATCH', `/sites/${id}`, { opened: true });
  }
  const virtual = installedStation({ url: product.ocppUrl, number: station, password: passwords.get(station) ?? '' });
  virtual.start();
  await until('the station is online', () => virtual.isOnline);
  virtual.plugIn(1, hungryVehicle());
  return virtual;
}

/** What the other operator's people copy out of our data sheet. */
function keysIn(sheet: string) {
  const { say } = walk;
  const [, ours = ''] = sheet.split(`# ${say('key-direction.inbound')}`);
  const read = (label: string) => new RegExp(`^${label}: (.*?)\\r?$`, 'm').exec(ours)?.[1] ?? '';
  return {
    operatorSecret: read(say('interop.operatorSecret')),
    sigSecret: read(say('interop.sigSecret')),
    dataSecret: read(say('interop.dataSecret')),
    dataSecretIv: read(say('interop.dataSecretIv')),
  };
}

/** The checks that the other operator makes, and that our server passes. */
async function made(...ids: readonly CheckId[]): Promise<void> {
  const verdicts = await verdictsOf(partner, ({ id }) => ids.includes(id));
  expect(verdicts).toEqual(Object.fromEntries(ids.map((id) => [id, { kind: 'passed' }])));
}

const panelOf = (title: string): Locator =>
  walk.page.getByRole('region', { name: title }).filter({ visible: true }).first();

/** The names of the controls that a form says something wrong of. */
const refusedIn = (form: Locator): Promise<(string | null)[]> =>
  form
    .locator('[aria-invalid=true]')
    .evaluateAll((controls) => controls.map((control) => control.getAttribute('aria-label')));

/** What a kilowatt-hour costs here, rounded once for each fee. */
function feesOf(energyWh: number, { electricity, service }: { electricity: number; service: number }) {
  const [electricityFen, serviceFen] = [electricity, service].map((priceE5) => Math.round((energyWh * priceE5) / 1e6));
  return { electricityFen: electricityFen ?? 0, serviceFen: serviceFen ?? 0 };
}
const yuan = (fen: number) => (fen / 100).toFixed(2);

test('an operator is added from its data sheet with its keys, and ours are generated and kept as a file', async () => {
  const { page, say } = walk;
  await chooseInMenu(walk, 'menu.systemUser', 'menu.configList');
  await actOn(walk, rowOf(page, 'own_operator_id'), say('settings.edit'));
  await inFront(walk).locator('#value').fill(partner.settings.theirOperatorId);
  await press(inFront(walk), say('settings.save'));
  await rowOf(page, 'own_operator_id', partner.settings.theirOperatorId).waitFor();

  await chooseInMenu(walk, 'menu.hlht', 'menu.supOperatorList');
  await press(page, say('interop.add'));
  const form = inFront(walk);
  await form.locator('#operatorId').fill(partner.settings.operatorId);
  await form.locator('#name').fill(name);
  await form.locator('#baseUrl').fill(partner.url);
  const { operatorSecret, sigSecret, dataSecret, dataSecretIv } = partner.settings.ourKeys;
  await form.locator('#theirOperatorSecret').fill(operatorSecret);
  await form.locator('#theirSigSecret').fill(sigSecret);
  await form.locator('#theirDataSecret').fill(dataSecret);
  await form.locator('#theirDataSecretIv').fill(dataSecretIv);
  await press(form, say('interop.add'));

  await page.getByText(say('interop.saved', { name })).waitFor();
  await page.getByText(say('interop.onceTitle', { name })).waitFor();
  const dialog = inFront(walk);
  await dialog.getByText(operatorSecret).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const downloading = page.waitForEvent('download');
  await press(dialog, say('interop.downloadSheet'));
  const sheet = await text(await (await downloading).createReadStream());
  expect(sheet).toContain(partner.settings.theirOperatorId);
  expect(sheet).toContain(`${product.url}/evcs/v1.0`);
  partner.settings.theirKeys = keysIn(sheet);
  await press(dialog, say('interop.onceKept'));
  await dialog.waitFor({ state: 'hidden' });

  await follow(page, page.getByRole('link', { name }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await rowOf(page, 'se••••de').waitFor();
  expect(await page.content()).not.toContain(operatorSecret);
});

test('the test of the connection passes step by step, and has no stations to ask for', async () => {
  const { page, say } = walk;
  const panel = panelOf(say('connection.panel'));
  await press(panel, say('connection.test'));
  await panel.getByText(say('connection.passed'), { exact: true }).waitFor();
  const steps = await panel.getByRole('listitem').allInnerTexts();
  expect(steps).toHaveLength(4);
  for (const [index, step] of (['address', 'signature', 'token'] as const).entries()) {
    expect(steps[index]).toContain(say(`connection-step.${step}`));
    expect(steps[index]).toContain(say('step-outcome.passed'));
  }
  expect(steps[3]).toContain(say('step-skipped.no_stations'));
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('interfaces that it has elsewhere are entered in rows, are refused at their rows, and stand on its page', async () => {
  const { page, say } = walk;
  const elsewhere = `${partner.url}/status/notification_stationStatus`;
  await press(page, say('interop.change'));
  const form = inFront(walk);
  const urlOf = (number: number) => say('interop.interfaceUrl', { number });
  await press(form, say('interop.interfaceAdd'));
  await press(form, say('interop.interfaceAdd'));
  const first = form.getByRole('combobox', { name: say('interop.interfaceName', { number: 1 }) });
  await first.fill('notification_stationStatus');
  await first.press('Enter');
  await form.getByLabel(urlOf(1)).fill(elsewhere);
  await form.getByLabel(urlOf(2)).fill('ftp://charge.example');
  await press(form, say('interop.save'));
  await form.getByText(say('field.web_address')).waitFor();
  expect(await refusedIn(form)).toEqual([urlOf(2)]);
  expect(await accessibilityFaults(page)).toEqual([]);

  await form.getByLabel(urlOf(2)).fill('https://charge.example');
  await expect.poll(() => refusedIn(form)).toEqual([]);
  // Only a server that knows more than the form refuses what the form let pass.
  const change = '**/api/partners/*';
  await page.route(change, (route) =>
    route.request().method() === 'PUT'
      ? route.continue({ postData: route.request().postData()?.replace('https://charge.', 'ftp://charge.') ?? '' })
      : route.continue(),
  );
  await press(form, say('interop.save'));
  await form.getByText(say('field.web_address')).waitFor();
  expect(await refusedIn(form)).toEqual([urlOf(2)]);
  await page.unroute(change);

  await press(form, say('interop.interfaceRemove', { number: 2 }));
  await press(form, say('interop.save'));
  await page.getByText(say('interop.saved', { name })).first().waitFor();
  await form.waitFor({ state: 'hidden' });
  const rows = panelOf(say('interop.interfaceUrls')).getByRole('row');
  await rows.filter({ hasText: 'notification_stationStatus' }).getByText(elsewhere, { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);
});

test('two sites are opened to it, one with a billing rule of its own, and its deposit is entered', async () => {
  const { page, say } = walk;
  await press(page, say('interop.openSites'));
  const form = inFront(walk);
  for (const site of Object.values(sites)) await chooseRecord(page, form, '#siteIds', site);
  await page.keyboard.press('Escape');
  await form.getByText(say('interop.sitePricesHint', { rule: say('interop.stationsTariff') })).waitFor();
  const rule = say('interop.sitePriceRule', { number: 1 });
  await press(form, say('interop.sitePriceAdd'));
  await press(form, say('interop.openSites'));
  await form.getByText(say('field.required')).waitFor();
  expect(await refusedIn(form)).toEqual([rule]);

  await chooseRecord(page, form, '#prices_0_tariffId', ended);
  await api.ask('DELETE', `/tariffs/${tariffIds.get(ended)}`);
  await press(form, say('interop.openSites'));
  await form.getByText(say('field.unknown_reference')).waitFor();
  expect(await refusedIn(form)).toEqual([rule]);

  await chooseRecord(page, form, '#prices_0_tariffId', agreed);
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(form, say('interop.openSites'));
  await page.getByText(say('interop.sitesOpened', { name, count: 2 })).waitFor();
  await rowOf(page, sites.agreed, agreed).waitFor();
  await rowOf(page, sites.usual, say('interop.stationsTariff')).waitFor();

  await press(page, say('interop.deposit'));
  await inFront(walk).locator('#amountFen').fill('500');
  await inFront(walk).locator('#remark').fill('Bank reference 20261129');
  await press(inFront(walk), say('interop.deposit'));
  await press(inFront(walk), say('interop.deposit'));
  await page.getByText(say('interop.deposited', { amount: '¥500.00', balance: '¥500.00' })).waitFor();
  await panelOf(say('interop.facts')).getByText('¥500.00', { exact: true }).waitFor();
});

test('a charge that it starts and ends comes into the interconnected orders, to the fen of its agreement, and is confirmed', async () => {
  const { page, say } = walk;
  const registerWh = charger.connector(1).registerWh;
  await made('charge.start', 'charge.start-result');
  await until('the vehicle has charged', () => (charger.connector(1).charge?.energyWh ?? 0) >= chargedWh);
  await made('charge.stop', 'charge.stop-result', 'charge.order');
  const energyWh = charger.connector(1).registerWh - registerWh;
  const { electricityFen, serviceFen } = feesOf(energyWh, prices[agreed]);
  const amount = yuan(electricityFen + serviceFen);

  await chooseInMenu(walk, 'menu.hlht', 'menu.hlhtOrderList');
  const charge = rowOf(page, name, sites.agreed);
  await charge.getByText(say('order-state.completed')).waitFor();
  const sequence = (await charge.getByText(/^MA0BENCHD\d+$/).textContent()) ?? '';
  const filter = page.getByRole('textbox', { name: say('roaming.sequence') }).filter({ visible: true });
  await filter.fill(`${sequence.slice(0, -1)}9`);
  await filter.press('Enter');
  await charge.waitFor({ state: 'detached' });
  await filter.fill(sequence);
  await filter.press('Enter');
  await charge.waitFor();
  await charge.getByText(amount, { exact: true }).waitFor();
  const order = (await charge.getByRole('link').last().textContent()) ?? '';

  await follow(page, charge.getByRole('link', { name: order }));
  await page.getByText(`¥${amount}`, { exact: true }).filter({ visible: true }).first().waitFor();
  const fees = { electricity: `¥${yuan(electricityFen)}`, service: `¥${yuan(serviceFen)}` };
  await page.getByText(say('orders.sumParts', fees), { exact: true }).filter({ visible: true }).waitFor();
  await page
    .getByText(say('orders.pricedBy', { name: agreed }))
    .filter({ visible: true })
    .waitFor();

  await chooseInMenu(walk, 'menu.hlht', 'menu.supOperatorList');
  await actOn(walk, rowOf(page, name), say('interop.queue'));
  const told = rowOf(page, order, say('delivery-kind.order'));
  await told.getByText(say('delivery-state.delivered'), { exact: true }).waitFor();
  await told.getByText('"ConfirmResult":0').waitFor();
  // The interface and the rule that the server refused.
  expect(opened.troubles).toEqual([expect.stringContaining('422'), expect.stringContaining('422')]);
});

test('on a phone, in Chinese, removing the rule of a site brings back what everybody pays there', async () => {
  const phone = await consolePage(product, {
    language: 'zh-CN',
    token: await newToken(product.url),
    width: 375,
    height: 812,
    hasTouch: true,
  });
  const { page } = phone;
  const { say } = networkWalk(page, 'zh-CN');
  const { id } = (await api.get<{ items: { id: number }[] }>('/partners')).items[0] ?? { id: 0 };
  await page.goto(`${product.url}/supOperatorDetail?id=${id}`);
  await settled(phone);
  await press(page, say('interop.openSites'));
  const form = inFront({ page });
  await form.getByText(agreed, { exact: true }).waitFor();
  await settled(phone);
  expect(await overflowFaults(page)).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(form, say('interop.sitePriceRemove', { number: 1 }));
  await press(form, say('interop.openSites'));
  await form.waitFor({ state: 'hidden' });
  for (const site of Object.values(sites)) await rowOf(page, site, say('interop.stationsTariff')).waitFor();
  expect(phone.troubles).toEqual([]);
  await phone.close();
});
