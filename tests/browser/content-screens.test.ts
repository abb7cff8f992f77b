import type { Api } from '@voltdeck/journeys/api';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import type { FileChooser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage } from './browser-page.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

let product: HostedProduct;
let api: Api;
let token: string;
beforeAll(async () => {
  const database = await freshDatabase();
  product = await hostedProduct(database.url);
  api = await product.signIn();
  token = await newToken(product.url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

/** One red dot, a PNG. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: dot });

/** Uploads the dot. */
async function upload(purpose: string): Promise<{ id: number; key: string; url: string }> {
  const form = new FormData();
  form.append('file', new Blob([dot], { type: 'image/png' }), 'dot.png');
  const address = `${product.url}/api/files?purpose=${purpose}`;
  const response = await fetch(address, { method: 'POST', headers: { token }, body: form });
  return ((await response.json()) as { data: { id: number; key: string; url: string } }).data;
}

async function open(path: string): Promise<BrowserPage> {
  const opened = await consolePage(product, { language: 'zh-CN', token });
  await opened.page.goto(product.url + path);
  await opened.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await settled(opened);
  return opened;
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name: new RegExp(`${name}$`) });
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function choose(page: Page, press: Locator, files: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await press.click();
  await (await choosing).setFiles(files);
}

test('an advert takes a picture that is checked before it is sent, and is shown or hidden in the list', async () => {
  const { page, troubles, close } = await open('/advertList');
  await button(page, '添加广告').first().click();
  const form = page.getByRole('dialog');
  const add = button(form, '上传图片');
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/files?')) sent += 1;
  });
  await choose(page, add, { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await form.getByText('不支持该文件类型').waitFor();
  expect(sent).toBe(0);

  await choose(page, add, picture('横幅.png'));
  await form.getByRole('img', { name: '图片 1/1：横幅.png' }).waitFor();
  await form.getByLabel('标题').fill('夜间谷电八折');
  await form.getByLabel('跳转链接').fill('javascript:alert(1)');
  await button(form, '添加广告').click();
  await form.getByText('链接须以 http://').waitFor();
  await form.getByLabel('跳转链接').fill('https://example.com/night');
  await button(form, '添加广告').click();
  await page.getByText('已保存 夜间谷电八折').waitFor();

  const shown = rowOf(page, '夜间谷电八折').getByRole('switch');
  expect(await shown.isChecked()).toBe(true);
  await shown.click();
  await page.getByText('已隐藏 夜间谷电八折').waitFor();
  await expect.poll(() => shown.isChecked()).toBe(false);
  const { items } = await api.get<{ items: { enabled: boolean; link: string }[] }>('/adverts');
  expect(items).toMatchObject([{ enabled: false, link: 'https://example.com/night' }]);
  expect(troubles).toEqual([]);
  await close();
});

const textOf = (page: Page) => page.getByRole('textbox', { name: '正文编辑器' });

test('an article is written by keyboard, uploads pasted pictures and survives leaving and reloading', async () => {
  const { page, troubles, close } = await open('/newsList');
  await button(page, '添加文章').first().click();
  const form = page.getByRole('dialog').first();
  const text = textOf(page);
  await form.getByLabel('标题', { exact: true }).fill('充电指南');
  await text.click();
  await page.keyboard.type('先扫码');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Alt+F10');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('标题 1');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  // The editor takes the focus back in the next frame.
  await expect.poll(() => text.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.type('再插枪');
  await page.keyboard.press('Enter');

  await page.keyboard.press('Control+K');
  const link = page.getByRole('dialog', { name: '链接' });
  await link.getByLabel('链接地址').fill('ftp://example.com');
  await page.keyboard.press('Enter');
  await link.getByText('链接须以 http://').waitFor();
  await link.getByLabel('链接地址').fill('tel:4008001234');
  await link.getByLabel('显示文字').fill('客服');
  await page.keyboard.press('Enter');
  await text.locator('a[href="tel:4008001234"]').waitFor();

  await text.evaluate(
    (element, embedded) => {
      const pasted = new DataTransfer();
      pasted.setData(
        'text/html',
        `<p style="position:fixed">粘贴的<a href="javascript:alert(1)">段落</a></p><img src="${embedded}"><img src="https://elsewhere.example/a.png">`,
      );
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }));
    },
    `data:image/png;base64,${dot.toString('base64')}`,
  );
  await page.getByText('1 张外部图片没有粘贴').waitFor();
  await text.locator('img[src^="/files/"]').waitFor();
  expect(await text.innerHTML()).not.toMatch(/data:image|javascript|fixed|elsewhere/);

  await page.reload();
  await text.getByText('再插枪').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('放弃未保存的修改吗？').waitFor();
  await button(page, '继续编辑').click();
  await button(form, '添加文章').click();
  await page.getByText('已保存 充电指南').waitFor();

  const { items } = await api.get<{ items: { id: number }[] }>('/articles');
  const { content } = await api.get<{ content: string }>(`/articles/${items[0]?.id}`);
  expect(content).toMatch(/<p>先扫码<\/p><h2>再插枪<\/h2><p><a [^>]*href="tel:4008001234"/);
  expect(content).toMatch(/<img [^>]*src="\/files\/[0-9a-f]{32}\//);
  expect(troubles).toEqual([]);
  await close();
});

test('unsent text is still there after leaving the page and coming back', async () => {
  const { page, troubles, close } = await open('/fileList');
  await page.getByRole('menuitem', { name: '文章' }).first().click();
  await button(page, '添加文章').first().click();
  await textOf(page).click();
  await page.keyboard.type('写到一半');
  // Going back closes the form first, then leaves the page.
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: '文件管理' }).waitFor({ state: 'attached' });
  await expect.poll(() => textOf(page).isVisible()).toBe(false);
  await page.goForward();
  await page.goForward();
  await textOf(page).getByText('写到一半').waitFor();
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('，写完了');
  await textOf(page).getByText('写到一半，写完了').waitFor();
  expect(troubles).toEqual([]);
  await close();
});

