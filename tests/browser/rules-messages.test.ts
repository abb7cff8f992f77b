import type { Api } from '@voltdeck/journeys/api';
import { libraryStation } from '@voltdeck/journeys/library-station';
import { dayTariff } from '@voltdeck/journeys/two-hour-charge';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addPerson } from './people.ts';
import { ruleWalk } from './rule-walk.ts';
import { beginCharge } from './told-charge.ts';

let api: Api;
let siteId = 0;
let orderId = 0;
const stationNumber = 'TOLD-1';
const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
  siteId = await api.createSite('Lakeside');
  const tariffId = await api.createTariff(dayTariff);
  const { id, password } = await api.createStation({ number: stationNumber, siteId, tariffId });
  const cardNumber = '00000000000000D1';
  await api.createCard(cardNumber, 50_000);
  const station = await libraryStation(product.ocppUrl, { number: stationNumber, password });
  const charge = await beginCharge(
    api,
    { id, number: stationNumber, cardNumber, station },
    { minutesAgo: 60, minutes: 30 },
  );
  await charge.stop(30);
  orderId = charge.order.id;
  await station.close();
});

type Language = 'zh-CN' | 'en';
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const toast = (page: Page, text: string) => page.locator('.ant-message').getByText(text);

/** A refusal as an API caller gets it. */
async function refusal(method: string, path: string, language: Language, body?: unknown): Promise<string> {
  const { message } = await api.ask(method, path, body, { language });
  return message.message;
}

test.each([
  ['zh-CN', '没有操作权限，请联系管理员', '删除'],
  ['en', 'No operation permission, please contact the administrator', 'Delete'],
] as const)('8.2.1 an act without permission is refused with a message, in %s', async (language, text, verb) => {
  const { database, product } = walk;
  const who = await addPerson({ api, database, url: product.url }, `keeper-${language}`, ['configList', 'config.edit']);
  await api.post('/sysConfig/addConfig', { name: `Denied ${language}`, key: `denied.${language}`, value: '1' });
  const page = await walk.open(`/configList?key=denied.${language}`, { language, token: who.token });
  const row = page.getByRole('row').filter({ hasText: `Denied ${language}` });
  await row.getByRole('button', { name: verb }).waitFor();
  await api.ask('PUT', `/positions/${who.positionId}`, {
    name: `Position of ${who.userName}`,
    dataScope: 'platform',
    menuCodes: ['configList'],
  });
  await row.getByRole('button', { name: verb }).click();
  await page.getByRole('dialog').getByRole('button', { name: verb }).click();
  await toast(page, text).waitFor();
});

test.each([
  ['zh-CN', '编辑', '保存修改', '已保存 Kept zh-CN'],
  ['en', 'Edit', 'Save', 'Saved Kept en'],
] as const)('8.2.2 a success shows a message, in %s', async (language, edit, save, text) => {
  await api.post('/sysConfig/addConfig', { name: `Kept ${language}`, key: `kept.${language}`, value: '1' });
  const page = await walk.open(`/configList?key=kept.${language}`, { language });
  await page
    .getByRole('row')
    .filter({ hasText: `Kept ${language}` })
    .getByRole('button', { name: edit })
    .click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: new RegExp(`^${save}`) }).click();
  await toast(page, text).waitFor();
});

