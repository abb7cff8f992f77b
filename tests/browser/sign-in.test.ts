import { adminPassword } from '@voltdeck/journeys/product';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, browserPage } from './browser-page.ts';
import { consolePage, newToken } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { addNewcomer, newcomer } from './newcomer.ts';

let product: HostedProduct;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  await addNewcomer(database);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function signedIn(path: string): Promise<BrowserPage> {
  const token = await newToken(product.url);
  const opened = await consolePage(product, { language: 'zh-CN', token });
  await opened.page.goto(product.url + path);
  return opened;
}

async function cookiesOf({ context }: BrowserPage): Promise<Record<string, string>> {
  return Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]));
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const addressOf = (page: Page) => page.url().slice(product.url.length);

async function fillIn(page: Page, who: { userName: string; password: string }): Promise<void> {
  await page.getByLabel('手机号或用户名').fill(who.userName);
  await page.getByLabel('密码', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: '登录' }).click();
}

describe('without a token', () => {
  test('without a token any page leads to the sign-in page and, after signing in, back to the requested page', async () => {
    const opened = await browserPage();
    const { page } = opened;
    await page.goto(`${product.url}/orderListHistory?paymentState=refunded`);
    await page.waitForURL(`**/login?redirect=${encodeURIComponent('/orderListHistory?paymentState=refunded')}`);
    const asked = page.waitForRequest('**/api/login');
    await fillIn(page, { userName: '  admin ', password: adminPassword });
    const request = await asked;
    expect(request.method()).toBe('POST');
    expect(request.headers()['content-type']).toContain('application/x-www-form-urlencoded');
    expect(request.postDataJSON()).toEqual({ userName: 'admin', password: adminPassword, platForm: '4' });
    await heading(page, '历史订单').waitFor();
    expect(addressOf(page)).toBe('/orderListHistory?paymentState=refunded');
    await expect.poll(() => page.title()).toBe('历史订单 - Voltdeck');
    const { zhny_token: token } = await cookiesOf(opened);
    expect(token).toMatch(/^\S{20,}$/);
    expect(opened.troubles).toEqual([]);
    await opened.close();
  });

  test('a wrong password shows the server’s message for three seconds', async () => {
    const opened = await browserPage();
    const { page } = opened;
    await page.clock.install();
    await page.goto(`${product.url}/login`);
    await page.getByLabel('密码', { exact: true }).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await fillIn(page, { userName: 'admin', password: 'not this one' });
    const refusal = page.getByRole('alert').getByText('用户名或密码错误');
    await refusal.waitFor();
    await page.clock.runFor(2_900);
    expect(await refusal.isVisible()).toBe(true);
    await page.clock.runFor(200);
    await refusal.waitFor({ state: 'hidden' });
    expect(await cookiesOf(opened)).toEqual({});
    expect(addressOf(page)).toBe('/login');
    await opened.close();
  });

  test('empty fields are reported before anything is sent', async () => {
    const { page, close } = await browserPage();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/login')) sent.push(request.url());
    });
    await page.goto(`${product.url}/login`);
    await page.getByRole('button', { name: '登录' }).click();
    await page.getByText('请输入手机号或用户名').waitFor();
    expect(await page.getByLabel('手机号或用户名').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    await close();
  });

  test('an address on another site is not accepted as the way back', async () => {
    const { page, close } = await browserPage();
    await page.goto(`${product.url}/login?redirect=${encodeURIComponent('//elsewhere.example/home')}`);
    await fillIn(page, { userName: 'admin', password: adminPassword });
    await page.waitForURL(`${product.url}/home`);
    await close();
  });

  test('a language chosen before signing in is kept and used everywhere afterwards', async () => {
    const opened = await browserPage();
    const { page } = opened;
    await page.goto(`${product.url}/login`);
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.evaluate(() => Object.assign(window, { isThisLoad: true }));
    await page.getByLabel('语言 Language').selectOption({ label: 'English' });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => 'isThisLoad' in window)).toBe(false);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.evaluate(() => localStorage.getItem('change-language'))).toBe('en');

    await page.getByLabel('Phone or user name').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Wrong user name or password').waitFor();
    const asked = page.waitForRequest('**/api/menu/getUserMenu');
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect((await asked).headers().language).toBe('en');
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name: 'Charging stations' })
      .waitFor();

    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: 'English', disabled: true }).waitFor();
    await page.getByRole('menuitem', { name: '中文' }).click();
    await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '充电桩' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('change-language'))).toBe('zh-CN');
    expect(addressOf(page)).toBe('/home');
    await opened.close();
  });
});

