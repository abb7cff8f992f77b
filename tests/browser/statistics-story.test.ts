import { buffer } from 'node:stream/consumers';
import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace, makeSettledOrder } from '@voltdeck/server/http/test-records';
import { sheetRows } from '@voltdeck/server/http/test-sheets';
import type { AgentId } from '@voltdeck/units/id';
import { dayMs, hourMs, instant, shanghaiDate, shanghaiDayStart } from '@voltdeck/units/instant';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePage, leave, newToken, settled } from './console-page.ts';
import { follow, rowOf } from './desk-work.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { chooseInMenu, type NetworkWalk, networkWalk } from './network-walk.ts';
import { accessibilityFaults } from './page-faults.ts';
import { addPerson, type Person } from './people.ts';

const agentName = 'Lingnan Charging';
const harbour = 'Site harbour';
const today = shanghaiDayStart(instant(Date.now()));
/** The days before today on which the harbour’s charges ended, at noon. */
const daysAgo = [3, 3, 10, 45];
const busyDay = shanghaiDate(instant(today - 3 * dayMs));

let database: Awaited<ReturnType<typeof freshDatabase>>;
let product: HostedProduct;
let accountant: Person;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
  const api: Api = await product.signIn();
  const agent = { loginName: 'lingnan', realName: agentName, phone: '13800000021', sharePercent: 60 };
  const { id } = await api.post<{ id: AgentId }>('/agents', agent);
  const places = [await makePlace(database, id, 'harbour'), await makePlace(database, null, 'lake')] as const;
  for (const [index, days] of daysAgo.entries()) {
    const settledAt = instant(today - days * dayMs + 12 * hourMs);
    await makeSettledOrder(database, places[0], { electricityFeeFen: 1_000 + index, serviceFeeFen: 500, settledAt });
  }
  const settledAt = instant(today - 3 * dayMs + 12 * hourMs);
  await makeSettledOrder(database, places[1], { electricityFeeFen: 7_000, serviceFeeFen: 0, settledAt });
  const menus = ['statisticsList', 'totalList', 'orderListHistory', 'plotList', 'operatorList'];
  accountant = await addPerson({ api, database, url: product.url }, 'accountant', menus);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** What the orders of the harbour say that ended in the past days, in yuan as the console writes it. */
async function truth(days: number): Promise<{ orders: string; received: string; receivable: string; kwh: string }> {
  const { rows } = await database.pool.query<Record<'orders' | 'received' | 'receivable' | 'wh', number>>(
    `select count(*)::int as orders, sum(paid_fen)::int as received, sum(amount_fen)::int as receivable,
            sum(energy_wh)::int as wh
       from orders join sites on sites.id = orders.site_id
      where sites.name = $1 and orders.state = 'completed' and ended_at >= $2`,
    [harbour, new Date(today - (days - 1) * dayMs)],
  );
  const [sums] = rows;
  if (sums === undefined) throw new Error('a sum has a row');
  const yuan = (fen: number) => (fen / 100).toFixed(2);
  return {
    orders: String(sums.orders),
    received: yuan(sums.received),
    receivable: yuan(sums.receivable),
    kwh: (sums.wh / 1_000).toFixed(2),
  };
}

const panel = ({ page, say }: NetworkWalk, title: Parameters<NetworkWalk['say']>[0]) =>
  page
    .getByRole('region', { name: say(title), exact: true })
    .filter({ visible: true })
    .first();

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ file: Download; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await act();
  const file = await downloading;
  return { file, bytes: await buffer(await file.createReadStream()) };
}

