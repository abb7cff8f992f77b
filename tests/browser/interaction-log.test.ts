import { text } from 'node:stream/consumers';
import { type LibraryStation, libraryStation, tellFree } from '@voltdeck/journeys/library-station';
import { dayTariff } from '@voltdeck/journeys/two-hour-charge';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { insertRows, pileTalk } from './logged-pile.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';
import { type OpenOptions, ruleWalk } from './rule-walk.ts';

const pileNo = '55031412782305';
const stationNumber = 'LOGGED-1';
let pileId = 0;
let station: LibraryStation | null = null;

const walk = ruleWalk(async ({ product, database }) => {
  const api = await product.signIn();
  const place = { siteId: await api.createSite('Lakeside'), tariffId: await api.createTariff(dayTariff) };
  pileId = (await api.createStation({ number: pileNo, protocol: 'ykc', ...place })).id;
  await insertRows(database, pileTalk(pileNo, pileId, Date.now() - 10 * 60_000));
  const { password } = await api.createStation({ number: stationNumber, ...place });
  station = await libraryStation(product.ocppUrl, { number: stationNumber, password });
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L120' });
  await tellFree(station);
});
afterAll(() => station?.close());

const open = (path: string, options: OpenOptions = {}): Promise<Page> => walk.open(path, options);

const rows = (page: Page) => page.locator('main').getByRole('row');
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text });
const tellStatus = (status: string) =>
  station?.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError' });

/** The topmost dialog, once its content is there. */
async function dialogWith(page: Page, content: (dialog: Locator) => Locator): Promise<Locator> {
  const dialog = page.getByRole('dialog').filter({ visible: true }).last();
  await content(dialog).first().waitFor();
  return dialog;
}

describe('the interaction log', () => {
  test('the interaction log hides heartbeats by default, and its filters are in the address', async () => {
    const page = await open('/deviceLogOther');
    await rowOf(page, '0x01').waitFor();
    await rowOf(page, 'BootNotification').waitFor();
    expect(await rowOf(page, '0x03').count()).toBe(0);
    await page.getByRole('checkbox', { name: '隐藏心跳' }).click();
    await rowOf(page, '0x03').first().waitFor();

    await page.getByRole('combobox', { name: '报文类型' }).fill('对时');
    await page.locator('.ant-select-item-option').filter({ hasText: '0x56' }).click();
    await rowOf(page, '0x01').waitFor({ state: 'detached' });
    expect(await rowOf(page, '0x56').getByText('4.2 s · 慢').count()).toBe(1);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ hideHeartbeats: 'false', action: '0x56' });

    await page.getByRole('combobox', { name: '报文类型' }).fill('0x36');
    await page.getByRole('combobox', { name: '报文类型' }).press('Enter');
    await rowOf(page, '0x36').getByText('超时未应答').waitFor();
    await page.goto(`${walk.product.url}/deviceLogOther?faulty=true`);
    await rowOf(page, '报文无法解析').waitFor();
    expect(await rows(page).count()).toBe(3);
  });

  test('the interaction log shows new frames on top while it is live, and counts them while it is paused or hovered', async () => {
    const page = await open(`/deviceLogOther?stationNumber=${stationNumber}`);
    await rowOf(page, 'BootNotification').waitFor();
    await page.getByRole('switch', { name: '实时' }).click();
    await page.getByText('新报文会出现在最上方').waitFor();
    await tellStatus('Preparing');
    const told = () => rowOf(page, 'StatusNotification').count();
    await expect.poll(told).toBe(2);
    expect(await rows(page).nth(1).textContent()).toContain('StatusNotification');

    await page.getByRole('button', { name: '暂停' }).click();
    await tellStatus('Available');
    await tellStatus('Preparing');
    await page.getByRole('button', { name: '2 条新报文' }).waitFor();
    expect(await told()).toBe(2);
    await page.getByRole('button', { name: '继续' }).click();
    await expect.poll(told).toBe(4);

    await rowOf(page, 'BootNotification').hover();
    await page.getByText('鼠标移开后继续').waitFor();
    await tellStatus('Available');
    await page.getByRole('button', { name: '1 条新报文' }).waitFor();
    await page.getByRole('switch', { name: '实时' }).hover();
    await expect.poll(told).toBe(5);
  });
});

