import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Language } from '@voltdeck/journeys/api';
import { makePlace } from '@voltdeck/server/http/test-records';
import { sheetRows } from '@voltdeck/server/http/test-sheets';
import { readSheet } from '@voltdeck/server/stations/labels/test-pdf';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ruleWalk } from './rule-walk.ts';

const walk = ruleWalk(async ({ database }) => {
  await makePlace(database, null, 'lake');
});

const words = {
  'zh-CN': {
    make: '批量生成标识',
    batch: '批次',
    start: '起始编号或前缀',
    count: '数量',
    tooFewDigits: '末尾数字的位数不够编这么多号',
    taken: '这些编号中有 1 个已被占用，第一个是 ZH-0002，请更换起始编号',
    range: 'ZH-0001 至 ZH-0003，共 3 个',
    done: '已生成 3 个标识',
    download: '下载 Excel',
    heads: ['充电桩编号', '连接密码'],
    close: '关闭',
    inStock: '在库',
    assign: '分配到站点',
    site: '站点',
    assigned: '已登记 3 台充电桩',
    isAssigned: '已分配',
    labels: '二维码标签',
    pdf: '下载 PDF',
    port: '1 号枪',
  },
  en: {
    make: 'Make identities',
    batch: 'Batch',
    start: 'Start number or prefix',
    count: 'How many',
    tooFewDigits: 'The digits at the end have no room for so many numbers',
    taken: '1 of these numbers is taken already, EN-0002 first. Choose another start number',
    range: 'EN-0001 to EN-0003, 3 in all',
    done: '3 identities made',
    download: 'Download Excel',
    heads: ['Station number', 'Password'],
    close: 'Close',
    inStock: 'In stock',
    assign: 'Assign to a site',
    site: 'Site',
    assigned: '3 stations registered',
    isAssigned: 'Assigned',
    labels: 'QR code labels',
    pdf: 'Download PDF',
    port: 'Port 1',
  },
} as const;

const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`(^| )${name}$`) });

async function downloaded(page: Page, act: () => Promise<void>): Promise<{ bytes: Buffer; name: string }> {
  const downloading = page.waitForEvent('download');
  await act();
  const download = await downloading;
  // The browser runs in another process, which keeps its own copy.
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'downloaded-')), 'file');
  await download.saveAs(file);
  const bytes = await readFile(file);
  await rm(path.dirname(file), { recursive: true });
  return { bytes, name: download.suggestedFilename() };
}

async function openForm(page: Page, language: Language): Promise<Locator> {
  await button(page, words[language].make).first().click();
  const drawer = page.getByRole('dialog').last();
  await drawer.locator('form').waitFor();
  await expect.poll(() => drawer.locator('.field-bone').count()).toBe(0);
  return drawer;
}

test.each(['zh-CN', 'en'] as const)(
  'an operator makes identities for a factory, keeps their file, and assigns them to a site, in %s',
  async (language) => {
    const said = words[language];
    const prefix = language === 'en' ? 'EN-' : 'ZH-';
    const page = await walk.open('/deviceList', { language });
    const drawer = await openForm(page, language);
    const send = () => button(drawer, said.make).click();
    const field = (label: string) => drawer.getByLabel(label, { exact: true });

    await field(said.batch).fill(`PO ${prefix}`);
    await field(said.start).fill(`${prefix}98`);
    await field(said.count).fill('5');
    await send();
    await drawer.getByText(said.tooFewDigits).waitFor();

    await field(said.start).fill(prefix);
    await field(said.count).fill('3');
    await drawer.getByText(said.range).waitFor();
    let listed = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/stations') listed += 1;
    });
    await send();
    await page.getByText(said.done).waitFor();
    const file = await downloaded(page, () => button(page, said.download).click());
    expect(file.name).toMatch(/\.xlsx$/);
    const [heads = [], ...rows] = sheetRows(file.bytes);
    expect(heads.slice(0, 2)).toEqual(said.heads);
    expect(rows.map(([number]) => number)).toEqual([1, 2, 3].map((index) => `${prefix}000${index}`));
    expect(new Set(rows.map(([, password]) => password)).size).toBe(3);
    for (const row of rows) {
      expect(row[1]).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(row.slice(-2)).toEqual([`${row[0]}-1`, `${row[0]}-2`]);
    }
    // Its end fetched the list again, and nothing that moves on the page does.
    const fetched = listed;
    await page.setViewportSize({ width: 900, height: 900 });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(listed).toBe(fetched);
    await page.getByRole('dialog').getByRole('button', { name: said.close, exact: true }).last().click();

    const again = await openForm(page, language);
    await again.getByLabel(said.batch, { exact: true }).fill('PO again');
    await again.getByLabel(said.start, { exact: true }).fill(`${prefix}0002`);
    await again.getByLabel(said.count, { exact: true }).fill('1');
    await button(again, said.make).click();
    await again.getByText(said.taken).waitFor();

    const stock = await walk.open(`/stationStock?number=${prefix}`, { language });
    await expect.poll(() => stock.getByText(said.inStock, { exact: true }).count()).toBeGreaterThanOrEqual(3);
    await stock.locator('thead input[type="checkbox"]').first().check();
    await button(stock, said.assign).first().click();
    const assignment = stock.getByRole('dialog').last();
    await assignment.getByLabel(said.site, { exact: true }).click();
    await stock.getByRole('option', { name: 'Site lake' }).or(stock.getByTitle('Site lake')).last().click();
    await button(assignment, said.assign).click();
    await stock.getByText(said.assigned).waitFor();
    await expect.poll(() => stock.getByText(said.isAssigned, { exact: true }).count()).toBeGreaterThanOrEqual(3);

    const ports = await walk.open(`/portList?stationNumber=${prefix}`, { language });
    await ports.getByText('Site lake').first().waitFor();
    await button(ports, said.labels).first().click();
    const sheet = ports.getByRole('dialog').last();
    await sheet.getByText(`${prefix}0001-1`).waitFor();
    const pdf = await downloaded(ports, () => button(sheet, said.pdf).click());
    expect(pdf.name).toMatch(/\.pdf$/);
    const [labels] = await readSheet(pdf.bytes, 'a4-3x8');
    expect(labels?.codes).toEqual([1, 2, 3].flatMap((index) => [1, 2].map((port) => `${prefix}000${index}-${port}`)));
    expect(labels?.text).toContain(said.port);
    expect(labels?.kinds).toEqual(['path', 'text']);
  },
);
