import type { Api } from '@voltdeck/journeys/api';
import { noteRefusedStart, refusalRowsPerMinute } from '@voltdeck/server/attempts/note-refused-start';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makeOrder, makePlace, type Place } from '@voltdeck/server/http/test-records';
import { dayMs, hourMs, instant, shanghaiDayStart } from '@voltdeck/units/instant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { addPerson, type Person } from './people.ts';

const yesterday = instant(shanghaiDayStart(instant(Date.now())) - dayMs);
const refused = refusalRowsPerMinute + 5;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let product: HostedProduct;
let place: Place;
let analyst: Person;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  place = await makePlace(database, null, 'harbour');
  const at = (hours: number) => instant(yesterday + hours * hourMs);
  for (const hours of [8, 10, 12]) await makeOrder(database, place, at(hours));
  await makeOrder(database, place, at(14), { stop_reason: 'emergency_stop' });
  for (let asked = 0; asked < refused; asked += 1) {
    const { stationId } = place;
    const refusal = { startMode: 'card', cardNumber: 'NOBODY', dropOut: 'card_unknown' } as const;
    await noteRefusedStart(database.db, { ...refusal, at: instant(at(16) + asked * 100), stationId });
  }
  const api: Api = await product.signIn();
  analyst = await addPerson({ api, database, url: product.url }, 'analyst', ['startFunnel']);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** What the list says of all that it matches: its records, and how often somebody tried. */
async function expectListed(page: Page, rows: number, attempts: number) {
  const sums = page.getByRole('region', { name: `Sums over all ${rows}`, exact: true });
  await sums.getByText(String(attempts), { exact: true }).waitFor();
  await settled({ page });
}

test('figures lead to lists that say as many attempts, rows without a make among them', async () => {
  const token = await newToken(product.url);
  const { page, troubles, close } = await consolePage(product, { language: 'en', token });
  const figures = `${product.url}/quality`;
  await page.goto(figures);
  await page.getByRole('link', { name: `${refused + 4} attempts`, exact: true }).click();
  await expectListed(page, refusalRowsPerMinute + 4, refused + 4);
  await page.goto(figures);
  await page.getByRole('link', { name: 'Unknown card' }).click();
  await expectListed(page, refusalRowsPerMinute, refused);
  await page.goto(figures);
  const unnamed = page.getByRole('table', { name: 'League' }).getByRole('row', { name: /Not reported/ });
  await unnamed.getByRole('link', { name: String(refused + 4), exact: true }).click();
  await page.waitForURL(/unreported=make/);
  await expectListed(page, refusalRowsPerMinute + 4, refused + 4);
  await page.getByRole('button', { name: 'Back to the figures' }).click();
  await page.getByRole('link', { name: '5 visits' }).waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('a period that begins before attempts are kept says so, over the figures and over their list', async () => {
  const token = await newToken(product.url);
  const { page, close } = await consolePage(product, { language: 'en', token });
  const said = page.getByText(/Individual attempts are kept for 400 days/);
  await page.goto(`${product.url}/quality?from=2020-01-01T00:00:00.000Z&to=2020-02-01T00:00:00.000Z`);
  await said.waitFor();
  await page.goto(`${product.url}/quality?view=attempts&from=2020-01-01T00:00:00.000Z`);
  await said.waitFor();
  await page.goto(`${product.url}/quality`);
  await page.getByRole('link', { name: '5 visits' }).waitFor();
  expect(await said.count()).toBe(0);
  await close();
});

test('who may not read sites or agents is not offered a filter by them', async () => {
  const { page, troubles, close } = await consolePage(product, { language: 'en', token: analyst.token });
  await page.goto(`${product.url}/quality`);
  await page.getByRole('link', { name: '5 visits' }).waitFor();
  await page.getByRole('combobox', { name: 'Started by' }).waitFor();
  for (const name of ['Site', 'Agent']) expect(await page.getByRole('combobox', { name, exact: true }).count()).toBe(0);
  expect(troubles).toEqual([]);
  await close();
});
