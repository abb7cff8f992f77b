import { makeOrder, makePlace } from '@voltdeck/server/http/test-records';
import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { ruleWalk } from './rule-walk.ts';

const numbers = ['FIRST-ORDER', 'SECOND-ORDER'] as const;
const walk = ruleWalk(async ({ database }) => {
  const place = await makePlace(database, null, 'cut off');
  for (const number of numbers) await makeOrder(database, place, instant(Date.now() - 3_600_000), { number });
});
/** Without a filter it starts with today, which may be minutes old. */
const history = '/orderListHistory?time=placed';
/** The first retry comes after 10 s, so a message within this time did not wait for it. */
const atOnceMs = 9_000;

test('without a network a page says so at once, keeps its content, and loads when the network is back', async () => {
  const page = await walk.open(history, { language: 'en', isTroubled: true });
  await page.getByRole('link', { name: numbers[0], exact: true }).waitFor();
  const bar = page.getByRole('status').getByText('No network.');

  // Neither the page's code nor its data has been loaded before.
  await page.context().setOffline(true);
  await bar.waitFor({ timeout: atOnceMs });
  await page.getByRole('link', { name: numbers[0], exact: true }).click();
  await page.waitForURL(/orderListDetailHistory/);
  // The last parts of the page whose code is fetched.
  const invoices = page.waitForResponse(/\/api\/invoices\?/);
  await page.context().setOffline(false);
  const glance = page.getByRole('region', { name: 'Order at a glance' }).filter({ visible: true });
  await glance.getByText(numbers[0]).waitFor();
  await bar.waitFor({ state: 'hidden' });
  await invoices;
  await page.getByRole('region', { name: 'Shares', exact: true }).waitFor();

  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refresh', exact: true }).filter({ visible: true }).click();
  await bar.waitFor({ timeout: atOnceMs });
  expect(await glance.getByText(numbers[0]).isVisible()).toBe(true);

  await page.context().setOffline(false);
  await page.locator(`li[data-key] a[href^="/orderListHistory"]`).click();
  const second = page.getByRole('link', { name: numbers[1], exact: true });
  await second.waitFor();
  await page.context().setOffline(true);
  await second.click();
  const failed = page.getByRole('alert').filter({ visible: true, hasText: 'Could not load' });
  await failed.first().waitFor({ timeout: atOnceMs });
  await page.context().setOffline(false);
  await glance.getByText(numbers[1]).waitFor();
  expect(await failed.count()).toBe(0);
});

test('an unreachable server is reported at once, while the request is being retried', async () => {
  const page = await walk.open(history, { language: 'en', isTroubled: true });
  await page.getByRole('link', { name: numbers[0], exact: true }).waitFor();
  await page.route('**/api/orders/*', (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: numbers[0], exact: true }).click();
  const bar = page.getByRole('status').getByText('Connection lost, reconnecting');
  await bar.waitFor({ timeout: atOnceMs });
  await page.unroute('**/api/orders/*');
  await page.getByRole('region', { name: 'Order at a glance' }).getByText(numbers[0]).waitFor();
  await bar.waitFor({ state: 'hidden' });
});

test('without a network a form whose code was not loaded before leaves its page as it is, and opens when the network is back', async () => {
  const page = await walk.open(history, { language: 'en', isTroubled: true });
  const invoices = page.waitForResponse(/\/api\/invoices\?/);
  await page.getByRole('link', { name: numbers[0], exact: true }).click();
  const glance = page.getByRole('region', { name: 'Order at a glance' }).filter({ visible: true });
  await glance.getByText(numbers[0]).waitFor();
  await invoices;
  await page.getByRole('region', { name: 'Shares', exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByRole('status').getByText('No network.').waitFor({ timeout: atOnceMs });
  expect(await glance.getByText(numbers[0]).isVisible()).toBe(true);
  await page.context().setOffline(false);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Refund/ })
    .waitFor();
});

test('without a network a panel whose code was not loaded before comes when the network is back, and its page is there', async () => {
  const page = await walk.open(history, { language: 'en', isTroubled: true });
  await page.route('**/SharesPanel-*.js', async (route) => {
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.getByRole('link', { name: numbers[0], exact: true }).click();
  const glance = page.getByRole('region', { name: 'Order at a glance' }).filter({ visible: true });
  await page.getByRole('status').getByText('No network.').waitFor();
  await glance.getByText(numbers[0]).waitFor();
  await page.unroute('**/SharesPanel-*.js');
  await page.context().setOffline(false);
  await page.getByRole('region', { name: 'Shares', exact: true }).waitFor();
  await glance.getByText(numbers[0]).waitFor();
});