describe('the frame microscope', () => {
  test('the frame microscope shows the bytes of a YKC frame beside its fields, by keyboard alone', async () => {
    const page = await open(`/deviceLogOther?action=0x13`);
    await rowOf(page, '报文无法解析').getByRole('button', { name: /0x13/ }).focus();
    await page.keyboard.press('Enter');
    const dialog = await dialogWith(page, (within) => within.getByRole('table'));
    await dialog.getByText(/校验错误：收到 BE EF，应为/).waitFor();
    expect(await dialog.getByRole('row').filter({ hasText: 'voltage' }).textContent()).toContain('398.5');

    const bytes = dialog.getByRole('group').first();
    await bytes.getByRole('button').first().focus();
    for (let steps = 0; steps < 8; steps += 1) await page.keyboard.press('ArrowRight');
    const marked = async () => (await dialog.locator('[data-marked]').allTextContents()).join(' ');
    await expect.poll(marked).toContain('充电');
    await page.keyboard.press('Enter');
    const focused = dialog.locator('tr:has(button:focus)');
    await expect.poll(() => focused.textContent()).toContain('state');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused.textContent()).toContain('homed');
    expect(await accessibilityFaults(page, { within: '[role=dialog]' })).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await overflowFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('frame')).toBeNull();
  });

  test('the frame microscope shows an OCPP call and its answer value by value, in English', async () => {
    const page = await open(`/deviceLogOther?action=BootNotification`, { language: 'en' });
    await rowOf(page, 'BootNotification').getByRole('button', { name: /Boot/ }).click();
    const dialog = await dialogWith(page, (within) => within.getByRole('table').nth(1));
    await dialog.getByRole('group').first().getByRole('button', { name: '"Lakeside"' }).hover();
    const marked = dialog.locator('tr[data-marked]');
    expect(await marked.textContent()).toContain('chargePointVendor');
    await dialog.getByRole('row').filter({ hasText: 'currentTime' }).waitFor();
    // The address names the frame, so that it can be sent to a colleague.
    await page.reload();
    await dialogWith(page, (within) => within.getByText('chargePointVendor'));
  });

  test('the frame microscope decodes pasted frames of both protocols, including broken ones', async () => {
    const page = await open('/deviceLogOther');
    await page.getByRole('button', { name: '解析报文' }).click();
    const dialog = await dialogWith(page, (within) => within.getByRole('textbox'));
    const [login, clock] = pileTalk(pileNo, pileId, Date.now());
    const spaced = login?.request.replaceAll(/../g, '$& ') ?? '';
    await dialog.getByRole('textbox').fill(`${spaced}\n0x${clock?.request.slice(0, -4)}0000`);
    await dialog.getByRole('textbox').press('Control+Enter');
    await dialog.getByText('共 2 段').waitFor();
    await dialog.getByText('校验正确').waitFor();
    await dialog.getByText(/校验错误：收到 00 00/).waitFor();
    await dialog.getByRole('textbox').fill('[2,"7","Heartbeat",{}]');
    await dialog.getByRole('textbox').press('Control+Enter');
    await dialog.getByText('共 1 段').waitFor();
    expect(await dialog.getByRole('row').filter({ hasText: 'Heartbeat' }).count()).toBe(1);
  });
});

describe('a conversation', () => {
  test('a conversation around a row is a timeline with folded heartbeats, and a saved one opens without the station', async () => {
    const page = await open('/deviceLogOther');
    await rowOf(page, '0x36').getByRole('button', { name: '前后对话' }).click();
    const dialog = await dialogWith(page, (within) => within.getByRole('list', { name: '对话时间线' }));
    await dialog.getByRole('button', { name: /4 次心跳/ }).click();
    await expect.poll(() => dialog.getByRole('button', { name: /0x03/ }).count()).toBe(4);
    await dialog.getByText('间隔 20 秒', { exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: '保存对话' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^conversation-55031412782305-\d{4}-\d\d-\d\dT[\d-]+\.json$/);
    await dialog.getByText(/npm run sim -- replay conversation-55031412782305/).waitFor();
    const saved = await text(await download.createReadStream());
    expect(JSON.parse(saved)).toMatchObject({ version: 1, protocol: 'ykc', stationNumber: pileNo });

    await page.goto(`${walk.product.url}/deviceLogOther`);
    await page.getByRole('button', { name: '打开对话文件' }).click();
    const opening = await dialogWith(page, (within) => within.getByRole('button', { name: '选择文件' }));
    const choose = (content: string) =>
      opening
        .locator('input[type=file]')
        .setInputFiles({ name: 'from-a-mail.json', mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose(saved.slice(0, 200));
    await opening.getByText('文件不是 JSON').waitFor();
    await choose(saved);
    await opening.getByRole('button', { name: /远程停机/ }).click();
    await dialogWith(page, (within) => within.getByRole('row').filter({ hasText: 'gunNo' }));
  });

  test('a conversation is shown on its station’s page beside the rows', async () => {
    const page = await open(`/deviceDetail?id=${pileId}`);
    await page.locator('main').getByText('交互日志', { exact: true }).click();
    await rowOf(page, '0x01').waitFor();
    expect(await rowOf(page, 'BootNotification').count()).toBe(0);
    await page.locator('main').getByText('对话', { exact: true }).click();
    await page.getByRole('button', { name: /4 次心跳/ }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('tab'), searchParams.get('log')]).toEqual(['log', 'timeline']);
  });
});
