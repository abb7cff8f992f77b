import { buffer } from 'node:stream/consumers';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { beginCharge } from './told-charge.ts';

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
});
afterAll(async () => {
  await network.end();
  expect(network.product.errors).toEqual([]);
});

async function open(path: string, language: 'zh-CN' | 'en' = 'zh-CN'): Promise<BrowserPage> {
  const opened = await consolePage(network.product, { language, token });
  // What was reported before the page heard events would move nothing.
  const hears = opened.page.waitForResponse('**/api/events*');
  await opened.page.goto(network.product.url + path);
  await hears;
  return opened;
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** The cell of a row in the column of this name. */
async function cellOf(page: Page, row: Locator, column: string): Promise<Locator> {
  const names = await page.getByRole('columnheader').allInnerTexts();
  const index = names.findIndex((name) => name.trim() === column);
  if (index === -1) throw new Error(`no column ${column} among ${names.join(', ')}`);
  return row.getByRole('cell').nth(index);
}

/** The files of an archive by its central directory, with checksums verified. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = archive.readUInt32LE(at + 42) + 30 + nameLength;
    const content = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    expect([name, crc32(content)]).toEqual([name, archive.readUInt32LE(at + 16)]);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength;
  }
  return files;
}

describe('the list of running orders', () => {
  test('the list of running orders adds a charge that starts, updates it and removes it without reloading', async () => {
    // An order's row is stored within seconds of the station's message, and is not pushed again.
    const { running } = network.orders;
    const listed = async () =>
      (await network.api.ordersOf({ stationNumber: network.charging.number })).find(({ id }) => id === running.id);
    await expect.poll(async () => (await listed())?.energyWh).toBe(35_000);
    const { page, troubles, close } = await open('/orderListReal');
    const first = rowOf(page, running.number);
    await first.waitFor();
    const energyOfFirst = await cellOf(page, first, '电量 (kWh)');
    expect(await energyOfFirst.textContent()).toBe('35.00');
    await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));

    const charge = await beginCharge(network.api, network.free, { minutesAgo: 12, minutes: 5 });
    const second = rowOf(page, charge.order.number);
    await second.waitFor();
    const energy = await cellOf(page, second, '电量 (kWh)');
    await expect.poll(() => energy.textContent()).toBe('5.00');
    await charge.read(10);
    await expect.poll(() => energy.textContent()).toBe('10.00');
    expect(await (await cellOf(page, second, '功率 (kW)')).textContent()).toBe('60.0');
    expect(await (await cellOf(page, second, 'SOC (%)')).textContent()).toBe('30');
    expect(await energyOfFirst.textContent()).toBe('35.00');

    await charge.stop(11);
    await second.waitFor({ state: 'detached' });
    expect(await first.count()).toBe(1);
    expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(true);
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('an order that waits', () => {
  test('a running order that ends in doubt is shown to wait for a person without reloading', async () => {
    const { page, troubles, close } = await open('/orderListReal');
    const charge = await beginCharge(network.api, network.free, { minutesAgo: 6, minutes: 5 });
    const row = rowOf(page, charge.order.number);
    await row.waitFor();
    await charge.stop(6, -900_000);
    await row.getByText('待人工处理').waitFor();
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('the list of gun ports', () => {
  test('the list of gun ports follows the states that stations report', async () => {
    const { page, troubles, close } = await open('/portList');
    const row = rowOf(page, network.charging.number).filter({ hasText: '故障' });
    await row.waitFor();
    await network.charging.station.call('StatusNotification', {
      connectorId: 2,
      errorCode: 'NoError',
      status: 'Available',
      timestamp: new Date().toISOString(),
    });
    await row.waitFor({ state: 'detached' });
    expect(await rowOf(page, network.charging.number).count()).toBe(2);
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('a page that is loading', () => {
  test('the page of a station shows a charge that began while its first answer was under way', async () => {
    const { free, product } = network;
    const { page, troubles, close } = await consolePage(product, { language: 'zh-CN', token });
    const isRead = Promise.withResolvers<void>();
    const isHeard = Promise.withResolvers<void>();
    await page.route(
      `**/api/stations/${free.id}`,
      async (route) => {
        const response = await route.fetch();
        isRead.resolve();
        await isHeard.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    const hears = page.waitForResponse('**/api/events*');
    const hasOrders = page.waitForResponse('**/api/orders?*');
    await page.goto(`${product.url}/deviceDetail?id=${free.id}`);
    await Promise.all([hears, hasOrders, isRead.promise]);
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/orders') asked += 1;
    });
    const charge = await beginCharge(network.api, free, { minutesAgo: 6, minutes: 5 });
    // The first event asks at once, the others together when the page's interval has passed.
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(1);
    isHeard.resolve();
    await page.getByRole('region', { name: '枪口与远程控制' }).getByText('充电中').first().waitFor();
    await charge.stop(6);
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('on a phone', () => {
  test('on a phone each order of the history shows its time, state, energy and amount', async () => {
    const { page, troubles, close } = await consolePage(network.product, {
      language: 'zh-CN',
      token,
      width: 375,
      height: 800,
    });
    await page.goto(`${network.product.url}/orderListHistory?time=placed`);
    const { number } = network.orders.completed;
    const order = page.getByRole('listitem').filter({ hasText: number });
    await order.waitFor();
    for (const fact of ['电量 (kWh)', '订单金额', '下单时间', '已完成']) {
      const box = await order.getByText(fact).first().boundingBox();
      expect(box, fact).not.toBeNull();
      expect((box?.x ?? 0) + (box?.width ?? 0), fact).toBeLessThanOrEqual(375);
    }
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('what is not there', () => {
  test.each([
    ['/orderListDetailHistory', '订单不存在', '/orderListHistory'],
    ['/deviceDetail', '充电桩不存在', '/deviceList'],
  ])('%s of a missing record says so and links back to its list', async (path, said, list) => {
    const { page, close } = await open(`${path}?id=999999999`);
    const alert = page.getByRole('alert').filter({ hasText: said });
    await alert.waitFor();
    expect(await alert.getByRole('link').getAttribute('href')).toBe(list);
    expect(await alert.getByRole('button').count()).toBe(0);
    await close();
  });
});

describe('filters', () => {
  test('filters are in the address, survive a reload, and can be removed one by one', async () => {
    const { page, troubles, close } = await open('/orderListHistory');
    const { refunded, completed } = network.orders;
    // The history starts with today by default.
    const applied = page.getByRole('list', { name: '已应用的筛选' });
    await applied.getByRole('button').click();
    await rowOf(page, completed.number).waitFor();
    await page.getByRole('textbox', { name: '订单号' }).fill(refunded.number);
    await page.getByRole('textbox', { name: '订单号' }).press('Enter');
    await rowOf(page, completed.number).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('number')).toBe(refunded.number);

    await page.reload();
    await rowOf(page, refunded.number).waitFor();
    expect(await rowOf(page, completed.number).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: '订单号' }).inputValue()).toBe(refunded.number);
    await applied.getByRole('button').click();
    await rowOf(page, completed.number).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(troubles).toEqual([]);
    await close();
  });

  test('a default filter that is removed as soon as it shows stays removed', async () => {
    const { page, troubles, close } = await consolePage(network.product, { language: 'zh-CN', token });
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const chip = document.querySelector<HTMLElement>('[aria-label="已应用的筛选"] button');
        if (chip === null) return;
        observer.disconnect();
        chip.click();
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${network.product.url}/orderListHistory`);
    await rowOf(page, network.orders.completed.number).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(troubles).toEqual([]);
    await close();
  });

  test('an empty list says what it began with looking for only while it looks for that', async () => {
    const { page, troubles, close } = await open('/approvalList');
    const asBegun = page.getByText('没有需要审批的操作');
    await asBegun.waitFor();
    await page.getByRole('list', { name: '已应用的筛选' }).getByRole('button').click();
    await page.getByText('暂无数据', { exact: true }).waitFor();
    expect(await asBegun.count()).toBe(0);
    expect(troubles).toEqual([]);
    await close();
  });

  test('filters in the address are applied', async () => {
    const { page, close } = await open('/orderListHistory?state=cancelled');
    await rowOf(page, network.orders.cancelled.number).waitFor();
    expect(await rowOf(page, network.orders.completed.number).count()).toBe(0);
    await close();
  });
});

