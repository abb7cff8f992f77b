import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consolePage } from './console-page.ts';
import { ruleWalk } from './rule-walk.ts';

const walk = ruleWalk();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' });
const tabs = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' });
const kept = (page: Page) =>
  page.evaluate(() => {
    const text = localStorage.getItem('layout-setting');
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  });
const theme = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--theme').trim().toLowerCase());

async function opened(path: string, name: string): Promise<Page> {
  const page = await walk.open(path);
  await heading(page, name).waitFor();
  return page;
}

async function openPanel(page: Page) {
  await button(page, '布局设置').click();
  const panel = page.getByRole('dialog', { name: '布局设置' });
  await panel.waitFor();
  return panel;
}

describe('the settings panel', () => {
  test('2.5.26 the settings panel opens on the right with theme, tabs, fixed header, logo, save and reset', async () => {
    const page = await opened('/deviceList', '充电桩');
    const panel = await openPanel(page);
    await expect.poll(async () => ((await panel.boundingBox())?.x ?? 0) > 900).toBe(true);
    for (const name of ['显示页签', '固定顶栏', '显示标志']) {
      expect(await panel.getByRole('switch', { name }).getAttribute('aria-checked')).toBe('true');
    }
    await button(page, '保存布局').waitFor();
    await button(page, '恢复默认').waitFor();
  });

  test('2.5.27 the settings panel offers preset theme colours besides the default #5f7df9, and applies the choice at once', async () => {
    const page = await opened('/deviceList', '充电桩');
    expect(await theme(page)).toBe('#5f7df9');
    const panel = await openPanel(page);
    const presets = panel.getByRole('button', { name: /^颜色 #/ });
    expect(await presets.count()).toBeGreaterThan(3);
    const colour = (await presets.first().getAttribute('title')) ?? '';
    await presets.first().click();
    await expect.poll(() => theme(page)).toBe(colour.toLowerCase());
  });

  test('2.5.28 saving stores theme, tagsView, fixedHeader, sidebarLogo and showSettings in the browser, and takes 1 second', async () => {
    const own = await consolePage(walk.product, { language: 'zh-CN', token: walk.token });
    const { page } = own;
    await page.clock.install();
    await page.goto(`${walk.product.url}/deviceList`);
    await heading(page, '充电桩').waitFor();
    const panel = await openPanel(page);
    await panel.getByRole('switch', { name: '显示标志' }).click();
    expect(await kept(page)).toBeNull();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await button(page, '保存布局').click();
    const done = page.getByText('布局已保存在本机');
    await page.clock.runFor(900);
    expect(await done.count()).toBe(0);
    await page.clock.runFor(500);
    await done.waitFor();
    expect(await kept(page)).toEqual({
      theme: '#5f7df9',
      tagsView: true,
      fixedHeader: true,
      sidebarLogo: false,
      showSettings: true,
    });
    await own.close();
  });

  test('2.5.29 resetting deletes the stored settings and reloads the page after 1 second', async () => {
    const own = await consolePage(walk.product, { language: 'zh-CN', token: walk.token });
    const { page } = own;
    await page.addInitScript(() => {
      if (sessionStorage.getItem('once') !== null) return;
      sessionStorage.setItem('once', '1');
      localStorage.setItem('layout-setting', JSON.stringify({ theme: '#12805c', tagsView: false }));
    });
    await page.clock.install();
    await page.goto(`${walk.product.url}/deviceList`);
    await heading(page, '充电桩').waitFor();
    expect(await theme(page)).toBe('#12805c');
    expect(await tabs(page).count()).toBe(0);
    await openPanel(page);
    await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await button(page, '恢复默认').click();
    await page.clock.runFor(900);
    expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(true);
    const loaded = page.waitForEvent('load');
    await page.clock.runFor(300);
    await loaded;
    await page.clock.resume();
    await heading(page, '充电桩').waitFor();
    expect(await kept(page)).toBeNull();
    expect(await theme(page)).toBe('#5f7df9');
    expect(await tabs(page).count()).toBe(1);
    await own.close();
  });

  test('2.5.33 tabs can be switched off and on', async () => {
    const page = await opened('/deviceList', '充电桩');
    expect(await tabs(page).count()).toBe(1);
    const panel = await openPanel(page);
    await panel.getByRole('switch', { name: '显示页签' }).click();
    await expect.poll(() => tabs(page).count()).toBe(0);
    await panel.getByRole('switch', { name: '显示页签' }).click();
    await expect.poll(() => tabs(page).count()).toBe(1);
  });

  test('2.5.34 the header is fixed, or scrolls away with the page', async () => {
    const page = await walk.open('/menu');
    await page.getByRole('row').nth(30).waitFor();
    const isSeen = () =>
      page.evaluate(() => {
        for (const element of document.querySelectorAll('main, main *')) {
          if (element.scrollHeight > element.clientHeight + 240) element.scrollTop = 600;
        }
        const header = document.querySelector('header');
        return header?.checkVisibility() === true && header.getBoundingClientRect().bottom > 0;
      });
    expect(await isSeen()).toBe(true);
    const panel = await openPanel(page);
    await panel.getByRole('switch', { name: '固定顶栏' }).click();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    // The header stays while the focus is inside it.
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      for (const element of document.querySelectorAll('main, main *')) element.scrollTop = 0;
    });
    await expect.poll(isSeen).toBe(false);
  });

  test('2.5.35 the logo can be hidden', async () => {
    const page = await opened('/deviceList', '充电桩');
    const aside = page.getByRole('complementary').first();
    const above = () =>
      aside.evaluate((element) => element.querySelector('nav')?.getBoundingClientRect().top ?? Number.NaN);
    expect(await above()).toBeGreaterThan(30);
    const panel = await openPanel(page);
    await panel.getByRole('switch', { name: '显示标志' }).click();
    await expect.poll(above).toBeLessThan(30);
  });
});

