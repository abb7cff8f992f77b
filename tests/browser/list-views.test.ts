import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { makePlace } from '@voltdeck/server/http/test-records';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { type ConsoleOptions, consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

const stations = 30;
let product: HostedProduct;
let token: string;

beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  const place = await makePlace(database, null, 'lake');
  await database.pool.query(
    `insert into stations (number, name, type, equipment_type, protocol, site_id, max_power_w, enabled, total_energy_wh)
     select 'PILE-' || lpad(g::text, 3, '0'), 'Pile ' || g, 'fast', 'four-wheel', 'ocpp1.6', $1, 60000, g % 3 <> 0, g * 100
       from generate_series(1, $2) g`,
    [place.siteId, stations],
  );
  token = await newToken(product.url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

async function openStations(search = '', options: Partial<ConsoleOptions> = {}): Promise<BrowserPage> {
  const opened = await consolePage(product, { language: 'en', token, ...options });
  await opened.page.goto(`${product.url}/deviceList${search}`);
  await opened.page.locator('[data-row]').first().waitFor();
  await settled(opened);
  return opened;
}

const edgeOf = (page: Page, title: string) => page.getByRole('separator', { name: `Width of ${title}`, exact: true });
const widthOf = async (page: Page, title: string) => Number(await edgeOf(page, title).getAttribute('aria-valuenow'));
/** The server's settings for the caller. */
const kept = async () => {
  const response = await fetch(`${product.url}/api/list-views`, { headers: { token } });
  return ((await response.json()) as { data: { columns: { list: string; choice: { widthsPx: object } }[] } }).data;
};

/** Holds back the answer with the user's settings until the returned function is called. */
async function heldViews(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/list-views', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** The texts of a workbook's parts, concatenated. */
function unzippedText(archive: Buffer): string {
  let text = '';
  let at = archive.readUInt32LE(archive.length - 22 + 16);
  for (let left = archive.readUInt16LE(archive.length - 22 + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(at + 28);
    const start = archive.readUInt32LE(at + 42) + 30 + nameLength;
    text += inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20))).toString('utf8');
    at += 46 + nameLength;
  }
  return text;
}

describe('widths of columns', () => {
  test('a column widened in one browser is as wide in another', async () => {
    const first = await openStations();
    const { page } = first;
    const before = await widthOf(page, 'Station name');
    const box = await edgeOf(page, 'Station name').boundingBox();
    if (box === null) throw new Error('the edge has no place');
    await page.mouse.move(box.x + 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 74, box.y + 10, { steps: 5 });
    await page.mouse.up();
    const head = page.getByRole('columnheader', { name: 'Station name', exact: true });
    expect(await widthOf(page, 'Station name')).toBe(before + 70);
    expect((await head.boundingBox())?.width).toBe(before + 70);
    await expect.poll(async () => (await kept()).columns[0]?.choice.widthsPx).toEqual({ name: before + 70 });

    const second = await openStations();
    expect(await widthOf(second.page, 'Station name')).toBe(before + 70);
    await second.page.getByRole('button', { name: 'Columns' }).click();
    await second.page.getByRole('button', { name: 'Restore defaults' }).click();
    expect(await widthOf(second.page, 'Station name')).toBe(before);
    await expect.poll(async () => (await kept()).columns).toEqual([]);

    await page.reload();
    await expect.poll(() => widthOf(page, 'Station name')).toBe(before);
    for (const opened of [first, second]) {
      expect(opened.troubles).toEqual([]);
      await opened.close();
    }
  });

  test('arrow keys move a column edge, and a double click fits it to the content', async () => {
    const { page, troubles, close } = await openStations();
    const name = edgeOf(page, 'Station name');
    const before = await widthOf(page, 'Station name');
    // Tab reaches one edge, the arrows reach the others.
    const number = edgeOf(page, 'Station number');
    expect([await number.getAttribute('tabindex'), await name.getAttribute('tabindex')]).toEqual(['0', '-1']);
    await number.focus();
    await page.keyboard.press('ArrowDown');
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    expect(await widthOf(page, 'Station name')).toBe(before + 16);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await widthOf(page, 'Station name')).toBe(before - 16);
    await name.dblclick();
    const fitted = await widthOf(page, 'Station name');
    const cut = await page
      .locator('[data-cell="name"]')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(cut).toBe(0);
    expect(fitted).not.toBe(before - 16);
    expect(troubles).toEqual([]);
    await close();
  });

  test('columns that an older version stored in the browser are taken over once', async () => {
    const opened = await consolePage(product, { language: 'en', token });
    const { page } = opened;
    const me = await fetch(`${product.url}/api/user/info`, { headers: { token } });
    const { id } = ((await me.json()) as { data: { id: number } }).data;
    await opened.context.addInitScript((key) => {
      if (localStorage.getItem('was-here') !== null) return;
      localStorage.setItem('was-here', 'yes');
      localStorage.setItem(key, JSON.stringify({ order: [], shown: { protocol: false }, pinned: {} }));
    }, `voltdeck-columns:${id}:stations`);
    await page.goto(`${product.url}/deviceList`);
    await page.locator('[data-row]').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Protocol' }).count()).toBe(0);
    await expect.poll(async () => (await kept()).columns.map(({ list }) => list)).toContain('/stations');
    expect(await page.evaluate((key) => localStorage.getItem(key), `voltdeck-columns:${id}:stations`)).toBeNull();
    await opened.close();
  });
});