describe('the pager', () => {
  test.each([
    ['zh-CN', '共 4 条', '20 条/页'],
    ['en', 'Total 4', '20 /page'],
  ] as const)('the pager counts in %s', async (language, total, perPage) => {
    const opened = await open('/portList?stationNumber=SZ-BAY', language);
    const pager = opened.page.getByRole('navigation', { name: language === 'en' ? 'Pages' : '分页' });
    await pager.getByText(total, { exact: true }).waitFor();
    await pager.getByText(perPage).waitFor();
    await opened.close();
  });
});

describe('an export', () => {
  test('an export of the filtered orders is a valid workbook with exactly those orders', async () => {
    const opened = await open('/orderListHistory?state=completed', 'en');
    const { page } = opened;
    await rowOf(page, network.orders.completed.number).waitFor();
    await settled(opened);
    const downloading = page.waitForEvent('download');
    // The message is visible for a few seconds, and reading the file may take longer.
    const told = page.getByText(/^Exported Orders/).waitFor();
    await page.getByRole('button', { name: /Export$/ }).click();
    const download = await downloading;
    await told;
    expect(download.suggestedFilename()).toMatch(/^Orders \d{4}-\d\d-\d\d\.xlsx$/);
    const files = unzip(await buffer(await download.createReadStream()));
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('Order number');
    expect(sheet).toContain(network.orders.completed.number);
    expect(sheet).toContain(network.orders.refunded.number);
    expect(sheet).not.toContain(network.orders.cancelled.number);
    expect(opened.troubles).toEqual([]);
    await opened.close();
  });
});

