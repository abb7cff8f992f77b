import { randomUUID } from 'node:crypto';
import type { Api, Language } from '@voltdeck/journeys/api';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consolePage, settled } from './console-page.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';
import { ruleWalk } from './rule-walk.ts';

type Site = {
  id: number;
  name: string;
  longitude: number;
  latitude: number;
  pictures: { slot: string; name: string }[];
};

let api: Api;
const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
});

const form = {
  name: 'Lakeside',
  regionCode: '330106',
  address: '1 Lakeside Road',
  longitude: 120.13,
  latitude: 30.26,
} as const;
const create = (more: object = {}) => api.post<Site>('/sites', { ...form, name: `Site ${randomUUID()}`, ...more });
const siteOf = (id: number) => api.get<Site>(`/sites/${id}`);

const words = {
  'zh-CN': {
    add: '添加站点',
    edit: '编辑',
    save: '保存修改',
    paste: '粘贴坐标',
    datum: '坐标系',
    place: '定位',
    longitude: '经度',
    latitude: '纬度',
    zoomIn: '放大地图',
  },
  en: {
    add: 'Add site',
    edit: 'Edit',
    save: 'Save changes',
    paste: 'Paste coordinates',
    datum: 'Datum',
    place: 'Place',
    longitude: 'Longitude',
    latitude: 'Latitude',
    zoomIn: 'Zoom the map in',
  },
} as const;

const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`(^| )${name}$`) });

/** The form of a new site, or of one on its page. */
async function openForm(language: Language, id?: number): Promise<{ page: Page; drawer: Locator }> {
  const said = words[language];
  const page = await walk.open(id === undefined ? '/plotList' : `/plotDetail?id=${id}`, { language });
  await button(page, id === undefined ? said.add : said.edit)
    .first()
    .click();
  const drawer = page.getByRole('dialog').last();
  await drawer.locator('form').waitFor();
  await expect.poll(() => drawer.locator('.field-bone').count()).toBe(0);
  await drawer.locator('.site-map-land').waitFor({ state: 'attached' });
  return { page, drawer };
}

const degrees = async (drawer: Locator, language: Language) => {
  const shownIn = async (label: string) => Number(await drawer.getByLabel(label, { exact: true }).inputValue());
  return { longitude: await shownIn(words[language].longitude), latitude: await shownIn(words[language].latitude) };
};

