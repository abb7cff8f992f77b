import type { Language } from '@voltdeck/journeys/api';
import { makePartnerCharge, makeRoamingCharge } from '@voltdeck/server/interop/test-interconnected-orders';
import { addPulledSite, exposeSite } from '@voltdeck/server/interop/test-pulled';
import type { CustomerId, OrderId, PartnerId, SiteId } from '@voltdeck/units/id';
import { instant } from '@voltdeck/units/instant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserPage, browserPage } from './browser-page.ts';
import { chargeThatEndsNow } from './charge-that-ends-now.ts';
import { type ChargingNetwork, startNetwork } from './charging-network.ts';
import { consolePage, goTo, newToken, settled } from './console-page.ts';
import { newcomer } from './newcomer.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';
import { addPaidAgent } from './paid-agent.ts';
import { addingViews, type ScreenView, screenViews, walked } from './screen-views.ts';
import { moveMoney, shareWithAgent } from './walked-money.ts';

const desk = { width: 1440, height: 900 };
const phone = { width: 375, height: 800 };

/** A user whose password was chosen by someone else. */
const beginner = { userName: 'beginner', password: 'chosen-by-another' };

let network: ChargingNetwork;
let token: string;
beforeAll(async () => {
  network = await startNetwork();
  token = await newToken(network.product.url);
  const { api, charging } = network;
  await moveMoney(network);
  await api.post('/vehicles', { vin: 'LSVAM4187C2184847', plate: walked.plate, cardNumber: charging.cardNumber });
  await api.post('/feedbacks', { kind: 'other', description: walked.complaint, stationNumber: charging.number });
  await api.post('/articles', {
    title: walked.article,
    category: 'guide',
    content: '<p>先插枪，再扫码。</p>',
    enabled: true,
  });
  const agent = { loginName: 'lingnan', realName: walked.agent, phone: '13800000021' };
  const paid = await addPaidAgent({ api, database: network.database, url: network.product.url }, agent, 50_000);
  await paid.api.post('/agent-withdrawals', { amountFen: 12_050 });
  await shareWithAgent(network.database, network.orders.completed.id);
  const partner = { operatorId: 'MA0WALKED', name: walked.partner, role: 'demand' };
  const { id: partnerId } = await api.post<{ id: PartnerId }>('/partners', {
    ...partner,
    baseUrl: 'https://charge.example/evcs/v1.0',
  });
  const now = instant(Date.now());
  await makePartnerCharge(network.database, partnerId, network.orders.completed.id as OrderId, now);
  await makeRoamingCharge(network.database, partnerId, 1 as CustomerId, now);
  await addPulledSite(network.database, partnerId, now);
  await exposeSite(network.database, partnerId, network.siteId as SiteId, now);
  const divider = await api.post<{ id: number }>('/dividers', { name: walked.divider, phone: '13800000022' });
  const terms = { electricityPercent: 5, servicePercent: 12.5, occupancyPercent: 0 };
  await api.post(`/dividers/${divider.id}/terms`, terms);
  await api.post('/dividers', { name: '前海停车管理', enteredOn: '2025-03-04' });
  await chargeThatEndsNow(api, network.free);
  await api.post('/share-terms', { siteIds: [network.siteId], channelFeePercent: 0.6, ...terms });
  await api.post('/users', { ...beginner, realName: '初来' });
  const menuCodes = ['orderListReal', 'orderListHistory', 'order.refund'];
  await api.post('/positions', {
    name: walked.position,
    description: '看订单、退款',
    dataScope: 'platform',
    menuCodes,
  });
});
afterAll(async () => {
  await network.end();
  expect(network.product.errors).toEqual([]);
});

type Words = Readonly<Record<Language, string>>;

const screens = screenViews();

type Overlay = {
  name: string;
  on: string;
  open(page: Page, language: Language): Promise<void>;
};

const words = {
  upload: { 'zh-CN': '上传文件', en: 'Upload files' },
  more: { 'zh-CN': '更多操作', en: 'More actions' },
  connectionHelp: { 'zh-CN': '连接说明', en: 'Connection help' },
  control: { 'zh-CN': '远程控制', en: 'Remote control' },
  strangers: { 'zh-CN': '查看', en: 'Show' },
  start: { 'zh-CN': '启动', en: 'Start' },
  qr: { 'zh-CN': '二维码', en: 'QR code' },
  refund: { 'zh-CN': '退款', en: 'Refund' },
  handOver: { 'zh-CN': '移交', en: 'Hand over' },
  freeze: { 'zh-CN': '冻结', en: 'Freeze' },
  propose: { 'zh-CN': '按建议结算', en: 'Settle as proposed' },
  account: { 'zh-CN': '账号菜单', en: 'Account menu' },
  password: { 'zh-CN': '修改密码', en: 'Change password' },
  logout: { 'zh-CN': '退出登录', en: 'Log out' },
  search: { 'zh-CN': '搜索', en: 'Search' },
  settings: { 'zh-CN': '布局设置', en: 'Layout settings' },
  handle: { 'zh-CN': '处理', en: 'Handle' },
  around: { 'zh-CN': '前后对话', en: 'Context' },
  decode: { 'zh-CN': '解析报文', en: 'Decode frames' },
  openConversation: { 'zh-CN': '打开对话文件', en: 'Open conversation' },
} as const satisfies Record<string, Words>;

