import type { Language } from '@voltdeck/journeys/api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserPage, browserPage } from './browser-page.ts';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { newcomer } from './newcomer.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

const desk = { width: 1440, height: 900 };
const phone = { width: 375, height: 800 };

const complaint = '充电枪线缆过长，拖在地上容易绊倒行人';

/** Somebody whose password another person chose. */
const beginner = { userName: 'beginner', password: 'chosen-by-another' };

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
  const { api, charging } = network;
  await api.post('/feedbacks', { kind: 'other', description: complaint, stationNumber: charging.number });
  await api.post('/articles', {
    title: '充电须知',
    category: 'guide',
    content: '<p>先插枪，再扫码。</p>',
    enabled: true,
  });
  await api.post('/users', { ...beginner, realName: '初来' });
  const menuCodes = ['orderListReal', 'orderListHistory', 'order.refund'];
  await api.post('/positions', { name: '客服', description: '看订单、退款', dataScope: 'platform', menuCodes });
});
afterAll(async () => {
  await network.end();
  expect(network.product.errors).toEqual([]);
});

type Words = Readonly<Record<Language, string>>;
type Screen = {
  name: string;
  path(at: ChargingNetwork): string;
  /** Text that is there once the page is; its heading where it has nothing to show. */
  shows?(at: ChargingNetwork): string;
};

const screens: readonly Screen[] = [
  { name: 'home', path: () => '/home', shows: () => 'Shenzhen Bay Innovation' },
  {
    name: 'a site on the map',
    path: () => '/home?site=1',
    shows: () => '浙江省杭州市拱墅区环城北路',
  },
  { name: 'deviceList', path: () => '/deviceList', shows: (at) => at.offline.number },
  {
    name: 'deviceDetail of a station that charges',
    path: (at) => `/deviceDetail?id=${at.charging.id}`,
    shows: (at) => `SN-${at.charging.number}`,
  },
  {
    name: 'deviceDetail of a station that is offline',
    path: (at) => `/deviceDetail?id=${at.offline.id}`,
    shows: (at) => at.offline.number,
  },
  { name: 'portList', path: () => '/portList', shows: (at) => at.offline.number },
  { name: 'portList as a wall', path: () => '/portList?view=wall&pageSize=200', shows: () => 'Bay station one' },
  { name: 'orderListReal', path: () => '/orderListReal', shows: (at) => at.orders.running.number },
  { name: 'orderListHistory', path: () => '/orderListHistory', shows: (at) => at.orders.refunded.number },
  {
    name: 'an order that runs',
    path: (at) => `/orderListDetailReal?id=${at.orders.running.id}`,
    shows: () => '工商业分时电价',
  },
  {
    name: 'an order that ended',
    path: (at) => `/orderListDetailHistory?id=${at.orders.completed.id}`,
    shows: () => '工商业分时电价',
  },
  {
    name: 'an order that was refunded',
    path: (at) => `/orderListDetailHistory?id=${at.orders.refunded.id}`,
    shows: () => '充电枪接触不良',
  },
  {
    name: 'an order that was flagged',
    path: (at) => `/orderListDetailHistory?id=${at.orders.abnormal.id}`,
    shows: () => '工商业分时电价',
  },
  {
    name: 'an order that waits for a person',
    path: (at) => `/orderListDetailReal?id=${at.orders.waiting.id}`,
    shows: () => '工商业分时电价',
  },
  { name: 'role', path: () => '/role', shows: () => '客服' },
  { name: 'user', path: () => '/user', shows: () => newcomer.userName },
  { name: 'menu', path: () => '/menu', shows: () => 'chargeOrderList' },
  { name: 'auditLog', path: () => '/auditLog', shows: () => 'admin' },
  { name: 'signInLog', path: () => '/signInLog', shows: () => '127.0.0.1' },
  { name: 'taskList', path: () => '/taskList' },
  { name: 'configList', path: () => '/configList', shows: () => 'sys_title' },
  { name: 'feedbackList', path: () => '/feedbackList', shows: () => complaint },
  { name: 'advertList', path: () => '/advertList' },
  { name: 'newsList', path: () => '/newsList', shows: () => '充电须知' },
  { name: 'fileList', path: () => '/fileList' },
  { name: 'deviceLogOther', path: () => '/deviceLogOther', shows: () => 'MeterValues' },
  {
    name: 'the interaction log of a station',
    path: (at) => `/deviceDetail?id=${at.charging.id}&tab=log`,
    shows: () => 'MeterValues',
  },
  {
    name: 'the conversation with a station',
    path: (at) => `/deviceDetail?id=${at.charging.id}&tab=log&log=timeline`,
    shows: () => 'MeterValues',
  },
];