/** Puts a text on the field as a paste does. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function chooseDatum(page: Page, drawer: Locator, language: Language, name: RegExp): Promise<void> {
  await drawer.getByRole('combobox', { name: words[language].datum }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
}

describe('the position of a site', () => {
  test.each(['zh-CN', 'en'] as const)(
    'pasted coordinates are placed at once, and again when their datum is chosen, in %s',
    async (language) => {
      const { page, drawer } = await openForm(language);
      const field = drawer.getByLabel(words[language].paste);
      await paste(field, '北纬22.5431° 东经113.9305°');
      await expect.poll(() => degrees(drawer, language)).toEqual({ longitude: 113.9305, latitude: 22.5431 });
      await chooseDatum(page, drawer, language, /GCJ-02/);
      await expect.poll(async () => (await degrees(drawer, language)).longitude).toBeCloseTo(113.9256, 3);
      expect((await degrees(drawer, language)).latitude).toBeCloseTo(22.5461, 3);
      // What AMap shows is among the readings in every datum, to be compared with.
      await drawer.getByText('113.930500,22.543100').waitFor();
      await chooseDatum(page, drawer, language, /BD-09/);
      await expect.poll(async () => (await degrees(drawer, language)).longitude).toBeCloseTo(113.9191, 3);
    },
  );

  test.each([
    ['zh-CN', '科苑路21号', '看不出经纬度'],
    ['zh-CN', '213.9, 22.5', '不是有效的经纬度'],
    ['en', '22.5N 113.9N', 'Not a position on earth'],
  ] as const)('a text that is no position says so and places nothing, in %s: %s', async (language, text, fault) => {
    const { drawer } = await openForm(language);
    await drawer.getByLabel(words[language].paste).fill(text);
    await button(drawer, words[language].place).click();
    await drawer.getByText(fault).waitFor();
    expect(await drawer.getByLabel(words[language].longitude, { exact: true }).inputValue()).toBe('');
  });

  test('the mark is dragged, a click on the map moves it, and the position is saved as WGS-84', async () => {
    const { id } = await create();
    const { page, drawer } = await openForm('en', id);
    const mark = drawer.locator('.position-mark');
    await mark.waitFor();
    const before = await degrees(drawer, 'en');
    expect(before).toEqual({ longitude: form.longitude, latitude: form.latitude });
    await mark.scrollIntoViewIfNeeded();
    const box = (await mark.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2 + 20, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await degrees(drawer, 'en')).longitude).toBeGreaterThan(before.longitude);
    const dragged = await degrees(drawer, 'en');
    expect(dragged.latitude).toBeLessThan(before.latitude);

    const map = drawer.locator('.site-map-view');
    await map.click({ position: { x: 40, y: 40 } });
    await expect.poll(async () => (await degrees(drawer, 'en')).longitude).toBeLessThan(before.longitude);
    const clicked = await degrees(drawer, 'en');
    expect(clicked.latitude).toBeGreaterThan(before.latitude);
    await button(drawer, words.en.save).click();
    await drawer.waitFor({ state: 'hidden' });
    expect(await siteOf(id)).toMatchObject(clicked);
  });

  test.each([
    ['zh-CN', '22.54,113.943', '该点不在浙江省杭州市范围内，地图上位于广东省深圳市'],
    ['en', '22.54,113.943', 'The point is not in Hangzhou City, Zhejiang Province: the map has it in Shenzhen City'],
    ['zh-CN', '30, 125', '地图上位于海上或境外'],
    ['en', '35.68, 139.69', 'The point is outside China'],
  ] as const)('a point outside the chosen region is warned about, in %s: %s', async (language, text, warning) => {
    const { id } = await create();
    const { drawer } = await openForm(language, id);
    await expect.poll(() => drawer.locator('.ant-alert-warning').count()).toBe(0);
    await drawer.getByLabel(words[language].paste).fill(text);
    await button(drawer, words[language].place).click();
    await drawer.locator('.ant-alert-warning').getByText(warning).waitFor();
  });

  test('a point in another city is saved in spite of the warning; one outside China is refused', async () => {
    const { id } = await create();
    const { drawer } = await openForm('en', id);
    await drawer.getByLabel(words.en.paste).fill('22.54, 120.13');
    await button(drawer, words.en.place).click();
    await drawer.getByLabel(words.en.longitude, { exact: true }).fill('22.54');
    await button(drawer, words.en.save).click();
    await drawer.getByText('Outside China: check that longitude and latitude are not swapped').first().waitFor();
    await drawer.getByLabel(words.en.longitude, { exact: true }).fill('114.05');
    await button(drawer, words.en.save).click();
    await drawer.waitFor({ state: 'hidden' });
    expect(await siteOf(id)).toMatchObject({ longitude: 114.05, latitude: 22.54 });
  });
});

/** One red dot, a PNG. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('the pictures of a site (specification section 5)', () => {
  const messages = {
    'zh-CN': { upload: '上传图片', type: 'JPG、PNG', size: '上传文件大小不能超过 0.5 MB!' },
    en: { upload: 'Upload picture', type: 'JPG, PNG', size: '0.5 MB' },
  } as const;

  test.each(['zh-CN', 'en'] as const)(
    'a picture that is neither jpg nor png, or over 500 kB, is refused and says why, in %s',
    async (language) => {
      const { page, drawer } = await openForm(language);
      const said = messages[language];
      const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
        const choosing = page.waitForEvent('filechooser');
        await drawer.getByText(said.upload).first().click();
        await (await choosing).setFiles(file);
      };
      await choose({ name: 'moving.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
      await drawer.getByRole('alert').filter({ hasText: said.type }).waitFor();
      await choose({
        name: 'large.png',
        mimeType: 'image/png',
        buffer: Buffer.concat([dot, Buffer.alloc(500 * 1024)]),
      });
      await drawer.getByRole('alert').filter({ hasText: said.size }).waitFor();
      // The name promises a picture; the server judges the content.
      await choose({ name: 'disguised.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a, but not a png') });
      await drawer.getByRole('alert').filter({ hasText: said.type }).waitFor();
    },
  );

  test('pictures get the free slots in turn, are put in order and viewed large, and are saved so', async () => {
    const { id } = await create();
    const { page, drawer } = await openForm('en', id);
    for (const name of ['gate.png', 'board.png']) {
      const choosing = page.waitForEvent('filechooser');
      await drawer.getByText('Upload picture').first().click();
      await (await choosing).setFiles({ name, mimeType: 'image/png', buffer: dot });
      await drawer.getByRole('button', { name: `View picture ${name}` }).waitFor();
    }
    await drawer.getByRole('button', { name: 'View picture gate.png' }).click();
    const viewer = page.getByRole('dialog').last();
    await viewer.getByText('Picture 1 of 2: gate.png').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Picture 1 of 2: gate.png').waitFor({ state: 'hidden' });
    await drawer.getByRole('button', { name: 'Move board.png earlier' }).click();
    await button(drawer, words.en.save).click();
    await drawer.waitFor({ state: 'hidden' });
    expect((await siteOf(id)).pictures).toMatchObject([
      { name: 'board.png', slot: 'sign' },
      { name: 'gate.png', slot: 'entrance' },
    ]);
    await page.getByText('Entrance').waitFor();
  });
});

describe('acts on a site', () => {
  test.each([
    ['zh-CN', '对运营商开放', '互联互通开放失败：站点尚缺少站点类型、建设场所、服务电话、充电枪口'],
    [
      'en',
      'Open to operators',
      'Interconnection Opening Failed: the site still lacks its kind, the place it is built in, a service phone, gun ports',
    ],
  ] as const)('8.2.21 opening a site to operators fails with the reasons, in %s', async (language, label, text) => {
    const { id } = await create();
    const page = await walk.open(`/plotDetail?id=${id}`, { language });
    await button(page, label).first().click();
    await page.getByRole('dialog').getByRole('button', { name: label }).click();
    await page.getByText(text).first().waitFor();
  });

  test.each([
    ['zh-CN', '删除', '站点下存在 1 台充电桩，不能删除'],
    ['en', 'Delete', 'A site with stations cannot be deleted: it has 1'],
  ] as const)('8.2.10 the delete button of a site with stations says why not, in %s', async (language, label, text) => {
    const { id } = await create();
    await api.post('/stations', {
      number: `SITE-${language}`,
      name: 'One',
      type: 'fast',
      equipmentType: 'four-wheel',
      siteId: id,
      connectorCount: 1,
      maxPowerKw: 60,
    });
    const page = await walk.open(`/plotDetail?id=${id}`, { language });
    const remove = button(page, label).first();
    await remove.waitFor();
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.hover();
    await page.getByText(text).first().waitFor();
  });

  const other = { address: '2 Lakeside Road', directions: 'By the north gate' };
  /** What somebody else saves meanwhile. */
  async function changeElsewhere(id: number): Promise<void> {
    const { name } = await siteOf(id);
    await api.ask('PUT', `/sites/${id}`, { ...form, name, ...other });
  }

  test('somebody who saves over another person’s change is warned, and saves again with both', async () => {
    const { id } = await create();
    const { drawer } = await openForm('en', id);
    await changeElsewhere(id);
    await drawer.getByLabel('Address', { exact: true }).fill('3 Lakeside Road');
    await button(drawer, words.en.save).click();
    await drawer.getByText('Someone else changed this record while you were editing').waitFor();
    await drawer.getByText('You both changed: Address').waitFor();
    expect(await siteOf(id)).toMatchObject(other);
    expect(await drawer.getByLabel('Address', { exact: true }).inputValue()).toBe('3 Lakeside Road');
    await button(drawer, words.en.save).click();
    await drawer.waitFor({ state: 'hidden' });
    expect(await siteOf(id)).toMatchObject({ ...other, address: '3 Lakeside Road' });
  });

  test('a form that was left half filled comes back over what somebody else saved meanwhile', async () => {
    const { id } = await create();
    const { page, drawer } = await openForm('zh-CN', id);
    await drawer.getByLabel('站点电话').fill('0571-88880000');
    await changeElsewhere(id);
    await page.reload();
    const restored = page.getByRole('dialog').last();
    await restored.getByText('填写期间该记录已被他人修改').waitFor();
    expect(await restored.getByLabel('站点电话').inputValue()).toBe('0571-88880000');
    await expect.poll(() => restored.getByLabel('详细地址').inputValue()).toBe(other.address);
    await button(restored, words['zh-CN'].save).click();
    await restored.waitFor({ state: 'hidden' });
    expect(await siteOf(id)).toMatchObject({ ...other, sitePhone: '0571-88880000' });
  });
});