describe('filter sets', () => {
  const setsOf = (page: Page) => page.getByRole('dialog', { name: 'Saved filters' });
  const openSets = (page: Page) => page.getByRole('button', { name: /^Saved filter/ }).click();

  test('filter sets saved in one browser can be chosen in another, apply by default there, and can be renamed and deleted', async () => {
    const first = await openStations('?enabled=false&sort=-number');
    await openSets(first.page);
    await setsOf(first.page).getByRole('textbox').fill('Disabled');
    await setsOf(first.page).getByRole('button', { name: 'Save' }).click();
    await setsOf(first.page).getByRole('button', { name: 'Open the list with Disabled' }).click();
    await setsOf(first.page).getByRole('button', { name: 'Stop opening the list with Disabled' }).waitFor();
    await first.page.getByRole('button', { name: 'Saved filter: Disabled' }).waitFor();
    await settled(first);
    expect(await accessibilityFaults(first.page)).toEqual([]);

    const second = await openStations('', { width: 375, height: 800 });
    const { page } = second;
    await page.waitForURL(/enabled=false/);
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-number');
    await page.getByText('PILE-030').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Total 31').waitFor();
    await openSets(page);
    await setsOf(page).getByRole('button', { name: 'Disabled', exact: true }).click();
    await page.getByText('Total 10').waitFor();
    await openSets(page);
    await setsOf(page).getByRole('button', { name: 'Rename Disabled' }).click();
    await setsOf(page).getByRole('textbox', { name: 'Rename Disabled' }).fill('Out of service');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Saved filter: Out of service' }).waitFor();
    expect(await overflowFaults(page)).toEqual([]);

    // Settings that come late still apply, but not over what the user did meanwhile.
    const third = await consolePage(product, { language: 'en', token });
    const answerNow = await heldViews(third.page);
    await third.page.goto(`${product.url}/deviceList`);
    await third.page.getByText('Total 31').waitFor();
    answerNow();
    await third.page.waitForURL(/enabled=false/);
    await third.page.getByText('Total 10').waitFor();
    const fourth = await consolePage(product, { language: 'en', token });
    const answerLate = await heldViews(fourth.page);
    await fourth.page.goto(`${product.url}/deviceList`);
    await fourth.page.getByText('Total 31').waitFor();
    await fourth.page.getByRole('textbox', { name: 'Station number' }).fill('PILE-01');
    await fourth.page.keyboard.press('Enter');
    await fourth.page.getByText('Total 10').waitFor();
    answerLate();
    await openSets(fourth.page);
    await setsOf(fourth.page).getByRole('button', { name: 'Out of service', exact: true }).waitFor();
    expect(new URL(fourth.page.url()).search).toBe('?number=PILE-01');

    await first.page.goto(`${product.url}/deviceList?enabled=true`);
    await first.page.getByText('Total 21').waitFor();
    await openSets(first.page);
    await setsOf(first.page).getByRole('button', { name: 'Delete Out of service' }).click();
    await setsOf(first.page).getByText('Save the filters you use often').waitFor();
    for (const opened of [first, second, third, fourth]) {
      expect(opened.troubles).toEqual([]);
      await opened.close();
    }
  });

  test('a list is shown even if its user’s settings cannot be loaded', async () => {
    const opened = await consolePage(product, { language: 'en', token });
    await opened.page.route('**/api/list-views', (route) => route.abort());
    await opened.page.goto(`${product.url}/deviceList`);
    await opened.page.getByText('Total 31').waitFor();
    await opened.close();
  });
});

