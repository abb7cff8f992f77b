import { getBigScreen } from '@voltdeck/contract/big-screen';
import { streamEvents } from '@voltdeck/contract/events';
import { listSiteStates } from '@voltdeck/contract/overview';
import { type MortalProduct, startMortalProduct } from '@voltdeck/journeys/product';
import { hashPassword } from '@voltdeck/server/access/password';
import type { Database } from '@voltdeck/server/database/database';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace, makeSettledOrder, type Place } from '@voltdeck/server/http/test-records';
import { dayMs, hourMs, instant, secondMs } from '@voltdeck/units/instant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, newToken, settled } from './console-page.ts';

let database: Database;
let product: MortalProduct;
let lake: Place;
let token: string;
beforeAll(async () => {
  const fresh = await freshDatabase();
  database = fresh;
  lake = await makePlace(database, null, 'lake');
  await sell(12_00);
  await sell(7_50);
  await sell(9_50, Date.now() - dayMs - secondMs);
  product = await startMortalProduct(fresh.url);
  token = await newToken(product.url);
});
afterAll(() => product.stop());

/** A charge that ends now, or at another instant. */
const sell = (electricityFeeFen: number, endedAtMs = Date.now()) =>
  makeSettledOrder(database, lake, { electricityFeeFen, serviceFeeFen: 50, settledAt: instant(endedAtMs) });

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const totals = (page: Page) => panel(page, 'This month and all time').locator('tbody td:last-child').allTextContents();

/** The same figures from the orders themselves, as the screen writes them. */
async function truth(): Promise<string[]> {
  const { rows } = await database.pool.query<{ receivable: number; received: number; wh: number; orders: number }>(
    `select sum(amount_fen - discount_fen)::int as receivable, sum(paid_fen)::int as received,
            sum(energy_wh)::int as wh, count(*)::int as orders from orders where state = 'completed'`,
  );
  const [sums] = rows;
  if (sums === undefined) throw new Error('no sums');
  const text = (value: number, decimals: number) =>
    value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return [text(sums.receivable / 100, 2), text(sums.received / 100, 2), text(sums.wh / 1000, 0), text(sums.orders, 0)];
}

test('a screen whose server dies says so and of when its figures are, and shows the right ones when it is back', async () => {
  const { page, close } = await consolePage(product, { language: 'zh-CN', token, width: 1920, height: 1080 });
  await page.goto(`${product.url}/screen?language=en&theme=light`);
  const connection = page.locator('[data-connection]');
  const late = page.getByText(/^as of \d\d:\d\d:\d\d$/);
  await expect.poll(() => connection.textContent()).toBe('Live');
  await expect.poll(async () => (await totals(page)).slice(0, 4)).toEqual(await truth());
  expect(await late.count()).toBe(0);
  const against = panel(page, 'Today').getByText(/^vs same time yesterday/);
  expect(await against.textContent()).toBe('vs same time yesterday ▲up 105%');
  expect(await against.getByText('▲').getAttribute('aria-hidden')).toBe('true');
  // The charge of yesterday has its day, which is longer than a time.
  const instants = panel(page, 'Live charges').locator('time');
  await expect.poll(() => instants.allTextContents()).toContainEqual(expect.stringMatching(/^\d\d-\d\d \d\d:\d\d$/));
  const isCut = (all: (HTMLElement | SVGElement)[]) => all.map((each) => each.scrollWidth > each.clientWidth);
  expect(await instants.evaluateAll(isCut)).not.toContain(true);

  await product.kill9();
  await expect.poll(() => connection.textContent()).toMatch(/^No connection since \d\d:\d\d:\d\d, reconnecting$/);
  const panels = await page.locator('[data-liveness]').count();
  expect(panels).toBeGreaterThan(7);
  await expect.poll(() => late.count()).toBe(panels);
  expect(await page.locator('[data-liveness="live"]').count()).toBe(0);

  await sell(31_00);
  await product.startAgain();
  // It asks again after half a minute at the most.
  await expect.poll(() => connection.textContent(), { timeout: 60_000 }).toBe('Live');
  await expect.poll(() => late.count(), { timeout: 30_000 }).toBe(0);
  await expect.poll(async () => (await totals(page)).slice(0, 4), { timeout: 30_000 }).toEqual(await truth());
  await close();
});