describe('with a token', () => {
  test.each([
    ['the sign-in page', '/login'],
    ['the sign-in page with a way back', '/login?redirect=%2FdeviceList'],
    ['the root', '/'],
    ['a path that nobody knows', '/no/such/page'],
  ])('%s leads to the map', async (_, path) => {
    const { page, troubles, close } = await signedIn(path);
    await page.waitForURL(`${product.url}/home`);
    await heading(page, '首页').waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  test('a token that the server does not know leads to the sign-in page and back', async () => {
    const opened = await consolePage(product, { language: 'en', token: 'never-given-out' });
    const { page } = opened;
    await page.goto(`${product.url}/deviceList`);
    await page.getByText('You have been logged out, you can cancel to stay on this page, or log in again').waitFor();
    await page.getByRole('button', { name: 'Re-Login' }).click();
    await page.waitForURL('**/login?redirect=%2FdeviceList');
    expect(await cookiesOf(opened)).toEqual({});
    await opened.close();
  });

  test('logging out ends the session here and on the server, and remembers the way back', async () => {
    const opened = await signedIn('/deviceList');
    const { page } = opened;
    const { zhny_token: token = '' } = await cookiesOf(opened);
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await page.waitForURL('**/login?redirect=%2FdeviceList');
    expect(await cookiesOf(opened)).toEqual({});
    const response = await fetch(`${product.url}/api/stations`, { headers: { token } });
    expect(response.status).toBe(401);
    expect(opened.troubles).toEqual([]);
    await opened.close();
  });

  test('logging out aborts running requests and sends no more', async () => {
    const opened = await signedIn('/deviceList');
    const { page } = opened;
    await page.getByRole('button', { name: '账号菜单' }).waitFor();
    const failures = new Map<string, string>();
    let asked: string[] = [];
    let askedAfterwards: string[] | null = null;
    const refused: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('requestfailed', (request) =>
      failures.set(new URL(request.url()).pathname, request.failure()?.errorText ?? ''),
    );
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    // The list is fetched again, and the answer is held back until the session has ended on the server.
    const sessionEnded = Promise.withResolvers<void>();
    const listAnswered = Promise.withResolvers<void>();
    await page.route('**/api/stations?*', async (route) => {
      await sessionEnded.promise;
      // By now the server refuses it, and the page has aborted it.
      const answer = await route.fetch();
      expect(answer.status()).toBe(401);
      await route.fulfill({ response: answer }).catch(() => null);
      listAnswered.resolve();
    });
    await page.route('**/api/logout', async (route) => {
      const answer = await route.fetch();
      expect(answer.status()).toBe(200);
      asked = [];
      sessionEnded.resolve();
      await listAnswered.promise;
      // Opening a page sends many requests.
      await page.getByRole('link', { name: '历史订单' }).click();
      await heading(page, '历史订单').waitFor();
      askedAfterwards = asked.filter((path) => path.startsWith('/api/'));
      await route.fulfill({ response: answer });
    });
    const listAsked = page.waitForRequest('**/api/stations?*');
    await page.getByRole('button', { name: '刷新', exact: true }).click();
    await listAsked;
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await page.waitForURL('**/login?redirect=*');
    await expect.poll(() => failures.get('/api/stations')).toBe('net::ERR_ABORTED');
    expect(failures.get('/api/events')).toBe('net::ERR_ABORTED');
    expect(askedAfterwards).toEqual([]);
    expect(refused).toEqual([]);
    expect(opened.troubles).toEqual([]);
    await opened.close();
  });

  test('the menu stays folded as the user left it', async () => {
    const opened = await signedIn('/deviceList');
    const { page } = opened;
    await page.getByRole('button', { name: '收起菜单' }).click();
    await expect.poll(async () => (await cookiesOf(opened)).sidebarStatus).toBe('0');
    await page.reload();
    const unfold = page.getByRole('button', { name: '展开菜单' });
    await unfold.waitFor();
    const sidebar = page.getByRole('complementary').first();
    expect((await sidebar.boundingBox())?.width).toBeLessThan(100);
    await unfold.click();
    await expect.poll(async () => (await cookiesOf(opened)).sidebarStatus).toBe('1');
    await page.reload();
    await page.getByRole('button', { name: '收起菜单' }).waitFor();
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(210);
    await opened.close();
  });

  test('a user without menus sees a plain page that says so and can sign out', async () => {
    const token = await newToken(product.url, newcomer);
    const opened = await consolePage(product, { language: 'zh-CN', token });
    const { page } = opened;
    await page.goto(`${product.url}/deviceList`);
    await heading(page, '账号待开通').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('link').count()).toBe(0);
    await page.getByRole('button', { name: '退出登录' }).click();
    await page.waitForURL('**/login*');
    expect(await cookiesOf(opened)).toEqual({});
    expect(opened.troubles).toEqual([]);
    await opened.close();
  });
});
