import { adminPassword } from '@voltdeck/journeys/product';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { addPerson } from './people.ts';
import { ruleWalk } from './rule-walk.ts';
import { menuPaths } from './screen-views.ts';

const walk = ruleWalk();
const addressOf = (page: Page) => page.url().slice(walk.product.url.length);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const menuLinks = (page: Page) => page.getByRole('navigation', { name: '主菜单' }).getByRole('link');

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('手机号或用户名').fill('admin');
  await page.getByLabel('密码', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

/** Every address in the server's menus, including children. */
type Menu = { frontendUrl: string | null; isShown: 0 | 1; children: Menu[] };
const addressesIn = (menus: readonly Menu[]): string[] =>
  menus.flatMap(({ frontendUrl, children }) => [
    ...(frontendUrl === null ? [] : [frontendUrl]),
    ...addressesIn(children),
  ]);
async function menusOf(token: string): Promise<Menu[]> {
  const response = await fetch(`${walk.product.url}/api/menu/getUserMenu`, { headers: { token } });
  return ((await response.json()) as { data: Menu[] }).data;
}

describe('without a token', () => {
  test('2.1.1 without a token, /login is open', async () => {
    const page = await walk.open('/login', { token: null });
    await page.getByLabel('密码', { exact: true }).waitFor();
    expect(addressOf(page)).toBe('/login');
  });

  test.each([
    ['/deviceList', '%2FdeviceList'],
    ['/orderListHistory?state=cancelled&page=2', '%2ForderListHistory%3Fstate%3Dcancelled%26page%3D2'],
    ['/nowhere/at/all', '%2Fnowhere%2Fat%2Fall'],
  ])(
    '2.1.2 without a token, %s leads to /login with a redirect that holds the requested path',
    async (path, redirect) => {
      const page = await walk.open(path, { token: null });
      await page.getByLabel('密码', { exact: true }).waitFor();
      expect(addressOf(page)).toBe(`/login?redirect=${redirect}`);
    },
  );

  test('2.1.3 signing in leads to the requested path of the redirect', async () => {
    const page = await walk.open('/login?redirect=%2ForderListHistory%3Fstate%3Dcancelled', { token: null });
    await signIn(page);
    await heading(page, '历史订单').waitFor();
    expect(addressOf(page)).toBe('/orderListHistory?state=cancelled');
  });

  test('2.1.4 a redirect never leads to another site', async () => {
    const page = await walk.open('/login?redirect=%2F%2Felsewhere.example%2F', { token: null });
    await signIn(page);
    await page.waitForURL(`${walk.product.url}/home`);
  });
});

describe('with a token', () => {
  test('2.1.5 with a token, /login leads to /, which leads to /home', async () => {
    const page = await walk.open('/login');
    await page.waitForURL(`${walk.product.url}/home`);
    expect(await page.getByLabel('密码', { exact: true }).count()).toBe(0);
  });

  test('2.1.6 the menus are fetched on the first navigation after sign-in, and only then', async () => {
    const page = await walk.open('/login', { token: null });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/menu/getUserMenu') asked.push(request.method());
    });
    await page.getByLabel('密码', { exact: true }).waitFor();
    expect(asked).toEqual([]);
    await signIn(page);
    await page.waitForURL(`${walk.product.url}/home`);
    for (const name of ['枪口', '历史订单']) {
      await menuLinks(page).filter({ hasText: name }).click();
      await heading(page, name).waitFor();
    }
    expect(asked).toEqual(['GET']);
  });

  test('2.1.7 routes are built from the frontendUrl of each menu, children included', async () => {
    const page = await walk.open('/');
    await menuLinks(page).first().waitFor();
    const shown = await menuLinks(page).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const named = addressesIn(await menusOf(walk.token));
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((address) => !named.includes(address))).toEqual([]);
    for (const address of shown) {
      await page.locator(`nav a[href="${address}"]`).first().click();
      await page.waitForURL((url) => url.pathname === address);
      await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor();
    }
  });

  test('2.1.8 a requested path among the menus is opened', async () => {
    const page = await walk.open('/portList?state=fault');
    await heading(page, '枪口').waitFor();
    expect(addressOf(page)).toBe('/portList?state=fault');
  });

  test('2.1.9 a requested path that is not among the menus leads to the first menu', async () => {
    const { database, product } = walk;
    const api = await product.signIn();
    const { token } = await addPerson({ api, database, url: product.url }, 'counter', [
      'orderListHistory',
      'orderListReal',
    ]);
    for (const wanted of ['/deviceList', '/home', '/', '/user']) {
      const page = await walk.open(wanted, { token });
      await page.waitForURL(`${walk.product.url}/orderListReal`);
    }
  });

  test.each(['/no/such/page', '/deviceListt', '/login/more'])(
    '2.1.10 the unknown path %s leads to /, which leads to /home',
    async (path) => {
      const page = await walk.open(path);
      await page.waitForURL(`${walk.product.url}/home`);
    },
  );
});

