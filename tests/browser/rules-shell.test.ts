import { drawPng } from '@voltdeck/server/content/files/test-upload';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newToken } from './console-page.ts';
import { ruleWalk } from './rule-walk.ts';

let stationId = 0;
const walk = ruleWalk(async ({ product }) => {
  const api = await product.signIn();
  const siteId = await api.createSite('Lakeside');
  const { id } = await api.post<{ id: number }>('/stations', {
    number: 'RULE-1',
    name: 'Rule one',
    type: 'fast',
    equipmentType: 'four-wheel',
    protocol: 'ocpp1.6',
    siteId,
    connectorCount: 1,
    maxPowerKw: 120,
  });
  stationId = id;
});

const addressOf = (page: Page) => page.url().slice(walk.product.url.length);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const sidebar = (page: Page) => page.getByRole('complementary').first();
const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' });
/** The menu row with this link. */
const entry = (page: Page, name: string) =>
  menu(page).getByRole('link', { name, exact: true }).locator('xpath=ancestor::li[1]');
const tabs = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' });
const tabNames = async (page: Page) => (await tabs(page).getByRole('link').allInnerTexts()).map((name) => name.trim());
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** `rgb(r, g, b)` as three numbers. */
async function colourOf(place: Locator, property: 'color' | 'background-color'): Promise<[number, number, number]> {
  const text = await place.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

async function opened(path: string, name: string, options: Parameters<typeof walk.open>[1] = {}): Promise<Page> {
  const page = await walk.open(path, options);
  await heading(page, name).waitFor();
  return page;
}

describe('the sidebar', () => {
  test('2.5.1 the sidebar is 210 px wide', async () => {
    const page = await opened('/deviceList', '充电桩');
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(210);
  });

  test('2.5.2 the sidebar opens and closes, and the cookie sidebarStatus remembers it as 1 and 0', async () => {
    const page = await opened('/deviceList', '充电桩');
    await button(page, '收起菜单').click();
    await expect.poll(async () => (await walk.cookies()).sidebarStatus).toBe('0');
    await page.reload();
    await button(page, '展开菜单').waitFor();
    expect((await sidebar(page).boundingBox())?.width).toBeLessThan(100);
    await button(page, '展开菜单').click();
    await expect.poll(async () => (await walk.cookies()).sidebarStatus).toBe('1');
    await page.reload();
    await button(page, '收起菜单').waitFor();
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(210);
  });

  test('2.5.3 the sidebar shows the server’s menus: their names, their routes and an icon each', async () => {
    const { db } = walk.database;
    await db.updateTable('menus').set({ name_zh: '枪口一览' }).where('code', '=', 'portList').execute();
    const page = await opened('/deviceList', '充电桩');
    const link = menu(page).getByRole('link', { name: '枪口一览' });
    expect(await link.getAttribute('href')).toBe('/portList');
    const items = menu(page).getByRole('menuitem');
    expect(await items.count()).toBeGreaterThan(4);
    for (const item of await items.all()) expect(await item.locator('svg').count()).toBeGreaterThan(0);
    await db.updateTable('menus').set({ name_zh: '枪口' }).where('code', '=', 'portList').execute();
  });

  test('2.5.4 the sidebar leaves out a menu whose is-shown is not 1, whose page still opens', async () => {
    const { db } = walk.database;
    await db.updateTable('menus').set({ shown: false }).where('code', '=', 'portList').execute();
    const page = await opened('/portList', '枪口');
    await menu(page).getByRole('link', { name: '充电桩' }).waitFor();
    expect(await menu(page).getByRole('link', { name: '枪口' }).count()).toBe(0);
    await db.updateTable('menus').set({ shown: true }).where('code', '=', 'portList').execute();
  });

  test('2.5.5 the sidebar drops entries without an allowed route, and parents without surviving children', async () => {
    const { db } = walk.database;
    const row = { name_en: 'x', icon: null, kind: 'menu' as const, permission: null, sort: 1 };
    await db
      .insertInto('menus')
      .values([
        { ...row, code: 'ruleParent', parent_code: null, name_zh: '空的上级', frontend_url: null },
        { ...row, code: 'ruleChild', parent_code: 'ruleParent', name_zh: '没有的页面', frontend_url: '/ruleGone' },
      ])
      .execute();
    const page = await opened('/deviceList', '充电桩');
    await menu(page).getByRole('link', { name: '充电桩' }).waitFor();
    expect(await menu(page).getByText('没有的页面').count()).toBe(0);
    expect(await menu(page).getByText('空的上级').count()).toBe(0);
    await db.deleteFrom('menus').where('code', 'in', ['ruleChild', 'ruleParent']).execute();
  });

  test('2.5.6 the sidebar keeps the parent list highlighted while a hidden detail is open', async () => {
    const page = await walk.open(`/deviceDetail?id=${stationId}`);
    await expect.poll(() => menu(page).locator('a[aria-current]').allTextContents()).toEqual(['充电桩']);
    const backgroundOf = (name: string) =>
      entry(page, name).evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(() => backgroundOf('充电桩')).not.toBe(await backgroundOf('枪口'));
  });

  test('9.6.1 the sidebar has grey text on white, purple-blue where it is active, and a light tint under the pointer', async () => {
    const page = await opened('/deviceList', '充电桩');
    const resting = entry(page, '枪口');
    const active = entry(page, '充电桩');
    const [red, green, blue] = await colourOf(resting.getByRole('link'), 'color');
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(50);
    expect(Math.max(red, green, blue)).toBeLessThan(160);
    const chosen = await colourOf(active.getByRole('link'), 'color');
    expect(chosen[2]).toBeGreaterThan(chosen[0] + 60);
    expect(chosen[2]).toBeGreaterThan(chosen[1] + 60);
    expect(await colourOf(sidebar(page), 'background-color')).toEqual([255, 255, 255]);
    await resting.hover();
    const isTinted = async () => {
      const [r, g, b] = await colourOf(resting, 'background-color');
      return Math.min(r, g, b) > 225 && Math.min(r, g, b) < 255;
    };
    await expect.poll(isTinted).toBe(true);
  });
});

describe('the top bar', () => {
  test('2.5.7 the top bar has a hamburger that folds and unfolds the sidebar', async () => {
    const page = await opened('/deviceList', '充电桩');
    await button(page, '收起菜单').click();
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBeLessThan(100);
    await button(page, '展开菜单').click();
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(210);
  });

  test('2.5.8 the top bar has breadcrumbs from the menu group to the page', async () => {
    const page = await walk.open(`/deviceDetail?id=${stationId}`);
    const crumbs = page.getByRole('navigation', { name: '当前位置' }).getByRole('listitem');
    await expect.poll(() => crumbs.count()).toBe(3);
    const names = await crumbs.allInnerTexts();
    expect(names[1]).toContain('充电桩');
    await crumbs.nth(1).getByRole('link').click();
    await page.waitForURL(`${walk.product.url}/deviceList`);
  });

  test('2.5.11 the top bar switches to full screen and back', async () => {
    const page = await opened('/deviceList', '充电桩');
    await button(page, '全屏').click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await button(page, '退出全屏').click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  });

  test.each([
    ['zh-CN', '充电桩', '全屏', '当前浏览器不支持全屏'],
    ['en', 'Charging stations', 'Full screen', 'Your browser does not support full screen'],
  ] as const)(
    '2.5.12 the top bar warns where full screen is not supported, in %s',
    async (language, name, action, warning) => {
      const page = await walk.open('/login', { token: null, language });
      await page.addInitScript(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }));
      await page.context().addCookies([{ name: 'zhny_token', value: walk.token, url: walk.product.url }]);
      await page.goto(`${walk.product.url}/deviceList`);
      await heading(page, name).waitFor();
      await button(page, action).click();
      await page.getByText(warning).waitFor();
    },
  );

  test('2.5.13 the top bar selects one of the sizes default, medium, small and mini; small by default', async () => {
    const page = await opened('/deviceList', '充电桩', {});
    const rows: number[] = [];
    const heights: number[] = [];
    const search = page.getByRole('button', { name: '查询' });
    const row = page.getByRole('row').nth(1);
    const choose = async (name: string) => {
      await button(page, '布局大小').click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).waitFor({ state: 'hidden' });
    };
    const first = (await search.boundingBox())?.height ?? 0;
    await button(page, '布局大小').click();
    const names = page.getByRole('menu').filter({ visible: true }).last().getByRole('menuitem');
    await expect.poll(() => names.count()).toBe(4);
    const offered = await names.allInnerTexts();
    await page.keyboard.press('Escape');
    for (const name of offered) {
      await choose(name);
      const height = (await search.boundingBox())?.height ?? 0;
      heights.push(height);
      rows.push((await row.boundingBox())?.height ?? 0);
      if (name === offered[2]) expect(height).toBe(first);
    }
    for (const sizes of [heights, rows]) {
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      expect(new Set(sizes).size, sizes.join(', ')).toBe(4);
    }
  });

  test.each([
    ['en', 'Charging stations', 'Language', 'English', '中文'],
    // The switch is labelled in both languages for users who read no Chinese.
    ['zh-CN', '充电桩', '语言 Language', '中文', 'English'],
  ] as const)(
    '2.5.14 the top bar switches the language: labelled Language, English and Chinese, the active one disabled, in %s',
    async (language, title, label, active, other) => {
      const page = await walk.open('/deviceList', { language });
      await heading(page, title).waitFor();
      await button(page, label).click();
      await page.getByRole('menuitem', { name: active, disabled: true }).waitFor();
      await page.getByRole('menuitem', { name: other, disabled: false }).waitFor();
      expect(await page.getByRole('menu').filter({ hasText: '中文' }).getByRole('menuitem').count()).toBe(2);
    },
  );

  test('2.5.15 choosing a language stores it under change-language, sets the locale and reloads the page', async () => {
    const page = await opened('/deviceList', '充电桩');
    await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));
    await page.getByRole('button', { name: '语言 Language' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await heading(page, 'Charging stations').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('change-language'))).toBe('en');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(false);
    expect(addressOf(page)).toBe('/deviceList');
  });

  test('2.5.16 the language is zh-CN by default', async () => {
    const page = await opened('/deviceList', '充电桩', { language: null });
    expect(await page.evaluate(() => localStorage.getItem('change-language'))).toBeNull();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  });

  test('2.5.17 the user menu holds change password and logout', async () => {
    const page = await opened('/deviceList', '充电桩');
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '修改密码' }).waitFor();
    await page.getByRole('menuitem', { name: '退出登录' }).waitFor();
  });

  test.each([
    ['en', 'Account menu', 'Profile', 'Save', 'Remove'],
    ['zh-CN', '账号菜单', '个人资料', '保存', '移除'],
  ] as const)(
    '2.5.42 the profile shows the user and sets the avatar, which the server crops to a square, in %s',
    async (language, account, profile, save, remove) => {
      const page = await walk.open('/deviceList', { language });
      const accountMenu = page.getByRole('button', { name: account });
      const shown = accountMenu.locator('img');
      const openProfile = async () => {
        await accountMenu.click();
        await page.getByRole('menuitem', { name: profile }).click();
        return page.getByRole('dialog', { name: profile });
      };
      const dialog = await openProfile();
      await dialog.getByText('admin', { exact: true }).waitFor();
      expect(await dialog.textContent()).not.toMatch(/\b(?:shell|content)\.\w/);
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'me.png',
        mimeType: 'image/png',
        buffer: await drawPng(300, 200),
      });
      await dialog.locator('img').waitFor();
      await dialog.getByRole('button', { name: save, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => shown.getAttribute('src')).toMatch(/^\/files\//);
      await page.reload();
      const sizes = () => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
      await expect.poll(sizes).toEqual([200, 200]);
      const again = await openProfile();
      await again.getByRole('button', { name: remove }).first().click();
      await again.getByRole('button', { name: save, exact: true }).click();
      await again.waitFor({ state: 'detached' });
      await expect.poll(() => shown.count()).toBe(0);
    },
  );

  test('2.5.18 logging out leads to the login page with a redirect to the current page', async () => {
    const page = await opened('/portList?state=fault', '枪口', { token: await newToken(walk.product.url) });
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
    await page.waitForURL(`**/login?redirect=${encodeURIComponent('/portList?state=fault')}`);
    expect((await walk.cookies()).zhny_token ?? '').toBe('');
  });

  test('2.5.19 the change-password form requires the original and the new password', async () => {
    const page = await opened('/deviceList', '充电桩');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/changePwd')) sent.push(request.url());
    });
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '修改密码' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '修改密码' }).click();
    for (const name of ['原密码', '新密码']) {
      await expect.poll(() => dialog.getByLabel(name, { exact: true }).getAttribute('aria-invalid')).toBe('true');
    }
    expect(sent).toEqual([]);
  });
});