test('sites are filtered by a region that is chosen by mouse or with the keyboard', async () => {
  await create();
  const page = await walk.open('/plotList');
  const provinceIn = () => new URL(page.url()).searchParams.get('regionCode');
  const region = page.getByRole('combobox', { name: '所属地区' });
  await page.locator('.ant-select', { has: region }).click();
  await page.locator('.ant-cascader-menu-item').getByText('浙江省', { exact: true }).click();
  await expect.poll(provinceIn).toBe('330000');
  await page
    .getByRole('link', { name: /^Site / })
    .first()
    .waitFor();

  await page.goto(`${walk.product.url}/plotList`);
  await region.focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.ant-cascader-menu-item').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(provinceIn).toBe('110000');
});

test.each([
  ['zh-CN', 1440],
  ['en', 1440],
  ['zh-CN', 375],
  ['en', 375],
] as const)('the form and the page of a site are accessible and fit, in %s at %i pixels', async (language, width) => {
  const { id } = await create({ facilities: ['wifi'], sitePhone: '0571-1' });
  const opened = await consolePage(walk.product, { language, token: walk.token, width, height: 900 });
  await opened.page.goto(`${walk.product.url}/plotDetail?id=${id}`);
  await button(opened.page, words[language].edit).first().click();
  await opened.page.locator('.position-mark').waitFor();
  await settled(opened);
  expect(await accessibilityFaults(opened.page)).toEqual([]);
  expect(await overflowFaults(opened.page)).toEqual([]);
  await opened.close();
});