test('2.1.11 the window’s title is the page’s and the configured sys_title', async () => {
  const before = await walk.open('/deviceList');
  await expect.poll(() => before.title()).toBe('充电桩 - Voltdeck');
  const { db } = walk.database;
  const named = (value: string) => db.updateTable('configs').set({ value }).where('key', '=', 'sys_title').execute();
  await named('湖滨充电');
  const page = await walk.open('/deviceList');
  await expect.poll(() => page.title()).toBe('充电桩 - 湖滨充电');
  await menuLinks(page).filter({ hasText: '枪口' }).click();
  await expect.poll(() => page.title()).toBe('枪口 - 湖滨充电');
  await named('Voltdeck');
});

test.each([
  ['zh-CN', '登录'],
  ['en', 'Sign in'],
] as const)(
  '2.1.14 the sign-in page shows sys_title as heading and title from the first moment, in %s',
  async (language, word) => {
    const { db } = walk.database;
    const named = (value: string) => db.updateTable('configs').set({ value }).where('key', '=', 'sys_title').execute();
    await named('湖滨充电');
    const { page, close } = await consolePage(walk.product, { language, token: null });
    await page.addInitScript(() => {
      const names = new Set<string>();
      const look = () => {
        names.add(document.title);
        for (const heading of document.querySelectorAll('h1')) names.add(heading.textContent);
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
      Object.assign(window, { names });
    });
    await page.goto(`${walk.product.url}/login`);
    await page.getByRole('heading', { level: 1, name: '湖滨充电', exact: true }).waitFor();
    expect(await page.title()).toBe(`${word} - 湖滨充电`);
    const seen = await page.evaluate(() => [...(window as unknown as { names: Set<string> }).names]);
    expect(seen.filter((name) => name !== '').filter((name) => !name.endsWith('湖滨充电'))).toEqual([]);
    await close();
    await named('Voltdeck');
  },
);

describe('the screens', () => {
  test.each(menuPaths)('2.3 %s opens from its menu', async (path) => {
    const page = await walk.open(path === '/home' ? '/deviceList' : '/home');
    const link = page.getByRole('navigation', { name: '主菜单' }).locator(`a[href="${path}"]`);
    await link.click();
    // A list may add a default filter to its address.
    await page.waitForURL(({ pathname }) => pathname === path);
    await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor();
  });
});

test('2.1.12 a progress bar without a spinner shows while a page loads', async () => {
  const page = await walk.open('/deviceList');
  await heading(page, '充电桩').waitFor();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/assets/OrderHistoryPage*.js', async (route) => {
    await held;
    await route.continue();
  });
  /** A thin line along the upper edge of the window. */
  const bars = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('body *')].filter((element) => {
          const { top, height, width } = element.getBoundingClientRect();
          const { position } = getComputedStyle(element);
          return position === 'fixed' && top === 0 && height > 0 && height <= 4 && width > 0;
        }).length,
    );
  await expect.poll(bars).toBe(0);
  await menuLinks(page).filter({ hasText: '历史订单' }).click();
  await expect.poll(bars).toBe(1);
  expect(await page.locator('.ant-spin, [class*=spinner]').count()).toBe(0);
  letGo();
  await heading(page, '历史订单').waitFor();
  await expect.poll(bars).toBe(0);
});

test('2.1.13 a page that is not marked noCache is kept alive between visits', async () => {
  const page = await walk.open('/deviceList');
  const table = page.getByRole('table').first();
  await table.evaluate((element) => element.setAttribute('id', 'kept'));
  const kept = page.locator('#kept');
  await menuLinks(page).filter({ hasText: '枪口' }).click();
  await heading(page, '枪口').waitFor();
  await kept.waitFor({ state: 'hidden' });
  await menuLinks(page).filter({ hasText: '充电桩' }).click();
  await kept.waitFor();
});

test('2.2.1 /login signs in by phone and password', async () => {
  const phone = '13800001111';
  await walk.database.db.updateTable('users').set({ phone }).where('user_name', '=', 'admin').execute();
  const token = await newToken(walk.product.url, { userName: phone, password: adminPassword });
  expect(token).toMatch(/^\S{20,}$/);
  const page = await walk.open('/login', { token: null });
  await page.getByLabel('手机号或用户名').fill(phone);
  await page.getByLabel('密码', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL(`${walk.product.url}/home`);
  expect((await walk.cookies()).zhny_token).toMatch(/^\S{20,}$/);
});

test('2.2.2 / leads to /home', async () => {
  const page = await walk.open('/');
  await page.waitForURL(`${walk.product.url}/home`);
  await heading(page, '首页').waitFor();
});
