import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';

let product: HostedProduct;
let api: Api;
let token: string;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  token = await newToken(product.url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function open(path: string, as = token): Promise<BrowserPage> {
  const opened = await consolePage(product, { language: 'en', token: as });
  // What happens before the page hears events would move nothing.
  const hears = opened.page.waitForResponse('**/api/events*');
  await opened.page.goto(product.url + path);
  await hears;
  await opened.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await settled(opened);
  return opened;
}

/** An icon may precede the text. */
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`(^| )${name}$`) }).first();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialogOf = (page: Page) => page.getByRole('dialog').filter({ visible: true });
async function chooseMore(page: Page, row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

test('granting a button grants its screen, and the position is summarised in plain words', async () => {
  const { page, close } = await open('/role');
  await button(page, 'Add position').click();
  const form = dialogOf(page);
  await form.getByLabel('Name', { exact: true }).fill('Export clerk');
  await form.getByRole('radio', { name: /^All records/ }).check();
  await button(form, 'Add position').click();
  await form.getByText('Choose at least one menu').waitFor();
  await form.getByPlaceholder('Filter menus and buttons').fill('export orders');
  await form.getByRole('checkbox', { name: 'Export orders' }).check();
  expect(await form.getByRole('checkbox', { name: 'Order history' }).isChecked()).toBe(true);
  expect(await form.getByText(/^2 of \d+ granted$/).count()).toBe(1);
  await form.getByText('may not Refund orders').waitFor();
  await button(form, 'Add position').click();
  await page.getByText('Export clerk saved').waitFor();

  await rowOf(page, 'Export clerk').getByRole('button', { name: 'Copy', exact: true }).click();
  const copy = dialogOf(page);
  await copy.getByText(/^2 of \d+ granted$/).waitFor();
  await button(copy, 'Add position').click();
  await page.getByText('Export clerk copy saved').waitFor();
  await chooseMore(page, rowOf(page, 'Export clerk copy'), 'Delete');
  await button(dialogOf(page), 'Delete').click();
  await page.getByText('Export clerk copy deleted').waitFor();
  await close();
});

test('grants that the user lacks can be neither given nor revoked, and say so', async () => {
  const { id: positionId } = await api.post<{ id: number }>('/positions', {
    name: 'Small office',
    dataScope: 'platform',
    menuCodes: ['role', 'position.edit', 'orderListHistory'],
  });
  const password = 'lantern-44-river';
  await api.post('/users', { userName: 'smith', realName: 'Smith', positionId, password });
  const first = await newToken(product.url, { userName: 'smith', password });
  const own = 'harbour-51-stone';
  await fetch(`${product.url}/api/changePwd`, {
    method: 'POST',
    headers: { token: first, 'content-type': 'application/json' },
    body: JSON.stringify({ password, newPassword: own }),
  });
  const { page, close } = await open('/role', await newToken(product.url, { userName: 'smith', password: own }));
  await button(page, 'Add position').click();
  const form = dialogOf(page);
  await form.getByText('Greyed entries go beyond your own position').waitFor();
  const refund = form.getByRole('checkbox', { name: 'Refund orders' });
  expect(await refund.isDisabled()).toBe(true);
  await form.getByRole('button', { name: 'All', exact: true }).first().click();
  expect(await refund.isChecked()).toBe(false);
  expect(await form.getByRole('checkbox', { name: 'Order history' }).isChecked()).toBe(true);
  await close();
});

test('a taken login name is shown at its field, and a generated password is shown once', async () => {
  const { page, close } = await open('/user');
  await button(page, 'Add user').click();
  const form = dialogOf(page);
  await form.getByLabel('Login name').fill('admin');
  await form.getByLabel('Real name').fill('Ann');
  await form.getByLabel(/^Phone/).fill('1380');
  await button(form, 'Add user').click();
  await form.getByText('The phone must be 11 digits').waitFor();
  await form.getByLabel(/^Phone/).fill('13800138000');
  await button(form, 'Add user').click();
  await form.locator('.ant-form-item-explain-error').getByText('User name admin is taken').waitFor();
  await form.getByLabel('Login name').fill('ann');
  await button(form, 'Add user').click();
  await page.getByText('The password is shown only this once').waitFor();
  const made = (await dialogOf(page).locator('dd').nth(1).textContent())?.trim() ?? '';
  await newToken(product.url, { userName: 'ann', password: made });
  await button(page, 'I have saved it').click();
  await page.getByText('The password is shown only this once').waitFor({ state: 'hidden' });
  expect(await page.getByText(made).count()).toBe(0);
  await close();
});

test('users awaiting a position are found by the filter, and disabling one says how many sessions end', async () => {
  await api.post('/users', { userName: 'waiting.wu', realName: 'Wu', password: 'quiet-river-88' });
  await newToken(product.url, { userName: 'waiting.wu', password: 'quiet-river-88' });
  const { page, close } = await open('/user?awaiting=true');
  const row = rowOf(page, 'waiting.wu');
  await row.getByText('Awaiting a position').waitFor();
  expect(await rowOf(page, 'admin').count()).toBe(0);
  await chooseMore(page, row, 'Disable');
  await dialogOf(page).getByText('1 open sessions end at once').waitFor();
  await button(dialogOf(page), 'Disable').click();
  await row.getByText('Disabled').waitFor();
  await close();
});

test('menus are reordered with the arrow keys, and the focus stays with the moved one', async () => {
  const { page, close } = await open('/menu');
  await page.getByRole('button', { name: 'Move Gun ports, 2 of 3' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('button', { name: 'Move Gun ports, 1 of 3' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Move Gun ports, 1 of 3');
  const kept = await api.get<{ code: string; parentCode: string | null }[]>('/menus');
  const below = kept.filter(({ parentCode }) => parentCode === 'device').map(({ code }) => code);
  expect(below).toEqual(['portList', 'deviceList', 'stationStock']);
  await close();
});

test('disabling a menu names whom it affects, and the menu screen cannot be disabled', async () => {
  const { page, close } = await open('/menu');
  await page.getByRole('switch', { name: 'Show Gun ports' }).click();
  await dialogOf(page).getByText('Positions that grant it:').waitFor();
  await button(dialogOf(page), 'Hide').click();
  await page.getByRole('switch', { name: 'Show Gun ports', checked: false }).waitFor();
  await page.getByRole('switch', { name: 'Enable Menus', exact: true }).click();
  await button(dialogOf(page), 'Disable').click();
  await page.getByText('This menu cannot be hidden or disabled').first().waitFor();
  expect(await page.getByRole('switch', { name: 'Enable Menus', exact: true }).isChecked()).toBe(true);
  await close();
});

test('an entry of the audit log expands to its changes, in words and side by side', async () => {
  const form = { dataScope: 'platform', menuCodes: ['orderListHistory'] };
  const { id } = await api.post<{ id: number }>('/positions', { name: 'Night desk', ...form });
  await api.ask('PUT', `/positions/${id}`, {
    name: 'Day desk',
    ...form,
    menuCodes: ['orderListHistory', 'order.refund'],
  });
  const { page, close } = await open('/auditLog?kind=grant');
  const row = rowOf(page, 'Day desk').first();
  await row.getByText('Changed a position').waitFor();
  await row.getByRole('button', { name: /^Unfold/ }).click();
  await page.locator('del').getByText('Night desk').waitFor();
  await page.locator('ins').getByText('Day desk').waitFor();
  await page.locator('ins').getByText('Refund orders').waitFor();
  await close();
});

test('a session can be ended from the sign-in log, but not one’s own', async () => {
  const password = 'evening-tide-12';
  await api.post('/users', { userName: 'leaving.lu', realName: 'Lu', password });
  const session = await newToken(product.url, { userName: 'leaving.lu', password });
  const { page, close } = await open('/signInLog?open=true');
  const mine = rowOf(page, 'This session').getByRole('button', { name: 'Sign out' });
  expect(await mine.getAttribute('aria-disabled')).toBe('true');
  await rowOf(page, 'leaving.lu').getByRole('button', { name: 'Sign out' }).click();
  await dialogOf(page).getByText('Sign Lu (leaving.lu) out').waitFor();
  await button(dialogOf(page), 'Sign out').click();
  await page.getByText('was signed out').waitFor();
  const answer = await fetch(`${product.url}/api/user/info`, { headers: { token: session } });
  expect(answer.status).toBe(401);
  await close();
});

test('a task updates without fetching, and its file can be downloaded', async () => {
  const { page, close } = await open('/taskList');
  await page.getByText('No tasks yet').waitFor();
  await api.post('/tasks/exports', { list: 'listAuditEntries', query: {} });
  const row = rowOf(page, 'Export: Audit log');
  await row.getByText('Done').waitFor();
  const downloaded = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  expect((await downloaded).suggestedFilename()).toMatch(/\.xlsx$/);
  await close();
});

test('enabling a user while the server is unreachable is retried, shown as such, and succeeds', async () => {
  await api.post('/users', { userName: 'night', realName: 'Night', password: 'window-18-quiet' });
  const { page, close } = await open('/user?awaiting=true');
  const row = rowOf(page, 'night');
  await chooseMore(page, row, 'Disable');
  await button(dialogOf(page), 'Disable').click();
  await row.getByText('Disabled').waitFor();
  const enabling = '**/api/users/*/enabled';
  await page.route(enabling, (route) => route.abort('internetdisconnected'));
  await chooseMore(page, row, 'Enable');
  await page.getByRole('status').getByText('Connection lost, reconnecting').waitFor();
  await page.unroute(enabling);
  await page.getByText('Night enabled').waitFor();
  await close();
});