describe('the route search', () => {
  async function search(page: Page, text: string) {
    await page.getByRole('banner').getByRole('button', { name: /搜索$/ }).click();
    await page.getByRole('combobox', { name: '搜索' }).fill(text);
    return page.getByRole('option');
  }

  test.each([
    ['a part of the title', '历史'],
    ['a part of the path', 'ListHist'],
    ['a path with a letter wrong', 'orderListHistori'],
  ])('2.5.10 the route search finds a page by %s', async (_, text) => {
    const page = await opened('/deviceList', '充电桩');
    const found = await search(page, text);
    await found.filter({ hasText: '历史订单' }).first().click();
    await heading(page, '历史订单').waitFor();
    expect(new URL(page.url()).pathname).toBe('/orderListHistory');
  });

  test('2.5.36 the route search finds nothing beyond the threshold of 0.4', async () => {
    const page = await opened('/deviceList', '充电桩');
    // Four of the ten letters match the path: a distance of 0.6.
    const found = await search(page, 'rolexxxxxx');
    // On a busy machine the search for records may be cut short, and says that instead.
    await page
      .getByRole('status')
      .filter({ hasText: /没有找到|显示 0 项结果|记录暂时无法搜索/ })
      .waitFor();
    expect(await found.count()).toBe(0);
  });
});

describe('the big-data screen', () => {
  test('2.5.9 the big-data screen opens in its own window; ours knows the session without the token in its address', async () => {
    const page = await opened('/deviceList', '充电桩');
    const opening = page.context().waitForEvent('page');
    await button(page, '大屏').click();
    const screen = await opening;
    await screen.waitForURL(`${walk.product.url}/screen`);
    await screen.close();
  });

  test('2.5.37 a big-data screen at another address gets the login token', async () => {
    await walk.database.db
      .updateTable('configs')
      .set({ value: 'https://screen.example/wall?site=1' })
      .where('key', '=', 'screen_url')
      .execute();
    const page = await walk.open('/deviceList');
    await page.addInitScript(() => {
      window.open = (address) => {
        Object.assign(window, { wanted: String(address) });
        return null;
      };
    });
    const configured = page.waitForResponse('**/sysConfig/getInfoByKey?configKey=screen_url');
    await page.reload();
    await configured;
    await heading(page, '充电桩').waitFor();
    await button(page, '大屏').click();
    const wanted = () => page.evaluate(() => (window as unknown as { wanted?: string }).wanted ?? '');
    await expect.poll(wanted).toBe(`https://screen.example/wall?site=1&token=${encodeURIComponent(walk.token)}`);
    expect(await menu(page).count()).toBe(1);
  });
});
