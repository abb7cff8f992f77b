import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consolePage, newToken } from './console-page.ts';
import { ruleWalk } from './rule-walk.ts';

const walk = ruleWalk();

const rowsOf = (page: Page) => page.getByRole('row');
/** The list's own request; the notice above it also asks for stations, but without a page. */
const listOfStations = /\/api\/stations\?(?:.*&)?page=/;
const toast = (page: Page, text: string) => page.locator('.ant-message').getByText(text, { exact: true });

/** An answer of the server in the specification's envelope. */
const envelope = (status: number, code: number, message: string) => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify({ message: { status, code, message }, data: null }),
});

type Attempt = { at: number; failedAt?: number };

/** A page with a controlled clock; `heard` has the times at which the list of stations was requested. */
async function clockedPage(language: 'zh-CN' | 'en' = 'zh-CN') {
  const opened = await consolePage(walk.product, { language, token: walk.token });
  const { page } = opened;
  await page.addInitScript((source) => {
    const isOfList = new RegExp(source);
    // Playwright's clock controls setTimeout, but not the browser's timer behind AbortSignal.timeout.
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
      return controller.signal;
    };
    const attempts: Attempt[] = [];
    const ask = window.fetch;
    window.fetch = async (...asked) => {
      const attempt: Attempt = { at: Date.now() };
      if (isOfList.test(String(asked[0]))) attempts.push(attempt);
      try {
        return await ask(...asked);
      } catch (failure) {
        attempt.failedAt = Date.now();
        throw failure;
      }
    };
    Object.assign(window, { attempts });
  }, listOfStations.source);
  // A broken stream would make lists fetch again by themselves.
  await page.route('**/api/events*', () => undefined);
  await page.clock.install();
  const heard = () => page.evaluate(() => (window as unknown as { attempts: Attempt[] }).attempts);
  return { ...opened, heard };
}

async function openStations(page: Page, language: 'zh-CN' | 'en' = 'zh-CN'): Promise<void> {
  await page.goto(`${walk.product.url}/deviceList`);
  await page.getByRole('heading', { level: 1, name: language === 'en' ? 'Charging stations' : '充电桩' }).waitFor();
}

/** Advances the page's clock, two seconds at a time, until the condition holds. */
async function runUntil(page: Page, condition: () => Promise<boolean>, secondsMax: number): Promise<void> {
  for (let seconds = 0; seconds < secondsMax; seconds += 2) {
    if (await condition()) return;
    await page.clock.runFor(2_000);
  }
  throw new Error(`not within ${secondsMax} s of the page's time`);
}

/** How far the page's clock may advance before a failure has passed through a busy browser. */
const slackMs = 30_000;
/** A timer of the controlled clock counts from the clock's last step, which a busy browser takes late. */
const stepMs = 1_000;

/** Fetches the list of stations again. */
const askAgain = (page: Page) =>
  page
    .getByRole('button', { name: /^(刷新|Refresh)$/ })
    .first()
    .click();