type Over = {
  name: string;
  on: string;
  open(page: Page, language: Language): Promise<void>;
};

const words = {
  add: { 'zh-CN': '添加充电桩', en: 'Add station' },
  more: { 'zh-CN': '更多操作', en: 'More actions' },
  connectionHelp: { 'zh-CN': '连接说明', en: 'Connection help' },
  control: { 'zh-CN': '远程控制', en: 'Remote control' },
  strangers: { 'zh-CN': '查看', en: 'Show' },
  start: { 'zh-CN': '启动', en: 'Start' },
  qr: { 'zh-CN': '二维码', en: 'QR code' },
  refund: { 'zh-CN': '退款', en: 'Refund' },
  settle: { 'zh-CN': '手动结算', en: 'Settle manually' },
  propose: { 'zh-CN': '按建议结算', en: 'Settle as proposed' },
  account: { 'zh-CN': '账号菜单', en: 'Account menu' },
  password: { 'zh-CN': '修改密码', en: 'Change password' },
  logout: { 'zh-CN': '退出登录', en: 'Log out' },
  search: { 'zh-CN': '搜索', en: 'Search' },
  settings: { 'zh-CN': '布局设置', en: 'Layout settings' },
  handle: { 'zh-CN': '处理', en: 'Handle' },
  around: { 'zh-CN': '前后对话', en: 'Around' },
  decode: { 'zh-CN': '解析报文', en: 'Decode frames' },
  openConversation: { 'zh-CN': '打开对话文件', en: 'Open conversation' },
} as const satisfies Record<string, Words>;

/** An icon may stand before the words. */
const press = (page: Page, name: string) =>
  page
    .getByRole('button', { name: new RegExp(`(^| )${name}$`) })
    .first()
    .click();
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name }).click();

/** The button of a list that adds to it. */
const pressAdd = (page: Page) =>
  page
    .locator('main')
    .getByRole('button', { name: /添加|登记|上传|Add |Record |Upload / })
    .filter({ visible: true })
    .first()
    .click();
const adding = (on: string): Over => ({ name: `adding in ${on}`, on, open: pressAdd });