describe('what a list’s filters leave', () => {
  test('exports of a filtered list contain its rows in the order shown, as a workbook and as plain values', async () => {
    const { page, troubles, close } = await openStations('?enabled=false&sort=-number');
    const expected = Array.from({ length: 10 }, (_, index) => `PILE-${String(30 - 3 * index).padStart(3, '0')}`);
    const take = async (act: () => Promise<void>) => {
      const downloading = page.waitForEvent('download');
      await act();
      const download = await downloading;
      return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
    };
    const numbersIn = (text: string) => [...text.matchAll(/PILE-\d{3}/g)].map(([number]) => number);

    const workbook = await take(() => page.getByRole('button', { name: /Export$/ }).click());
    expect(workbook.name).toMatch(/\.xlsx$/);
    expect(numbersIn(unzippedText(workbook.bytes))).toEqual(expected);

    await page.getByRole('button', { name: 'Export formats' }).click();
    const values = await take(() => page.getByRole('menuitem', { name: /CSV/ }).click());
    expect(values.name).toMatch(/\.csv$/);
    const lines = values.bytes.toString('utf8').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\ufeffStation number,/);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(expected);
    expect(troubles).toEqual([]);
    await close();
  });

  test('the sums of a list cover its filtered rows or the selected rows', async () => {
    const { page, troubles, close } = await openStations('?enabled=true&sort=number');
    const sums = page.getByRole('region', { name: /^Sums over/ });
    await expect.poll(() => sums.textContent()).toMatch(/^Sums over all 21Total consumption \(kWh\)30\.00$/);
    await page.getByRole('checkbox', { name: /PILE-001/ }).check();
    await page.getByRole('checkbox', { name: /PILE-002/ }).check();
    await expect.poll(() => sums.textContent()).toMatch(/^Sums over 2 selectedTotal consumption \(kWh\)0\.30$/);
    expect(troubles).toEqual([]);
    await close();
  });

  test('only the order history says which filters have sums of any number of orders', async () => {
    const opened = await consolePage(product, { language: 'en', token });
    const { page, troubles, close } = opened;
    await page.route('**/api/orders/totals*', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, data: { total: 200_000, totalIsAtLeast: true, sums: null } } });
    });
    const tooMany = page.getByText('More than 200,000 match. Narrow the filter to see sums');
    for (const [path, further] of [
      ['orderListHistory', /^.+ sums; completed orders are summed in any number when you filter by end time and /],
      ['groupOrderList', /sums$/],
      ['orderListReal', /sums$/],
    ] as const) {
      await page.goto(`${product.url}/${path}`);
      await expect.poll(() => tooMany.textContent()).toMatch(further);
    }
    expect(troubles).toEqual([]);
    await close();
  });

  test('a list shows its sort order where no column head does', async () => {
    const { page, troubles, close } = await openStations('?sort=-number', { width: 375, height: 800 });
    await page.getByRole('button', { name: /Sorted by Station number, descending/ }).click();
    await page.waitForURL((url) => !url.search.includes('sort'));
    expect(troubles).toEqual([]);
    await close();
  });

  test('the head of the default sort column shows its direction and toggles it', async () => {
    const { page, troubles, close } = await openStations();
    const head = page.getByRole('columnheader', { name: 'Created at', exact: true });
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    await head.getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'createdAt');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    await page.waitForURL((url) => !url.search.includes('sort'));
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    expect(troubles).toEqual([]);
    await close();
  });
});

describe('rows by keyboard', () => {
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  test('arrow keys move between the rows of a list, Enter opens one, Space selects it and the full stop opens its actions', async () => {
    const { page, troubles, close } = await openStations('?sort=number');
    await page.getByRole('region', { name: /list$/ }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toContain('PILE-001');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toContain('PILE-002');
    await page.keyboard.press('End');
    expect(await focused(page)).toContain('PILE-020');
    await page.keyboard.press('Home');
    await page.keyboard.press('PageDown');
    const number = /PILE-0\d\d/.exec(await focused(page))?.[0] ?? '';
    expect(number > 'PILE-004' && number < 'PILE-020').toBe(true);
    // The row is completely visible between the table's head and its end.
    const isInSight = await page.evaluate(() => {
      const row = document.activeElement?.getBoundingClientRect();
      const region = document.activeElement?.closest('section')?.getBoundingClientRect();
      const head = document.activeElement?.closest('table')?.tHead?.getBoundingClientRect();
      return row && region && head && row.top >= head.bottom - 1 && row.bottom <= region.bottom + 1;
    });
    expect(isInSight).toBe(true);

    await page.keyboard.press('Space');
    await page.getByText('1 selected', { exact: true }).waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('.');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/deviceDetail/);
    expect(troubles).toEqual([]);
    await close();
  });

  test('arrow keys move between the cards of a list on a phone', async () => {
    const { page, troubles, close } = await openStations('?sort=number', { width: 375, height: 800 });
    await page.getByRole('list', { name: /list$/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toContain('PILE-002');
    await page.keyboard.press('.');
    await page.getByRole('menuitem').first().waitFor();
    expect(troubles).toEqual([]);
    await close();
  });
});