describe('the shared client', () => {
  test('7.2.1 every request carries the token', async () => {
    const page = await walk.open('/login');
    const asked: Request[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(request);
    });
    await page.goto(`${walk.product.url}/deviceList`);
    await page.getByRole('heading', { level: 1, name: '充电桩' }).waitFor();
    await expect.poll(() => asked.some((request) => request.url().includes('/api/stations'))).toBe(true);
    expect(asked.map((request) => request.headers().token)).toEqual(asked.map(() => walk.token));
  });

  test.each([
    ['zh-CN', 'zh-CN'],
    ['en', 'en'],
  ] as const)('7.2.2 every request carries the language: stored %s, header %s', async (stored, header) => {
    const page = await walk.open('/login', { token: null, language: stored });
    const asked = page.waitForRequest('**/api/login');
    await page.locator('#user-name').fill('nobody');
    await page.locator('#password').fill('nothing at all');
    await page.locator('button[type=submit]').click();
    expect((await asked).headers().language).toBe(header);
  });

  test('7.2.3 the language header is Chinese when nothing was chosen', async () => {
    const page = await walk.open('/login', { token: null, language: null });
    const asked = page.waitForRequest('**/api/login');
    await page.locator('#user-name').fill('nobody');
    await page.locator('#password').fill('nothing at all');
    await page.locator('button[type=submit]').click();
    expect((await asked).headers().language).toBe('zh-CN');
  });

  test('7.2.4 a request times out after 100000 ms and is retried 3 times, 10 s apart', async () => {
    const { page, heard, close } = await clockedPage();
    await page.route(listOfStations, () => undefined);
    await openStations(page);
    const told = page.getByText('服务器响应超时，请稍后重试').first();
    await runUntil(page, () => told.isVisible(), 600);
    await page.clock.runFor(60_000);
    const attempts = await heard();
    expect(attempts).toHaveLength(4);
    for (const [index, { at, failedAt = 0 }] of attempts.entries()) {
      expect(failedAt - at).toBeGreaterThanOrEqual(100_000 - stepMs);
      expect(failedAt - at).toBeLessThan(100_000 + slackMs);
      const next = attempts[index + 1];
      if (next === undefined) continue;
      expect(next.at - failedAt).toBeGreaterThanOrEqual(10_000 - stepMs);
      expect(next.at - failedAt).toBeLessThan(11_000);
    }
    await close();
  });

  test('7.2.5 a network failure is retried 3 times, 10 s apart, and then reported', async () => {
    const { page, heard, close } = await clockedPage('en');
    await page.route(listOfStations, (route) => route.abort('connectionrefused'));
    await openStations(page, 'en');
    const told = page.getByText('The server cannot be reached. Check your network and try again').first();
    await runUntil(page, () => told.isVisible(), 100);
    await page.clock.runFor(60_000);
    const attempts = await heard();
    expect(attempts).toHaveLength(4);
    for (const [index, { at }] of attempts.entries()) {
      const gapMs = at - (attempts[index - 1]?.failedAt ?? at - 10_000);
      expect(gapMs).toBeGreaterThanOrEqual(10_000 - stepMs);
      expect(gapMs).toBeLessThan(11_000);
    }
    await close();
  });

  test('7.2.6 a successful retry leaves no trace on the page', async () => {
    const { page, heard, close } = await clockedPage();
    let asked = 0;
    await page.route(listOfStations, async (route) => {
      asked += 1;
      if (asked < 3) await route.abort('connectionreset');
      else await route.continue();
    });
    await openStations(page);
    await runUntil(page, async () => (await heard()).length === 3, 100);
    await page
      .getByText('暂无数据')
      .or(page.getByRole('button', { name: /添加充电桩$/ }))
      .first()
      .waitFor();
    expect(await page.locator('.ant-message-notice, [role=alert]').filter({ visible: true }).count()).toBe(0);
    await close();
  });
});