test('the preview of an article shows its pictures in a frame without scripts', async () => {
  const { url } = await upload('editor');
  const content = `<p>正文</p><p><img src="${url}" alt="红点"></p>`;
  await api.post('/articles', { title: '<b>隐私政策</b>', category: 'other', content });
  const { page, troubles, close } = await open('/newsList');
  await button(rowOf(page, '隐私政策'), '预览').click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: '<b>隐私政策</b>' }).waitFor();
  await expect.poll(() => frame.getByAltText('红点').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-scripts');
  expect(troubles).toEqual([]);
  await close();
});

test('feedback is recorded with pictures in order, visible to signed-in users, and handled once', async () => {
  const { page, troubles, close } = await open('/feedbackList');
  await button(page, '登记反馈').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('问题描述').fill('3 号枪插不紧');
  await choose(page, button(form, '上传图片'), [picture('远景.png'), picture('枪头.png')]);
  await form.getByRole('img', { name: '图片 2/2' }).waitFor();
  const names = () =>
    form.getByRole('img', { name: '图片' }).evaluateAll((all) => all.map((one) => one.getAttribute('alt')));
  const [first = ''] = await names();
  await button(form, `后移 ${first?.split('：')[1]}`).click();
  await expect.poll(async () => (await names())[1]?.split('：')[1]).toBe(first?.split('：')[1]);
  await button(form, '登记反馈').click();
  await page.getByText('已登记反馈').waitFor();

  await button(rowOf(page, '3 号枪插不紧'), '查看').click();
  await expect.poll(() => form.locator('img[src^="blob:"]').count()).toBe(2);
  await page.keyboard.press('Escape');

  const { items } = await api.get<{ items: { id: number }[] }>('/feedbacks');
  const done = { ids: items.map(({ id }) => id), outcome: 'handled', annotation: '已更换枪头' };
  await page.getByRole('checkbox', { name: '选择' }).first().check();
  await button(page, '处理所选').click();
  await form.getByLabel(/^批注/).fill('再次处理');
  await api.post('/feedbacks/handlings', done);
  await button(form, '标为已处理').click();
  await form.getByText('您选择的问题已处理，请选择其他问题！').waitFor();
  await rowOf(page, '3 号枪插不紧').getByText('已处理').waitFor();
  expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
  await close();
});