test.each(['en', 'zh-CN'] as const)(
  'the accountant reads the figures of a month and a site, finds the same sums in its orders, exports them, and follows the totals of an agent down to its orders (%s)',
  async (language) => {
    const opened = await consolePage(product, { language, token: accountant.token });
    const walk = networkWalk(opened.page, language);
    const { page, say } = walk;
    const month = await truth(30);
    expect(month.orders).toBe('3');

    await page.goto(`${product.url}/statisticsList`);
    await page.getByText(say('list.last30Days'), { exact: true }).click();
    await page.waitForURL(/period=last_30_days/);
    const site = page.getByRole('combobox', { name: say('statistics.site') });
    await site.fill('harbour');
    await page.locator('.ant-select-item-option').filter({ hasText: harbour }).filter({ visible: true }).click();
    await page.waitForURL(/siteId=/);
    expect(page.url()).toContain('period=last_30_days');
    const figures = panel(walk, 'statistics.figures');
    for (const value of [`¥${month.receivable}`, `¥${month.received}`, `${month.kwh} kWh`, month.orders]) {
      await figures.getByText(value, { exact: true }).first().waitFor();
    }
    await figures
      .getByRole('button', { name: say('statistics.howCounted', { figure: say('statistics.received') }) })
      .focus();
    await page
      .getByRole('tooltip')
      .filter({ hasText: say('statistics.receivedHint') })
      .waitFor();
    await settled(opened);
    expect(await accessibilityFaults(page)).toEqual([]);

    // The same figures as a table, with their sums, and the address brings the view back.
    const income = panel(walk, 'statistics.incomeTime');
    await income.getByText(say('statistics.asTable'), { exact: true }).click();
    await income
      .getByRole('row', { name: `${say('statistics.sum')} ${month.receivable} ${month.received} 0.00` })
      .waitFor();
    const day = income.getByRole('row').filter({ hasText: busyDay });
    await day.getByText('30.01', { exact: true }).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    // The day’s orders have the same sum.
    await follow(page, day.getByRole('link', { name: busyDay }));
    await page
      .getByText(say('list.total', { total: '2' }), { exact: true })
      .filter({ visible: true })
      .waitFor();
    await page
      .getByRole('region', { name: say('list.sumsOver', { count: '2' }) })
      .getByText('30.01')
      .first()
      .waitFor();

    await leave(page, () => page.goBack().then(() => undefined));
    const { bytes } = await downloaded(page, async () => {
      await page
        .getByRole('button', { name: say('list.export') })
        .filter({ visible: true })
        .click();
      await page.getByRole('menuitem', { name: say('statistics.asWorkbook') }).click();
    });
    const [heads = [], sums = []] = sheetRows(bytes);
    expect(Number(sums[heads.findIndex((head) => head.startsWith(say('statistics.received')))]).toFixed(2)).toBe(
      month.received,
    );
    const picture = await downloaded(page, async () => {
      await page
        .getByRole('button', { name: say('list.export') })
        .filter({ visible: true })
        .click();
      await page.getByRole('menuitem', { name: say('statistics.asPicture') }).click();
    });
    expect(picture.file.suggestedFilename()).toMatch(/\.png$/);
    expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.bytes.length).toBeGreaterThan(20_000);

    // Totals: from the agent to its site, its station and its orders.
    await chooseInMenu(walk, 'menu.totalList');
    await page.goto(`${product.url}/totalList?from=${new Date(today - 29 * dayMs).toISOString()}`);
    await rowOf(page, agentName, month.receivable).getByRole('link', { name: agentName }).click();
    const ofSite = rowOf(page, harbour, month.receivable);
    await ofSite.waitFor();
    expect(page.url()).toContain('by=site');
    await settled(opened);
    expect(await accessibilityFaults(page)).toEqual([]);
    const exported = await downloaded(page, () => page.getByRole('button', { name: say('list.exportSums') }).click());
    expect(exported.bytes.toString()).toContain(`"${month.receivable}"`);
    await ofSite.getByRole('link', { name: harbour }).click();
    const ofStation = rowOf(page, 'Station harbour', month.receivable);
    await ofStation.waitFor();
    await follow(page, ofStation.getByRole('link').first());
    await page
      .getByText(say('list.total', { total: month.orders }), { exact: true })
      .filter({ visible: true })
      .waitFor();

    expect(opened.troubles).toEqual([]);
    await opened.close();
  },
);

test('two changes that follow each other before the page is drawn again are both kept, on the statistics and in any list', async () => {
  const opened = await consolePage(product, { language: 'en', token: accountant.token });
  const { page, say } = networkWalk(opened.page, 'en');
  /** The first element that matches each of them, in one task of the page. */
  const clickAtOnce = (...selectors: readonly string[]) =>
    page.evaluate((each) => {
      for (const selector of each) document.querySelector<HTMLElement>(selector)?.click();
    }, selectors);
  const choice = (of: Parameters<typeof say>[0], index: number) =>
    `[aria-label="${say(of)}"] label:nth-of-type(${index}) input`;
  await page.goto(`${product.url}/statisticsList`);
  await page.getByText(say('list.last7Days'), { exact: true }).waitFor();
  await clickAtOnce(choice('statistics.presets', 4), choice('statistics.rankedBy', 4));
  await page.waitForURL(/period=last_30_days/);
  expect(new URL(page.url()).searchParams.get('by')).toBe('utilisation');

  await page.goto(`${product.url}/plotList?name=harbour&kind=public`);
  const chips = page.getByRole('list', { name: say('list.applied') }).getByRole('listitem');
  await chips.nth(1).waitFor();
  const chip = (index: number) => `[aria-label="${say('list.applied')}"] > li:nth-child(${index}) button`;
  await clickAtOnce(chip(1), chip(2));
  await chips.first().waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  expect(opened.troubles).toEqual([]);
  await opened.close();
});

test('on a phone, the count of a text area stands beside the hint of its field and not over it', async () => {
  const opened = await consolePage(product, { language: 'en', token: await newToken(product.url), width: 375 });
  const { page, say } = networkWalk(opened.page, 'en');
  await page.goto(`${product.url}/reports`);
  await page
    .getByRole('button', { name: say('reports.add') })
    .first()
    .click();
  const hint = page.getByText(say('reports.emailsHint'), { exact: true });
  await hint.scrollIntoViewIfNeeded();
  const overlaps = await hint.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const count = element.closest('.ant-form-item')?.querySelector('.ant-input-data-count')?.getBoundingClientRect();
    if (count === undefined) return null;
    return [...text.getClientRects()].some(
      (line) => line.right > count.left && line.top < count.bottom && line.bottom > count.top,
    );
  });
  expect(overlaps).toBe(false);
  await opened.close();
});