describe('the error catalogue', () => {
  test('8.1.1 a failed sign-in shows the server’s message as a toast for 3 seconds', async () => {
    const opened = await consolePage(walk.product, { language: 'en', token: null });
    const { page } = opened;
    await page.clock.install();
    await page.goto(`${walk.product.url}/login`);
    await page.locator('#password').waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.locator('#user-name').fill('admin');
    await page.locator('#password').fill('wrong again');
    await page.locator('button[type=submit]').click();
    const refusal = page.getByRole('alert').getByText('Wrong user name or password');
    await refusal.waitFor();
    await page.clock.runFor(2_900);
    expect(await refusal.isVisible()).toBe(true);
    await page.clock.runFor(200);
    await refusal.waitFor({ state: 'hidden' });
    await opened.close();
  });

  test('8.1.2 a message status other than 200 is an error toast for 5 seconds', async () => {
    const { page, close } = await clockedPage();
    await openStations(page);
    await page.getByRole('table').first().waitFor();
    // After a jump of an hour the list fetches by itself: that request must not be the refused one.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.route(listOfStations, (route) => route.fulfill(envelope(418, 1, 'the server is a teapot')));
    let polls = 0;
    const shown = toast(page, 'the server is a teapot').first();
    const isShown = async () => {
      // While that other request is running, the list waits for its answer; and refusals of requests that the list
      // sends by itself are not shown.
      if (polls % 10 === 0) await askAgain(page);
      polls += 1;
      // The answer travels in real time, the toast appears in controlled time; a request that got lost in the jump is
      // repeated after ten seconds of it.
      await page.clock.runFor(500);
      return shown.isVisible();
    };
    await expect.poll(isShown).toBe(true);
    // On a busy machine the list may have fetched twice by then: only the first toast's time is known.
    const toastShown = await shown.elementHandle();
    await page.clock.runFor(3_900);
    expect(await toastShown?.isVisible()).toBe(true);
    await page.clock.runFor(1_300);
    // React takes the toast away in real time, its last frames pass in controlled time.
    let frames = 0;
    await expect
      .poll(async () => {
        await page.clock.runFor(16);
        frames += 1;
        return toastShown?.isVisible();
      })
      .toBe(false);
    expect(frames * 16).toBeLessThan(3_000);
    await close();
  });

  test('8.1.3 message code 201 signs out and reloads the page', async () => {
    const page = await walk.open('/portList', { token: await newToken(walk.product.url) });
    await page.getByRole('heading', { level: 1, name: '枪口' }).waitFor();
    await page.evaluate(() => Object.assign(window, { isFirstLoad: true }));
    await page.route(listOfStations, (route) => route.fulfill(envelope(200, 201, 'signed out')));
    await page.getByRole('link', { name: '充电桩' }).click();
    await page.waitForURL('**/login?redirect=%2FdeviceList');
    expect(await page.evaluate(() => 'isFirstLoad' in window)).toBe(false);
    expect((await walk.cookies()).zhny_token ?? '').toBe('');
  });

  describe.each([50008, 50012, 50014])('status %i', (status) => {
    test('8.1.4 a lost session opens the dialog, and Re-Login drops the token and reloads the page', async () => {
      const page = await walk.open('/portList', { language: 'en', token: await newToken(walk.product.url) });
      await page.getByRole('heading', { level: 1, name: 'Gun ports' }).waitFor();
      await page.route(listOfStations, (route) => route.fulfill(envelope(status, 1, 'lost')));
      await page.getByRole('link', { name: 'Charging stations' }).click();
      await page.getByText('You have been logged out, you can cancel to stay on this page, or log in again').waitFor();
      await page.getByRole('button', { name: 'Re-Login' }).click();
      await page.waitForURL('**/login?redirect=%2FdeviceList');
      expect((await walk.cookies()).zhny_token ?? '').toBe('');
    });

    test('8.1.5 a lost session opens the dialog, and Cancel stays on the page', async () => {
      const page = await walk.open('/portList');
      await page.getByRole('heading', { level: 1, name: '枪口' }).waitFor();
      await page.route(listOfStations, (route) => route.fulfill(envelope(status, 1, 'lost')));
      await page.getByRole('link', { name: '充电桩' }).click();
      const dialog = page.getByRole('dialog', { name: '系统提示' });
      await dialog.getByText('登录状态已失效，您可以取消并停留在此页面，或者重新登录').waitFor();
      await dialog.getByRole('button', { name: '取消' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(new URL(page.url()).pathname).toBe('/deviceList');
      expect((await walk.cookies()).zhny_token).toBe(walk.token);
    });
  });

  test.each([
    ['zh-CN', '验证失败，请重新登录。'],
    ['en', 'Verification failed, please Login again.'],
  ] as const)(
    '8.1.6 an empty user or empty menus fail with the verification message, in %s',
    async (language, text) => {
      for (const path of ['user/info', 'menu/getUserMenu']) {
        const page = await walk.open('/login', { token: null, language });
        await page.route(`**/api/${path}`, (route) => route.fulfill(envelope(200, 0, 'ok')));
        await page.context().addCookies([{ name: 'zhny_token', value: walk.token, url: walk.product.url }]);
        await page.goto(`${walk.product.url}/deviceList`);
        await page.waitForURL('**/login?redirect=%2FdeviceList');
        await page.getByText(text).waitFor();
      }
    },
  );

  test('8.1.7 a dialog is titled 系统提示 and has the buttons 确定 and 取消', async () => {
    const page = await walk.open('/portList');
    await page.getByRole('button', { name: '账号菜单' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    const dialog = page.getByRole('dialog', { name: '系统提示' });
    await dialog.waitFor();
    expect((await dialog.getByRole('button').allInnerTexts()).filter((text) => text !== '').sort()).toEqual(
      ['取消', '确定'].sort(),
    );
    await dialog.getByRole('button', { name: '取消' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await rowsOf(page).count()).toBeGreaterThan(0);
  });

  test('8.1.8 a failure to load the menus is logged, and the page offers a retry: nobody is signed out, no toast is shown', async () => {
    const page = await walk.open('/login', { token: null, isTroubled: true });
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') logged.push(message.text());
    });
    await page.route('**/api/menu/getUserMenu', (route) => route.fulfill({ status: 200, body: 'not an envelope' }));
    await page.clock.install();
    await page.context().addCookies([{ name: 'zhny_token', value: walk.token, url: walk.product.url }]);
    await page.goto(`${walk.product.url}/deviceList`);
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return logged.length;
      })
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: '重试' }).waitFor();
    expect(await page.locator('.ant-message-notice').count()).toBe(0);
    expect((await walk.cookies()).zhny_token).toBe(walk.token);
  });
});