test.each([
  ['zh-CN', '删除', '系统提示', '删除参数 Gone zh-CN（gone.zh-CN）吗？', '取消', '已删除 Gone zh-CN'],
  ['en', 'Delete', 'System notice', 'Gone en', 'Cancel', 'Deleted Gone en'],
] as const)('8.2.3 deleting asks for confirmation, in %s', async (language, verb, title, question, cancel, done) => {
  await api.post('/sysConfig/addConfig', { name: `Gone ${language}`, key: `gone.${language}`, value: '1' });
  const page = await walk.open(`/configList?key=gone.${language}`, { language });
  const row = page.getByRole('row').filter({ hasText: `Gone ${language}` });
  await row.getByRole('button', { name: verb }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByText(question).first().waitFor();
  await dialog.getByRole('button', { name: cancel }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await row.count()).toBe(1);
  await row.getByRole('button', { name: verb }).click();
  await dialog.getByRole('button', { name: verb }).click();
  await toast(page, done).waitFor();
  await row.waitFor({ state: 'detached' });
});

test.each([
  ['zh-CN', '更多操作', '删除', '充电桩使用中，不能删除'],
  ['en', 'More actions', 'Delete', 'A station in use cannot be deleted'],
] as const)('8.2.4 a station in use cannot be deleted, in %s', async (language, more, verb, text) => {
  const page = await walk.open(`/deviceList?number=${stationNumber}`, { language });
  await page.getByRole('row').filter({ hasText: stationNumber }).getByRole('button', { name: more }).click();
  await page.getByRole('menuitem', { name: verb }).click();
  await page.getByRole('dialog').getByRole('button', { name: verb }).click();
  await toast(page, text).waitFor();
});

test.each([
  ['zh-CN', ['原密码', '新密码', '确认新密码', '修改密码'], '密码已修改，请重新登录'],
  [
    'en',
    ['Original password', 'New password', 'Confirm new password', 'Change password'],
    'Password changed, please log in again',
  ],
] as const)(
  '8.2.5 a changed password asks to log in again, in %s',
  async (language, [old, next, again, verb], text) => {
    const { database, product } = walk;
    const who = await addPerson({ api, database, url: product.url }, `changer-${language}`, ['configList']);
    const page = await walk.open('/configList', { language, token: who.token });
    await page.getByRole('button', { name: language === 'en' ? 'Account menu' : '账号菜单' }).click();
    await page.getByRole('menuitem', { name: verb }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(old, { exact: true }).fill(who.password);
    await dialog.getByLabel(next, { exact: true }).fill('another-river-71');
    await dialog.getByLabel(again, { exact: true }).fill('another-river-71');
    const message = { status: 422, code: 422, message: 'what the message says' };
    await page.route('**/api/changePwd', (route) =>
      route.fulfill({ status: 422, json: { message, data: 'what data says (section 7)' } }),
    );
    await dialog.getByRole('button', { name: verb }).click();
    await dialog.getByText('what data says (section 7)').waitFor();
    expect(await page.getByText('what the message says').count()).toBe(0);
    await page.unroute('**/api/changePwd');
    const asked = page.waitForRequest('**/api/changePwd');
    await dialog.getByRole('button', { name: verb }).click();
    expect((await asked).postDataJSON()).toEqual({
      password: who.password,
      newPassword: 'another-river-71',
      token: who.token,
    });
    await page.waitForURL('**/login*');
    await page.getByText(text).waitFor();
  },
);

describe('the editor of articles', () => {
  async function editor(language: Language): Promise<Page> {
    const page = await walk.open('/newsList', { language });
    await button(page, language === 'en' ? /Add article$/ : /添加文章$/)
      .first()
      .click();
    await page.locator('[contenteditable=true]').waitFor();
    return page;
  }
  /** One red dot. */
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const insert = async (page: Page, language: Language, bytes: Buffer) => {
    const choosing = page.waitForEvent('filechooser');
    await button(page, language === 'en' ? 'Insert picture' : '插入图片').click();
    await (await choosing).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: bytes });
  };

  test('2.5.38 the editor says 请输入内容 while it is empty', async () => {
    const page = await editor('zh-CN');
    const said = await page.locator('[contenteditable=true]').evaluate((element) => {
      const texts: string[] = [];
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        texts.push(getComputedStyle(each, '::before').content);
      }
      return texts;
    });
    expect(said).toContain('"请输入内容"');
  });

  test.each([
    ['zh-CN', '上传文件大小不能超过 5 MB!'],
    ['en', 'The file must not be larger than 5 MB'],
  ] as const)('8.2.6 a file that is too large is refused with the limit in MB, in %s', async (language, text) => {
    const page = await editor(language);
    await insert(page, language, Buffer.concat([picture, Buffer.alloc(5 * 1_024 * 1_024)]));
    await toast(page, text).waitFor();
    expect(await page.locator('[contenteditable=true] img').count()).toBe(0);
  });

  test.each([
    ['zh-CN', '图片插入失败'],
    ['en', 'Image insertion failed'],
  ] as const)('8.2.7 the editor reports an image that cannot be inserted, in %s', async (language, text) => {
    const page = await editor(language);
    await page.route('**/api/files?*', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({ message: { status: 200, code: 1, message: 'no' }, data: null }),
      }),
    );
    await insert(page, language, picture);
    await toast(page, text).waitFor();
    expect(await page.locator('[contenteditable=true] img[src^="/files/"]').count()).toBe(0);
    await page.unroute('**/api/files?*');
    await insert(page, language, picture);
    await page.locator('[contenteditable=true] img[src^="/files/"]').waitFor();
  });
});

test.each([
  ['zh-CN', '退款', '退款金额须大于 0 且不超过'],
  ['en', 'Refund', 'The refund must be above 0 and at most'],
] as const)('8.2.8 a refund is between 0 and the order’s amount, in %s', async (language, verb, text) => {
  const page = await walk.open(`/orderListDetailHistory?id=${orderId}`, { language });
  await button(page, new RegExp(`(^| )${verb}$`))
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByRole('spinbutton');
  for (const wrong of ['0', '99999']) {
    await amount.fill(wrong);
    await dialog
      .getByRole('button', { name: new RegExp(`^${verb}`) })
      .last()
      .click();
    await dialog.getByText(text).waitFor();
  }
});

test.each([
  ['zh-CN', '处理', '批注', '标为已处理', '您选择的问题已处理，请选择其他问题！'],
  [
    'en',
    'Handle',
    'Annotation',
    'Mark as handled',
    'The issue you selected has been processed. Please choose another issue!',
  ],
] as const)(
  '8.2.9 feedback that someone else has handled is refused, in %s',
  async (language, verb, field, done, text) => {
    const description = `The cable hangs down (${language})`;
    const { id } = await api.post<{ id: number }>('/feedbacks', { kind: 'other', description, phone: '13900000009' });
    const page = await walk.open('/feedbackList', { language });
    const row = page.getByRole('row').filter({ hasText: description });
    await row.getByRole('button', { name: verb, exact: true }).click();
    await api.post('/feedbacks/handlings', { ids: [id], outcome: 'handled', annotation: 'done by somebody else' });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(field).fill('done here');
    await dialog.getByRole('button', { name: done }).click();
    await page.getByText(text).first().waitFor();
  },
);

test.each([
  ['zh-CN', '站点下存在充电桩，不能删除'],
  ['en', 'A site with stations cannot be deleted'],
] as const)('8.2.10 a site with stations cannot be deleted, in %s', async (language, text) => {
  expect(await refusal('DELETE', `/sites/${siteId}`, language)).toBe(text);
});

test.each([
  ['zh-CN', '输入不合法'],
  ['en', 'Illegal input'],
] as const)('8.2.14 an invalid field says so, in %s', async (language, text) => {
  const answer = await api.ask<null>('PUT', '/users/1/enabled', { enabled: 'perhaps' }, { language });
  const { fields } = answer.message as { fields?: { path: string; message: string }[] };
  expect(fields).toMatchObject([{ path: 'enabled', message: text }]);
});