/** An icon may precede the text. */
const press = (page: Page, name: string) =>
  page
    .getByRole('button', { name: new RegExp(`(^| )${name}$`) })
    .first()
    .click();
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name }).click();

/** The overlays of each page; `open` resolves when one is shown. */
const overlays: readonly Overlay[] = [
  ...addingViews.map(({ name, adds }) => ({
    name: `adding in ${name}`,
    on: name,
    open: (page: Page, language: Language) => press(page, adds[language]),
  })),
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
    name: 'handing over what an agent has',
    on: 'childrenAccount',
    open: (page, language) => press(page, words.handOver[language]),
  },
  {
    name: 'freezing an agent',
    on: 'childrenAccount',
    open: (page, language) => press(page, words.freeze[language]),
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
    name: 'the keys',
    on: 'orderListReal',
    async open(page) {
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().waitFor();
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
  { name: 'uploading', on: 'fileList', open: (page, language) => press(page, words.upload[language]) },
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

type Colours = 'light' | 'dark';
const bothColours: readonly Colours[] = ['light', 'dark'];

/**
 * Faults of `within` on a desktop and on a phone. The narrow layout has the same structure in every language, so it is
 * checked in one only.
 */
async function faultsOf(opened: BrowserPage, language: Language, within?: string): Promise<string[]> {
  const { page, troubles } = opened;
  const faults = [...(await accessibilityFaults(page, { within })), ...(await overflowFaults(page))];
  await page.setViewportSize(phone);
  await settled(opened);
  const narrow = [
    ...(language === 'en' ? await accessibilityFaults(page, { within }) : []),
    ...(await overflowFaults(page)),
  ];
  await page.setViewportSize(desk);
  return [...faults, ...narrow.map((fault) => `on a phone: ${fault}`), ...troubles.splice(0)];
}

/** As `faultsOf`, plus a check in dark mode of what depends on colours. */
async function faultsInBothColours(opened: BrowserPage, language: Language): Promise<string[]> {
  const { page } = opened;
  const faults = await faultsOf(opened, language);
  await paint(opened, 'dark');
  const dark = await accessibilityFaults(page, { rules: 'of colours' });
  if (language === 'en') {
    await page.setViewportSize(phone);
    await settled(opened);
    dark.push(...(await accessibilityFaults(page, { rules: 'of colours' })));
    await page.setViewportSize(desk);
  }
  await paint(opened, 'light');
  return [...faults, ...dark.map((fault) => `in the dark: ${fault}`)];
}

async function paint(opened: BrowserPage, colours: Colours): Promise<void> {
  const { page } = opened;
  await page.emulateMedia({ colorScheme: colours });
  await page.locator(`html[data-theme=${colours}]`).waitFor({ state: 'attached' });
  await settled(opened);
}

/** Each kept-alive page slows down the checks. */
const keptMax = 5;

/** A window of the signed-in administrator that moves between screens. */
type Visit = { opened: BrowserPage; kept: number; path: string; isWhole: boolean };

/**
 * Navigates to a screen by link, which costs a fifth of loading it. Loads it if the same screen is already shown with
 * another view, and after a test that failed half-way.
 */
async function show(visit: Visit, screen: ScreenView): Promise<void> {
  const { page } = visit.opened;
  const path = screen.path(network);
  const [name] = path.split('?');
  if (visit.isWhole && visit.kept < keptMax && visit.path !== name) {
    await goTo(page, path);
    visit.kept += 1;
  } else {
    await page.evaluate(() => sessionStorage.clear()).catch(() => undefined);
    await page.goto(network.product.url + path);
    visit.kept = 1;
    visit.isWhole = true;
  }
  visit.path = name ?? path;
  const shown = screen.shows === undefined ? page.locator('main h1') : page.getByText(screen.shows(network));
  await shown.filter({ visible: true }).first().waitFor();
  await settled(visit.opened);
}

test('every screen and overlay that this file checks exists', async () => {
  const { page } = await browserPage(phone);
  await page.setContent(`<html lang="en"><title>Bad</title><main>
    <p style="color:#bbb;background:#fff">too pale</p><button></button><div style="width:500px">too wide</div>
  </main></html>`);
  const faults = await accessibilityFaults(page);
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(['button-name', 'color-contrast']);
  expect((await overflowFaults(page)).join('\n')).toMatch(/the document is 5\d\d wide[\s\S]*too wide/);
});

/**
 * Checks every screen in both languages and both colours: half of them in one pairing and half in the other, so that
 * every pairing occurs. Pages are loaded once per language where possible.
 */
describe.each(['zh-CN', 'en'] as const)(
  'in %s, nothing is hard to perceive or operate and everything fits a phone:',
  (language) => {
    // Colours cannot be changed on the sign-in page: they are set when the visit starts.
    test.each(bothColours)('login in %s, before and after a refusal, and registration', async (colours) => {
      const opened = await consolePage(network.product, { language, colours, token: null });
      await opened.page.goto(`${network.product.url}/login`);
      await opened.page.locator('#password').waitFor();
      expect(await opened.page.locator('html').getAttribute('data-theme')).toBe(colours);
      expect(await faultsOf(opened, language)).toEqual([]);
      await opened.page.locator('#user-name').fill('nobody');
      await opened.page.locator('button[type=submit]').click();
      await opened.page.locator('#password-fault:not(:empty)').waitFor();
      expect(await faultsOf(opened, language)).toEqual([]);
      await opened.page.getByRole('tab').nth(1).click();
      await opened.page.locator('#register-phone').waitFor();
      expect(await faultsOf(opened, language)).toEqual([]);
      await opened.close();
    });

    test('an account that awaits its menus', async () => {
      const opened = await consolePage(network.product, {
        language,
        token: await newToken(network.product.url, newcomer),
      });
      await opened.page.goto(network.product.url);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      expect(await faultsInBothColours(opened, language)).toEqual([]);
      await opened.close();
    });

    test('the big-data screen', async () => {
      const opened = await consolePage(network.product, { language, token });
      await opened.page.goto(`${network.product.url}/screen`);
      await opened.page.locator('h2').filter({ visible: true }).first().waitFor();
      await settled(opened);
      expect(await faultsInBothColours(opened, language)).toEqual([]);
      await opened.close();
    });

    test('an initial password that has to be changed', async () => {
      const opened = await consolePage(network.product, {
        language,
        token: await newToken(network.product.url, beginner),
      });
      await opened.page.goto(network.product.url);
      await opened.page.locator('input[type=password]').first().waitFor();
      await settled(opened);
      expect(await faultsInBothColours(opened, language)).toEqual([]);
      await opened.close();
    });

    describe.each(bothColours)('in %s:', (colours) => {
      const isFirstPairing = (language === 'zh-CN') === (colours === 'light');
      const half = screens.filter((_, index) => (index % 2 === 0) === isFirstPairing);
      let visit: Visit;
      beforeAll(async () => {
        const opened = await consolePage(network.product, { language, colours, token });
        visit = { opened, kept: 0, path: '', isWhole: false };
        // Once as a whole; afterwards only what changes.
        const [home] = screens;
        if (home !== undefined) await show(visit, home);
        expect(await faultsOf(opened, language)).toEqual([]);
        expect(await opened.page.locator('html').getAttribute('lang')).toBe(language);
        expect(await opened.page.locator('html').getAttribute('data-theme')).toBe(colours);
      });
      beforeEach(({ onTestFailed }) => {
        onTestFailed(() => {
          visit.isWhole = false;
        });
      });
      afterAll(() => visit.opened.close());

      describe.each(half)('$name', (screen) => {
        test(`every look at ${screen.name} finds no fault`, async () => {
          await show(visit, screen);
          expect(await faultsOf(visit.opened, language, 'main')).toEqual([]);
        });

        test.each(overlays.filter(({ on }) => on === screen.name))('$name', async (over) => {
          const { page } = visit.opened;
          if (!visit.isWhole) await show(visit, screen);
          await over.open(page, language);
          const dialog = page.getByRole('dialog').filter({ visible: true });
          await dialog.first().waitFor();
          await settled(visit.opened);
          expect(await faultsOf(visit.opened, language, '[role=dialog]')).toEqual([]);
          await page.keyboard.press('Escape');
          await expect.poll(() => dialog.count()).toBe(0);
        });
      });
    });
  },
);

test('every overlay belongs to a screen that is walked', () => {
  const names = screens.map(({ name }) => name);
  expect(overlays.filter(({ on }) => !names.includes(on))).toEqual([]);
});