/** What opens above a page; `open` leaves when it stands. */
const overs: readonly Over[] = [
  {
    name: 'adding a station',
    on: 'deviceList',
    open: (page, language) => press(page, words.add[language]),
  },
  {
    name: 'connection help',
    on: 'deviceList',
    async open(page, language) {
      await page.getByRole('button', { name: words.more[language] }).first().click();
      await choose(page, words.connectionHelp[language]);
    },
  },
  {
    name: 'remote control',
    on: 'deviceList',
    open: (page, language) => press(page, words.control[language]),
  },
  {
    name: 'stations that nobody registered',
    on: 'deviceList',
    open: (page, language) => press(page, words.strangers[language]),
  },
  {
    name: 'starting a charge',
    on: 'portList',
    open: async (page, language) => {
      const row = page.getByRole('row').filter({ hasText: 'HZ-XHWH-0002' }).first();
      await row.getByRole('button', { name: words.start[language], exact: true }).click();
    },
  },
  { name: 'a QR code', on: 'portList', open: (page, language) => press(page, words.qr[language]) },
  {
    name: 'a refund',
    on: 'an order that ended',
    open: (page, language) => press(page, words.refund[language]),
  },
  {
    name: 'manual settlement',
    on: 'an order that runs',
    open: (page, language) => press(page, words.settle[language]),
  },
  {
    name: 'settlement by a proposal',
    on: 'an order that waits for a person',
    open: (page, language) => press(page, words.propose[language]),
  },
  {
    name: 'changing the password',
    on: 'orderListReal',
    async open(page, language) {
      await page.getByRole('button', { name: words.account[language] }).click();
      await choose(page, words.password[language]);
    },
  },
  {
    name: 'the question before logging out',
    on: 'orderListReal',
    async open(page, language) {
      await page.getByRole('button', { name: words.account[language] }).click();
      await choose(page, words.logout[language]);
    },
  },
  {
    name: 'the search',
    on: 'orderListReal',
    async open(page, language) {
      await press(page, words.search[language]);
      await page.getByRole('dialog').getByRole('combobox').fill('order');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the settings panel',
    on: 'orderListReal',
    open: (page, language) => press(page, words.settings[language]),
  },
  ...['role', 'user', 'menu', 'configList', 'feedbackList', 'advertList', 'newsList', 'fileList'].map(adding),
  {
    name: 'handling feedback',
    on: 'feedbackList',
    open: (page, language) =>
      page.getByRole('row').getByRole('button', { name: words.handle[language], exact: true }).first().click(),
  },
  {
    name: 'a frame under the microscope',
    on: 'deviceLogOther',
    async open(page) {
      await page
        .getByRole('button', { name: /StartTransaction/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('table').nth(1).waitFor();
    },
  },
  {
    name: 'the conversation around a frame',
    on: 'deviceLogOther',
    async open(page, language) {
      await press(page, words.around[language]);
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  { name: 'pasting frames', on: 'deviceLogOther', open: (page, language) => press(page, words.decode[language]) },
  {
    name: 'opening a conversation',
    on: 'deviceLogOther',
    open: (page, language) => press(page, words.openConversation[language]),
  },
];

type Look = { language: Language; colours: 'light' | 'dark' };

/**
 * `within` on a desk and on a phone; what the narrow layout is built of is the same in every language and colour, so
 * that it is looked at once.
 */
async function faultsOf(opened: BrowserPage, { language }: Look, within?: string): Promise<string[]> {
  const { page, troubles } = opened;
  const faults = [...(await accessibilityFaults(page, within)), ...(await overflowFaults(page))];
  await page.setViewportSize(phone);
  await settled(opened);
  const narrow = [
    ...(language === 'en' ? await accessibilityFaults(page, within) : []),
    ...(await overflowFaults(page)),
  ];
  await page.setViewportSize(desk);
  return [...faults, ...narrow.map((fault) => `on a phone: ${fault}`), ...troubles.splice(0)];
}

async function show(opened: BrowserPage, screen: Screen): Promise<void> {
  const { page } = opened;
  // Tabs that were kept would be looked through again and again.
  await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
  await page.goto(network.product.url + screen.path(network));
  const shown = screen.shows === undefined ? page.locator('main h1') : page.getByText(screen.shows(network));
  await shown.filter({ visible: true }).first().waitFor();
  await settled(opened);
}

test('what this file looks for is found where it is', async () => {
  const { page } = await browserPage(phone);
  await page.setContent(`<html lang="en"><title>Bad</title><main>
    <p style="color:#bbb;background:#fff">too pale</p><button></button><div style="width:500px">too wide</div>
  </main></html>`);
  const faults = await accessibilityFaults(page);
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(['button-name', 'color-contrast']);
  expect((await overflowFaults(page)).join('\n')).toMatch(/the document is 5\d\d wide[\s\S]*too wide/);
});

const looks = [
  { language: 'zh-CN', colours: 'light' },
  { language: 'en', colours: 'dark' },
  { language: 'zh-CN', colours: 'dark' },
  { language: 'en', colours: 'light' },
] as const satisfies readonly Look[];

/**
 * Every screen is seen in both languages and both colours; half of them in one pairing of the two and half in the
 * other, so that every pairing occurs.
 */
describe.each(looks)(
  'in $language and $colours, nothing is hard to perceive or operate and everything fits a phone:',
  (look) => {
    const isFirstPairing = (look.language === 'zh-CN') === (look.colours === 'light');
    const half = <Item>(items: readonly Item[]) => items.filter((_, index) => (index % 2 === 0) === isFirstPairing);
    let signedIn: BrowserPage;
    beforeAll(async () => {
      signedIn = await consolePage(network.product, { ...look, token });
      // Once as a whole; afterwards what changes.
      const [home] = screens;
      if (home !== undefined) await show(signedIn, home);
      expect(await faultsOf(signedIn, look)).toEqual([]);
      expect(await signedIn.page.locator('html').getAttribute('lang')).toBe(look.language);
      expect(await signedIn.page.locator('html').getAttribute('data-theme')).toBe(look.colours);
    });
    afterAll(() => signedIn.close());

    test('login, before and after a refusal, and registration', async () => {
      const opened = await consolePage(network.product, { ...look, token: null });
      await opened.page.goto(`${network.product.url}/login`);
      await opened.page.locator('#password').waitFor();
      expect(await faultsOf(opened, look)).toEqual([]);
      await opened.page.locator('#user-name').fill('nobody');
      await opened.page.locator('button[type=submit]').click();
      await opened.page.locator('#password-fault:not(:empty)').waitFor();
      expect(await faultsOf(opened, look)).toEqual([]);
      await opened.page.getByRole('tab').nth(1).click();
      await opened.page.locator('#register-phone').waitFor();
      expect(await faultsOf(opened, look)).toEqual([]);
      await opened.close();
    });

    test('an account that awaits its menus', async () => {
      const opened = await consolePage(network.product, {
        ...look,
        token: await newToken(network.product.url, newcomer),
      });
      await opened.page.goto(network.product.url);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await faultsOf(opened, look)).toEqual([]);
      await opened.close();
    });

    test('the big-data screen', async () => {
      const opened = await consolePage(network.product, { ...look, token });
      await opened.page.goto(`${network.product.url}/screen`);
      await opened.page.locator('h2').filter({ visible: true }).first().waitFor();
      await settled(opened);
      // It hangs on a wall: nobody looks at it on a phone.
      expect([...(await accessibilityFaults(opened.page)), ...(await overflowFaults(opened.page))]).toEqual([]);
      await opened.close();
    });

    test('an initial password that has to be changed', async () => {
      const opened = await consolePage(network.product, {
        ...look,
        token: await newToken(network.product.url, beginner),
      });
      await opened.page.goto(network.product.url);
      await opened.page.locator('input[type=password]').first().waitFor();
      await settled(opened);
      expect(await faultsOf(opened, look)).toEqual([]);
      await opened.close();
    });

    test.each(half(screens))('$name', async (screen) => {
      await show(signedIn, screen);
      expect(await faultsOf(signedIn, look, 'main')).toEqual([]);
    });

    test.each(half(overs))('$name', async (over) => {
      const screen = screens.find(({ name }) => name === over.on);
      if (screen === undefined) throw new Error(`there is no screen ${over.on}`);
      await show(signedIn, screen);
      await over.open(signedIn.page, look.language);
      await signedIn.page.getByRole('dialog').filter({ visible: true }).first().waitFor();
      await settled(signedIn);
      expect(await faultsOf(signedIn, look, '[role=dialog]')).toEqual([]);
    });
  },
);