test('a file is uploaded, downloaded under its name, and kept while it is in use', async () => {
  const { page, troubles, close } = await open('/fileList');
  await button(page, '上传文件').first().click();
  const dialog = page.getByRole('dialog').first();
  await choose(page, button(dialog, '选择文件'), [
    { name: '安装手册.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 手册') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ]);
  await dialog.getByText('已上传', { exact: true }).waitFor();
  await dialog.getByText('文件已损坏或无法识别').waitFor();
  await button(dialog, '关闭').last().click();
  const downloading = page.waitForEvent('download');
  await button(rowOf(page, '安装手册.pdf'), '下载').click();
  expect((await downloading).suggestedFilename()).toBe('安装手册.pdf');

  await button(rowOf(page, '横幅.png'), '更多操作 文件 横幅.png').click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await button(page.getByRole('dialog'), '删除').click();
  await page.getByText('该文件正在使用，不能删除').waitFor();
  expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
  await close();
});

test('the value of a secret parameter is never in the page and stays when the field is left empty', async () => {
  await api.post('/sysConfig/addConfig', {
    name: '短信密钥',
    key: 'sms.key',
    value: 'very-hidden-value',
    secret: true,
  });
  const { page, troubles, close } = await open('/configList?pageSize=50');
  await rowOf(page, 'sms.key').getByText('已设置').waitFor();
  await button(rowOf(page, 'sms.key'), '编辑').click();
  const form = page.getByRole('dialog');
  await form.getByText('已设置，留空则保持不变').waitFor();
  expect(await page.content()).not.toContain('very-hidden-value');
  await form.getByLabel('备注').fill('阿里云');
  const changing = page.waitForRequest('**/api/sysConfig/editConfig');
  await button(form, '保存修改').click();
  expect((await changing).postDataJSON()).not.toHaveProperty('value');
  await page.getByText('已保存 短信密钥').waitFor();
  await rowOf(page, 'sms.key').getByText('已设置').waitFor();

  const builtIn = button(rowOf(page, 'sys_title'), '删除');
  expect(await builtIn.getAttribute('aria-disabled')).toBe('true');
  await builtIn.hover();
  await page.getByText('系统内置参数不能删除').waitFor();
  expect(troubles).toEqual([]);
  await close();
});

const desk = { width: 1440, height: 900 };
const phone = { width: 375, height: 800 };

/** Overlays that the button of a list's first row opens. */
const overs = [
  { on: '/advertList', opens: { 'zh-CN': '预览', en: 'Preview' } },
  { on: '/newsList', opens: { 'zh-CN': '编辑', en: 'Edit' } },
  { on: '/newsList', opens: { 'zh-CN': '预览', en: 'Preview' } },
  { on: '/feedbackList', opens: { 'zh-CN': '查看', en: 'View' } },
  { on: '/fileList', opens: { 'zh-CN': '编辑', en: 'Edit' } },
] as const;

describe('nothing is hard to perceive or operate and everything fits a phone:', () => {
  beforeAll(async () => {
    const shown = await upload('advert');
    const seen = await upload('feedback');
    await api.post('/adverts', { title: '新站开业', page: 'splash', pictureFileId: shown.id, enabled: true });
    await api.post('/articles', { title: '关于我们', category: 'about', content: '<h2>我们</h2><p>充电网络</p>' });
    await api.post('/feedbacks', { kind: 'slow', description: '充电太慢', pictureKeys: [seen.key] });
  });

  test.each([
    { language: 'zh-CN', colours: 'light' },
    { language: 'en', colours: 'dark' },
  ] as const)('in $language and $colours', async (look) => {
    const opened = await consolePage(product, { ...look, token });
    const { page, troubles, close } = opened;
    for (const { on, opens } of overs) {
      await page.goto(product.url + on);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await settled(opened);
      await button(page.locator('tbody tr').first(), opens[look.language]).click();
      await page.getByRole('dialog').first().waitFor();
      await settled(opened);
      const faults = [...(await accessibilityFaults(page)), ...(await overflowFaults(page))];
      await page.setViewportSize(phone);
      await settled(opened);
      faults.push(...(await overflowFaults(page)), ...troubles);
      await page.setViewportSize(desk);
      expect({ on, opens: opens.en, faults }).toEqual({ on, opens: opens.en, faults: [] });
    }
    await close();
  });
});