describe('the tab bar', () => {
  async function threeTabs(): Promise<Page> {
    const page = await opened('/deviceList', '充电桩');
    for (const name of ['枪口', '历史订单']) {
      await menu(page).getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
    }
    await expect.poll(() => tabNames(page)).toEqual(['首页', '充电桩', '枪口', '历史订单']);
    return page;
  }
  const act = async (page: Page, name: string) => {
    await button(page, '页签操作').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  test('2.5.20 the tab bar refreshes a page', async () => {
    const page = await opened('/deviceList', '充电桩');
    const field = page.getByRole('textbox', { name: '充电桩编号' });
    await field.evaluate((element) => element.setAttribute('data-before', ''));
    const asked = page.waitForRequest('**/api/stations?*');
    await act(page, '刷新');
    await asked;
    await expect.poll(() => field.getAttribute('data-before')).toBeNull();
  });

  test('2.5.21 the tab bar closes a page and hands over to its neighbour', async () => {
    const page = await threeTabs();
    await act(page, '关闭');
    await heading(page, '枪口').waitFor();
    await expect.poll(() => tabNames(page)).toEqual(['首页', '充电桩', '枪口']);
  });

  test('2.5.22 the tab bar closes the others', async () => {
    const page = await threeTabs();
    await act(page, '关闭其他');
    await expect.poll(() => tabNames(page)).toEqual(['首页', '历史订单']);
    expect(new URL(page.url()).pathname).toBe('/orderListHistory');
  });

  test('2.5.23 the tab bar closes all', async () => {
    const page = await threeTabs();
    await act(page, '关闭全部');
    await page.waitForURL(`${walk.product.url}/home`);
    await expect.poll(() => tabNames(page)).toEqual(['首页']);
  });

  test('2.5.24 the tab bar never closes an affixed page', async () => {
    const page = await threeTabs();
    await tabs(page).getByRole('link', { name: '首页' }).click();
    await page.waitForURL(`${walk.product.url}/home`);
    await button(page, '页签操作').click();
    await page.getByRole('menuitem', { name: '关闭', exact: true, disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    expect(await button(page, '关闭 首页').count()).toBe(0);
    await tabs(page).getByRole('link', { name: '首页' }).press('Delete');
    expect(await tabNames(page)).toEqual(['首页', '充电桩', '枪口', '历史订单']);
  });
});

describe('the layout', () => {
  test('2.5.30 the layout is the desktop one at 992 px', async () => {
    const page = await opened('/deviceList', '充电桩', { width: 992 });
    expect((await sidebar(page).boundingBox())?.width).toBe(210);
  });

  test('2.5.31 the layout is mobile below 992 px: the sidebar is closed and opens over the page', async () => {
    const page = await opened('/deviceList', '充电桩', { width: 991 });
    expect(await menu(page).filter({ visible: true }).count()).toBe(0);
    await button(page, '展开菜单').click();
    await menu(page).getByRole('link', { name: '枪口' }).click();
    await heading(page, '枪口').waitFor();
    await expect.poll(() => menu(page).filter({ visible: true }).count()).toBe(0);
  });

  test('2.5.32 the layout closes the sidebar when the window becomes narrower than 992 px', async () => {
    const page = await opened('/deviceList', '充电桩', { width: 1200 });
    expect(await menu(page).filter({ visible: true }).count()).toBe(1);
    await page.setViewportSize({ width: 991, height: 900 });
    await expect.poll(() => menu(page).filter({ visible: true }).count()).toBe(0);
  });
});

test('2.5.25 the theme colour is #5f7df9 by default', async () => {
  const page = await opened('/deviceList', '充电桩');
  const theme = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--theme').trim().toLowerCase(),
  );
  expect(theme).toBe('#5f7df9');
});