test('a screen on which somebody signs in again is live again', async () => {
  const who = { userName: 'wall', password: 'nobody stands here' };
  const password_hash = await hashPassword(who.password);
  const { id } = await database.db
    .insertInto('users')
    .values({ user_name: who.userName, real_name: 'Wall', password_hash, admin: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const wall = await newToken(product.url, who);
  const { page, close } = await consolePage(product, { language: 'en', token: wall, width: 1920, height: 1080 });
  await page.goto(`${product.url}/screen`);
  const connection = page.locator('[data-connection]');
  await expect.poll(() => connection.textContent()).toBe('Live');

  const session = await database.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  // The stream of a session that is over is not asked for again: only a new session brings it back.
  const refused = page.waitForResponse((answer) => answer.url().endsWith(`/api${streamEvents.path}`) && !answer.ok());
  const ended = await fetch(`${product.url}/api/sessions/${session.id}`, { method: 'DELETE', headers: { token } });
  expect(ended.status).toBe(200);
  await refused;
  await expect.poll(() => connection.getAttribute('data-connection')).toBe('lost');
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=password]').fill(who.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => connection.textContent()).toBe('Live');
  await expect.poll(() => page.locator('[data-liveness]:not([data-liveness="live"])').count()).toBe(0);
  await close();
});

test('a screen whose clock is put right after a lost connection stays live', async () => {
  const { page, close } = await consolePage(product, { language: 'en', token, width: 1920, height: 1080 });
  // Five hours ahead, until its network is back and tells it the time.
  await page.addInitScript((aheadMs) => {
    const right = Date.now.bind(Date);
    Date.now = () => right() + (document.documentElement.hasAttribute('data-right') ? 0 : aheadMs);
  }, 5 * hourMs);
  await page.goto(`${product.url}/screen`);
  const connection = page.locator('[data-connection]');
  const late = page.locator('[data-liveness]:not([data-liveness="live"])');
  await expect.poll(() => connection.textContent()).toBe('Live');
  await product.kill9();
  await expect.poll(() => connection.getAttribute('data-connection')).toBe('lost');
  await product.startAgain();
  await expect.poll(() => connection.textContent(), { timeout: 60_000 }).toBe('Live');
  await expect.poll(() => late.count()).toBe(0);

  await page.evaluate(() => document.documentElement.setAttribute('data-right', ''));
  const answered = (path: string) => page.waitForResponse((answer) => answer.url().endsWith(`/api${path}`));
  await Promise.all([answered(getBigScreen.path), answered(listSiteStates.path)]);
  // What comes later is newer than what came before, whatever the clock says.
  await Promise.all([answered(getBigScreen.path), answered(listSiteStates.path)]);
  expect(await late.count()).toBe(0);
  await close();
});

test('a screen loads itself anew when the server that comes back has another version of it', async () => {
  const { page, close } = await consolePage(product, { language: 'en', token, width: 1920, height: 1080 });
  await page.goto(`${product.url}/screen`);
  const connection = page.locator('[data-connection]');
  await expect.poll(() => connection.textContent()).toBe('Live');
  // A part that was still to be loaded would have the page loaded anew whatever its version.
  await page.waitForLoadState();
  await settled({ page });
  await page.evaluate(() => document.documentElement.setAttribute('data-earlier', ''));
  let asked = 0;
  await page.route(`${product.url}/screen`, async (route) => {
    const request = route.request();
    // Whether the server is there is asked by HEAD.
    if (request.resourceType() !== 'fetch' || request.method() !== 'GET') return route.continue();
    asked += 1;
    await route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/assets/index-newer.js"></script>',
    });
  });
  await product.kill9();
  await expect.poll(() => connection.getAttribute('data-connection')).toBe('lost');
  await product.startAgain();
  await page.waitForFunction(() => !document.documentElement.hasAttribute('data-earlier'), undefined, {
    timeout: 60_000,
  });
  await expect.poll(() => connection.textContent(), { timeout: 30_000 }).toBe('Live');
  expect(asked).toBe(1);
  await close();
});

test('the address of a screen names its language and its light, over what the console is set to', async () => {
  const { page, troubles, close } = await consolePage(product, { language: 'zh-CN', token, width: 1920, height: 1080 });
  const theme = () => page.locator('html').getAttribute('data-theme');
  for (const [query, language, light] of [
    ['?language=en&theme=dark', 'Live', 'dark'],
    ['?theme=light', '实时', 'light'],
  ] as const) {
    await page.goto(`${product.url}/screen${query}`);
    await page.locator('[data-connection]').getByText(language, { exact: true }).waitFor();
    expect(await theme()).toBe(light);
  }
  expect(troubles).toEqual([]);
  await close();
});

test.each([
  [1920, 1080],
  [3840, 2160],
  [375, 800],
])('at %d × %d nothing is cut off sideways, and a wall needs no scroll bar', async (width, height) => {
  const { page, troubles, close } = await consolePage(product, { language: 'en', token, width, height });
  await page.goto(`${product.url}/screen`);
  await page.locator('[data-liveness="live"]').first().waitFor();
  const over = await page.locator('main').evaluate((main) => ({
    sideways: Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth),
    down: Math.max(main.scrollHeight - main.clientHeight, document.documentElement.scrollHeight - innerHeight),
  }));
  expect(over.sideways).toBeLessThanOrEqual(0);
  if (width > 1100) expect(over.down).toBeLessThanOrEqual(0);
  expect(troubles).toEqual([]);
  await close();
});
