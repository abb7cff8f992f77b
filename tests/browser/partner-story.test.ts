import { text } from 'node:stream/consumers';
import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { actOn, chooseRecord, press, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, inFront, networkWalk } from './network-walk.ts';
import { accessibilityFaults } from './page-faults.ts';

const partner = { operatorId: 'MA0STORY1', name: 'Harbour Mobility', baseUrl: 'https://charge.example/evcs/v1.0' };
const sites = ['Lakeside', 'Hillside'];

let product: HostedProduct;
let api: Api;
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
  for (const name of sites) {
    const place = { regionCode: '330106', address: '1 Lake Road', longitude: 120.13, latitude: 30.26 };
    const needed = { kind: 'public', place: 'office', servicePhone: '400-800-1234', ownGrid: false };
    const { id } = await api.post<{ id: number }>('/sites', { name, ...place, ...needed });
    await api.createStation({ number: `AT-${name}`, siteId: id, tariffId });
    await api.ask('PATCH', `/sites/${id}`, { opened: true });
  }
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

test('a partner is added from its data sheet, its keys are shown once and kept as a file, and two sites are opened to it', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/home`);
  await settled(opened);
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;

  await chooseInMenu(walk, 'menu.hlht', 'menu.supOperatorList');
  await press(page, say('interop.add'));
  const form = inFront(walk);
  await form.locator('#operatorId').fill(partner.operatorId);
  await form.locator('#name').fill(partner.name);
  await form.locator('#baseUrl').fill(partner.baseUrl);
  await form.locator('#theirOperatorSecret').fill('their-operator-secret');
  await press(form, say('interop.add'));

  await page.getByText(say('interop.saved', { name: partner.name })).waitFor();
  await page.getByText(say('interop.onceTitle', { name: partner.name })).waitFor();
  const dialog = inFront(walk);
  await dialog.getByText('their-operator-secret').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const downloading = page.waitForEvent('download');
  await press(dialog, say('interop.downloadSheet'));
  const sheet = await text(await (await downloading).createReadStream());
  expect(sheet).toContain(partner.operatorId);
  expect(sheet).toContain('their-operator-secret');
  await press(dialog, say('interop.onceKept'));
  await dialog.waitFor({ state: 'hidden' });

  await actOn(walk, rowOf(page, partner.name), say('interop.openSites'));
  for (const site of sites) await chooseRecord(page, inFront(walk), '#siteIds', site);
  await page.keyboard.press('Escape');
  await press(inFront(walk), say('interop.openSites'));
  await page.getByText(say('interop.sitesOpened', { name: partner.name, count: 2 })).waitFor();

  await page.getByRole('link', { name: partner.name }).first().click();
  await page.getByRole('heading', { level: 1, name: partner.name }).waitFor();
  for (const site of sites) await rowOf(page, site).waitFor();
  await rowOf(page, 'th••••et').waitFor();
  expect(await page.content()).not.toContain('their-operator-secret');
});

test('interfaces that a partner has elsewhere are entered in rows, and an address that is none is refused there', async () => {
  const { id } = await api.post<{ id: number }>('/partners', { ...partner, operatorId: 'MA0STORY2', role: 'demand' });
  const urls = async () => (await api.get<{ interfaceUrls: object }>(`/partners/${id}`)).interfaceUrls;
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url) });
  await opened.page.goto(`${product.url}/supOperatorDetail?id=${id}`);
  await settled(opened);
  const walk = networkWalk(opened.page, 'en');
  const { page, say } = walk;

  await press(page, say('interop.change'));
  const form = inFront(walk);
  await press(form, say('interop.interfaceAdd'));
  await press(form, say('interop.interfaceAdd'));
  const name = form.getByRole('combobox', { name: say('interop.interfaceName', { number: 1 }) });
  await name.fill('notification_stationStatus');
  await name.press('Enter');
  await form.getByLabel(say('interop.interfaceUrl', { number: 1 })).fill('https://states.example/push');
  await form.getByLabel(say('interop.interfaceUrl', { number: 2 })).fill('ftp://states.example');
  await press(form, say('interop.save'));
  await form.getByText(say('field.web_address')).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await urls()).toEqual({});

  await press(form, say('interop.interfaceRemove', { number: 2 }));
  await press(form, say('interop.save'));
  await page.getByText(say('interop.saved', { name: partner.name })).waitFor();
  expect(await urls()).toEqual({ notification_stationStatus: 'https://states.example/push' });
  await opened.close();
});
