import { makeOrder, makePlace, makeSettledOrder } from '@voltdeck/server/http/test-records';
import { instant } from '@voltdeck/units/instant';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled } from './console-page.ts';
import { ruleWalk } from './rule-walk.ts';
import { detailPaths, menuPaths } from './screen-views.ts';
import { shareWithAgent } from './walked-money.ts';

const walk = ruleWalk(async ({ database, product }) => {
  const place = await makePlace(database, null, 'keys');
  await makeOrder(database, place, instant(Date.now() - 3_600_000));
  await makeOrder(database, place, instant(Date.now() - 60_000), {
    state: 'charging',
    payment_state: 'unpaid',
    // Only a charge that does not run normally can be settled by hand.
    abnormal: true,
    ended_at: null,
    settled_at: null,
  });
  const api = await product.signIn();
  await api.post('/recharges', { cardNumber: place.cardNumber, amountFen: 1_000 });
  const settled = await makeSettledOrder(database, place, { electricityFeeFen: 600, serviceFeeFen: 400 });
  await api.post(`/orders/${settled}/refunds`, { amountFen: 100, reason: 'The gun broke' });
  await api.post('/agents', { loginName: 'keys', realName: '键盘代理', phone: '13800000031', sharePercent: 50 });
  await api.post('/dividers', { name: '键盘分成方' });
  const partner = { operatorId: 'MA0KEYS01', name: '键盘出行平台', role: 'demand', baseUrl: 'https://charge.example' };
  await api.post('/partners', partner);
  await shareWithAgent(database, settled);
  await api.post('/station-commands', { kind: 'reset', mode: 'soft', stationIds: [place.stationId] });
  await api.post('/rehearsals', {
    tariffId: place.tariffId,
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date().toISOString(),
  });
  await api.post('/price-changes', {
    name: '元旦调价',
    by: 'stations',
    stationIds: [place.stationId],
    ruleId: place.tariffId,
    effectiveAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
});
/** Enough for the window's edge, the bar and a menu of all screens. */
const pressesMax = 120;

/** Presses the key until a main menu link to this path has the focus. */
async function tabTo(page: Page, path: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let presses = 0; presses < pressesMax; presses += 1) {
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.closest('nav') === null ? null : (activeElement?.getAttribute('href') ?? null);
    });
    if (focused === path) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${path} is not reached by ${pressesMax} presses of ${key}`);
}

test('every screen of the menu opens with Tab and Enter alone', async () => {
  const page = await walk.open('/home');
  const links = page.getByRole('navigation', { name: '主菜单' }).getByRole('link');
  await links.first().waitFor();
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(paths).toEqual(menuPaths);
  for (const path of [...paths.slice(1), '/home']) {
    // The link keeps the focus after it is followed, so the next one is a press away.
    await tabTo(page, path, path === '/home' ? 'Shift+Tab' : 'Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname === path);
    await page.locator('main h1').filter({ visible: true }).first().waitFor();
    expect(await links.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement))).toBe(
      paths.indexOf(path),
    );
  }
});

test.each(detailPaths)('from %s a record opens with Tab and Enter alone', async (list, path) => {
  const detail = `${path}?`;
  // Without a filter the history of orders starts with today, which may be minutes old.
  const page = await walk.open(`${list}?time=placed`);
  await page.locator(`main a[href^="${detail}"]`).first().waitFor();
  for (let presses = 0; presses < pressesMax; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
    if (focused.startsWith(detail)) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(detail));
  await page.locator('main h1').filter({ visible: true }).waitFor();
});

test('a screen is found by Ctrl+K and its path', async () => {
  const page = await walk.open('/home');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled({ page });
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: '搜索' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('configList');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${walk.product.url}/configList`);
});

const isFocused = (locator: Locator) =>
  expect.poll(() => locator.evaluate((it) => it === document.activeElement)).toBe(true);

test('a form focuses its first field and returns the focus to what opened it', async () => {
  const page = await walk.open('/deviceList', { language: 'en' });
  const add = page.getByRole('button', { name: /Add station$/ });
  for (const leave of ['Escape', 'Enter']) {
    await add.focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Add station' });
    await isFocused(form.getByLabel('Station number'));
    if (leave === 'Enter') await form.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press(leave);
    await form.waitFor({ state: 'hidden' });
    await isFocused(add);
  }
});

test('a form without autofocus starts at the first field that can be filled in', async () => {
  const page = await walk.open('/orderListReal', { language: 'en' });
  const settle = page.getByRole('button', { name: 'Settle manually' });
  await settle.focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog');
  await isFocused(form.getByLabel('Energy', { exact: true }));
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'hidden' });
  await isFocused(settle);
});