describe('a form', () => {
  test.each([
    [
      'zh-CN',
      { add: '添加充电桩', number: '充电桩编号', name: '充电桩名称', site: '站点' },
      '充电桩编号 HZ-XHWH-0001 已存在',
    ],
    [
      'en',
      { add: 'Add station', number: 'Station number', name: 'Station name', site: 'Site' },
      'Station number HZ-XHWH-0001 is taken',
    ],
  ] as const)(
    'a form shows the server’s refusal at the field that it concerns, in %s',
    async (language, words, refusal) => {
      const { page, close } = await open('/deviceList', language);
      await page.getByRole('button', { name: new RegExp(`${words.add}$`) }).click();
      const form = page.getByRole('dialog');
      const number = form.getByLabel(words.number);
      await number.fill(network.charging.number);
      await form.getByLabel(words.name).fill('Twice');
      await form.getByRole('combobox', { name: words.site }).fill('Shenzhen');
      await page.locator('.ant-select-dropdown').getByText('Shenzhen Bay Innovation').click();
      await form.getByRole('spinbutton').nth(1).fill('120');
      await form.getByRole('button', { name: words.add }).click();
      await form.getByText(refusal).waitFor();
      expect(await number.getAttribute('aria-invalid')).toBe('true');
      const describedBy = (await number.getAttribute('aria-describedby')) ?? '';
      expect(
        await form
          .locator(
            describedBy
              .split(' ')
              .map((id) => `[id="${id}"]`)
              .join(', '),
          )
          .allTextContents(),
      ).toContain(refusal);
      await expect.poll(() => number.evaluate((field) => field === document.activeElement)).toBe(true);
      await close();
    },
  );
});
