import { makeOrder, makePlace } from '@voltdeck/server/http/test-records';
import { instant } from '@voltdeck/units/instant';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { settled } from './console-page.ts';
import { ruleWalk } from './rule-walk.ts';

const walk = ruleWalk(async ({ database }) => {
  const place = await makePlace(database, null, 'search');
  const now = Date.now();
  for (let order = 1; order <= 7; order += 1) {
    await makeOrder(database, place, instant(now - order * 3_600_000), { number: `202611220900000000${order}777` });
  }
  await makeOrder(database, place, instant(now - 60_000), {
    number: '2026112309000000008888',
    state: 'charging',
    payment_state: 'unpaid',
    ended_at: null,
    settled_at: null,
  });
});

async function opened(path: string, language: 'zh-CN' | 'en' = 'zh-CN', width?: number): Promise<Page> {
  const page = await walk.open(path, { language, ...(width === undefined ? {} : { width }) });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled({ page });
  return page;
}

async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^(搜索|Search)$/ }).fill(text);
  return page.getByRole('option');
}

const addressOf = (page: Page) => {
  const { pathname, searchParams } = new URL(page.url());
  return [pathname, Object.fromEntries(searchParams)];
};

describe('going', () => {
  test.each([
    ['zh-CN', 'lsdd', '历史订单'],
    ['zh-CN', 'jiaohurizhi', '交互日志'],
    ['zh-CN', 'gun ports', '枪口'],
    ['en', '枪口', 'Gun ports'],
    // Far enough from every name: "zhinan" is near "finance".
    ['en', 'zhongguo', null],
  ] as const)('in %s the search for "%s" finds the screen %s', async (language, text, title) => {
    const page = await opened('/taskList', language);
    const options = await search(page, text);
    if (title === null) await page.getByText('Nothing matches').waitFor();
    else await options.filter({ hasText: title }).first().waitFor();
  });

  test('Ctrl+Enter opens the result in a new tab, and the search stays open', async () => {
    const page = await opened('/taskList');
    await (await search(page, 'configList')).first().waitFor();
    const [beside] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')]);
    await beside.waitForURL(`${walk.product.url}/configList`);
    await beside.close();
    expect(addressOf(page)).toEqual(['/taskList', {}]);
    expect(await page.getByRole('combobox', { name: '搜索' }).isVisible()).toBe(true);
  });

  test('recent entries, including acts, come first when nothing is typed', async () => {
    const page = await opened('/taskList');
    await (await search(page, 'configList')).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/configList');
    await (await search(page, '超小')).first().click();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.size)).toBe('mini');
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: '最近使用' }).getByRole('option');
    // The current size is not offered again.
    await expect.poll(() => recent.allInnerTexts()).toEqual([expect.stringContaining('参数')]);
  });
});

describe('finding', () => {
  test('an order is found by the end of its number, whichever list it is in', async () => {
    const page = await opened('/taskList');
    const options = await search(page, '8888');
    await options.filter({ hasText: '2026112309000000008888' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/orderListDetail\w+\?id=/);
  });

  test('when more matches exist than are shown, the search shows their number and links to the list of exactly those', async () => {
    const page = await opened('/taskList', 'en');
    const options = await search(page, '20261122');
    const all = options.filter({ hasText: 'Show all 7' });
    await all.waitFor();
    expect(await page.getByRole('group', { name: 'Orders' }).getByRole('option').count()).toBe(6);
    await all.click();
    await page.waitForURL('**/orderListHistory?*');
    expect(addressOf(page)).toEqual(['/orderListHistory', { number: '20261122' }]);
    await page.getByText('Total 7').waitFor();
  });

  test('a site opens on its own page, by the words of its name and address in any order', async () => {
    const { id } = await walk.database.db
      .updateTable('sites')
      .set({ name: '湖滨银泰', address: '延安路 98 号' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const page = await opened('/taskList');
    const options = await search(page, '延安 银泰');
    await options.filter({ hasText: '湖滨银泰' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/plotDetail?*');
    expect(addressOf(page)).toEqual(['/plotDetail', { id: String(id) }]);
  });

  test('a card leads to its row in the list of cards', async () => {
    const page = await opened('/taskList', 'en');
    const card = await walk.database.db.selectFrom('cards').select(['id', 'number']).executeTakeFirstOrThrow();
    await (await search(page, card.number.slice(-6))).filter({ hasText: card.number }).first().click();
    await page.waitForURL('**/cardList?*');
    expect(addressOf(page)).toEqual(['/cardList', { number: card.number }]);
  });
});

describe('acts', () => {
  test('the search can run the acts of the visible list as their buttons do', async () => {
    const page = await opened('/deviceList', 'en');
    await (await search(page, 'add station')).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add station' }).getByLabel('Station number').waitFor();
  });

  test('a page in a hidden tab offers no acts', async () => {
    const page = await opened('/deviceList', 'en');
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Task centre' }).click();
    await page.getByRole('heading', { level: 1, name: 'Task centre' }).waitFor();
    await settled({ page });
    const options = await search(page, 'add station');
    await page.getByText(/Results|Nothing/).waitFor();
    expect(await options.filter({ hasText: 'Add station' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Search' }).fill('refresh');
    await expect.poll(() => options.filter({ hasText: /^Refresh$/ }).count()).toBe(2);
  });

  test('an act asks the same question as its button, and says why it is disabled', async () => {
    const { db } = walk.database;
    const { id, station_id } = await db
      .selectFrom('orders')
      .select(['id', 'station_id'])
      .where('state', '=', 'charging')
      .executeTakeFirstOrThrow();
    const stopOf = async (online: boolean) => {
      await db.updateTable('stations').set({ online }).where('id', '=', station_id).execute();
      const page = await opened(`/orderListDetailReal?id=${id}`, 'en');
      const button = page.getByRole('main').getByRole('button', { name: 'Stop remotely' });
      await button.waitFor();
      const reason = await button.getAttribute('aria-description');
      const act = (await search(page, 'stop')).filter({ hasText: /^Stop/ }).first();
      await act.waitFor();
      return { page, act, reason };
    };
    const online = await stopOf(true);
    expect(online.reason).toBeNull();
    await online.act.click();
    await online.page.getByText('2026112309000000008888?').waitFor();

    // Nothing reaches an offline station; its charge is settled manually.
    const offline = await stopOf(false);
    expect(offline.reason).toBe('The station is offline and cannot be reached');
    expect(await offline.act.getAttribute('aria-disabled')).toBe('true');
    expect(await offline.act.textContent()).toContain(offline.reason);
    await offline.page.keyboard.press('Enter');
    expect(await offline.page.getByRole('combobox', { name: 'Search' }).isVisible()).toBe(true);
    await offline.page.getByRole('main').getByRole('button', { name: 'Settle manually' }).waitFor();
  });

  test('the console’s own acts are available on every screen', async () => {
    const page = await opened('/taskList', 'en');
    await (await search(page, 'change password')).first().click();
    await page.getByRole('dialog', { name: 'Change password' }).waitFor();
  });
});

describe('keys', () => {
  test('a question mark lists all keys, except while typing', async () => {
    const page = await opened('/deviceList', 'en');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Move between rows').waitFor();
    expect(await help.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Anywhere',
      'In the search',
      'In a list',
      'In the tab bar',
      'In a form',
    ]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.type('?');
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('?');
    expect(await help.count()).toBe(0);
  });

  test('the search returns the focus', async () => {
    const page = await opened('/deviceList', 'en');
    const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
    await refresh.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => refresh.evaluate((it) => it === document.activeElement)).toBe(true);
  });
});
