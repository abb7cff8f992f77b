import { adminPassword } from '@voltdeck/journeys/product';
import { until } from '@voltdeck/journeys/until';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ruleWalk } from './rule-walk.ts';

const walk = ruleWalk();

const words = {
  'zh-CN': {
    register: '注册',
    phone: '手机号',
    obtain: '点击获取',
    numeric: '手机号只能是数字',
    length: '手机号须为 11 位',
    short: '密码至少 6 位',
    differ: '两次输入的密码不一致',
    card: '请输入16位卡号（0-9、A-F）',
  },
  en: {
    register: 'Register',
    phone: 'Phone',
    obtain: 'Click To Obtain',
    numeric: 'The phone must be numeric',
    length: 'The phone must be 11 digits',
    short: 'At least 6 characters',
    differ: 'The password entered twice is inconsistent',
    card: 'Please Input A 16 Digit Card Number',
  },
} as const;
type Language = keyof typeof words;
const languages = ['zh-CN', 'en'] as const satisfies readonly Language[];

/** Opens the registration form. */
async function registration(language: Language): Promise<Page> {
  const page = await walk.open('/login', { token: null, language });
  await page.getByRole('tab', { name: words[language].register }).click();
  await page.locator('#register-phone').waitFor();
  return page;
}

const faultOf = (page: Page, field: string) => page.locator(`#register-${field}-fault`);

describe('signing in', () => {
  test('5.1.1 the user name is trimmed', async () => {
    const page = await walk.open('/login', { token: null });
    const asked = page.waitForRequest('**/api/login');
    await page.locator('#user-name').fill('  admin\t ');
    await page.locator('#password').fill(adminPassword);
    await page.locator('button[type=submit]').click();
    expect((await asked).postDataJSON()).toMatchObject({ userName: 'admin' });
    await page.waitForURL(`${walk.product.url}/home`);
  });

  test('5.1.2 a response code other than 0 fails the sign-in', async () => {
    const page = await walk.open('/login', { token: null });
    await page.route('**/api/login', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({
          message: { status: 200, code: 7, message: 'not today' },
          data: { token: 'a-token', userName: 'admin', userInfo: { id: 1, admin: true } },
        }),
      }),
    );
    await page.locator('#user-name').fill('admin');
    await page.locator('#password').fill(adminPassword);
    await page.locator('button[type=submit]').click();
    await page.getByRole('alert').getByText('not today').waitFor();
    expect((await walk.cookies()).zhny_token).toBeUndefined();
    expect(new URL(page.url()).pathname).toBe('/login');
  });
});

describe.each(languages)('registering in %s', (language) => {
  const said = words[language];

  test('5.2.1 a phone is digits only', async () => {
    const page = await registration(language);
    await page.locator('#register-phone').fill('1380000111a');
    await page.getByRole('button', { name: said.obtain }).click();
    await faultOf(page, 'phone').getByText(said.numeric, { exact: true }).waitFor();
  });

  test('5.2.2 a phone is exactly 11 digits', async () => {
    const page = await registration(language);
    for (const phone of ['1380000111', '138000011112']) {
      await page.locator('#register-phone').fill(phone);
      await page.getByRole('button', { name: said.obtain }).click();
      await faultOf(page, 'phone').getByText(said.length, { exact: true }).waitFor();
    }
  });

  test('5.4.1 a password has at least 6 characters', async () => {
    const page = await registration(language);
    await page.locator('#register-phone').fill('13800001111');
    await page.locator('#register-password').fill('12345');
    await page.locator('#register-confirmPassword').fill('12345');
    await page.locator('button[type=submit]').click();
    await faultOf(page, 'password').getByText(said.short, { exact: true }).waitFor();
  });

  test('5.4.2 the confirmation must match', async () => {
    const page = await registration(language);
    await page.locator('#register-phone').fill('13800001111');
    await page.locator('#register-password').fill('long enough');
    await page.locator('#register-confirmPassword').fill('long enougg');
    await page.locator('button[type=submit]').click();
    await faultOf(page, 'confirmPassword').getByText(said.differ, { exact: true }).waitFor();
  });

  test('5.3.1 a card number has 16 of 0-9 and A-F', async () => {
    const ask = async (number: string) => {
      const response = await fetch(`${walk.product.url}/api/cards`, {
        method: 'POST',
        headers: { token: walk.token, language, 'content-type': 'application/json' },
        body: JSON.stringify({ number }),
      });
      const { message } = (await response.json()) as { message: { fields?: { path: string; message: string }[] } };
      return { status: response.status, fields: message.fields };
    };
    for (const number of ['123456789012345', '12345678901234567', '123456789012345G']) {
      const { status, fields } = await ask(number);
      expect([status, fields?.[0]?.path]).toEqual([422, 'number']);
      expect(fields?.[0]?.message).toContain(said.card.slice(0, 8));
    }
    expect((await ask(language === 'en' ? '0123456789ABCDEF' : '0123456789ABCDE0')).status).toBe(200);
  });
});

test('2.2.3 registering takes phone, SMS code, password and confirmation; the code button counts down', async () => {
  const page = await registration('en');
  const phone = '13900002222';
  await page.locator('#register-phone').fill(phone);
  expect(await page.locator('#register-captcha').count()).toBe(0);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Click To Obtain' }).click();
  await page.getByRole('button', { name: '60 s', exact: true, disabled: true }).waitFor();
  await page.clock.runFor(1_000);
  await page.getByRole('button', { name: '59 s', exact: true, disabled: true }).waitFor();
  await page.clock.resume();
  const code = await until('the message was sent', () => {
    const line = walk.product.output.findLast((each) => each.includes(phone) && each.includes('"code"'));
    return /"code":"(\d{6})"/.exec(line ?? '')?.[1];
  });
  await page.locator('#register-code').fill(code);
  await page.locator('#register-password').fill('a long enough one');
  await page.locator('#register-confirmPassword').fill('a long enough one');
  await page.locator('button[type=submit]').click();
  await page.getByRole('heading', { level: 1, name: 'Your account awaits activation' }).waitFor();
});

describe('the server by itself', () => {
  const stationForm = (over: Record<string, unknown>) => ({
    number: `RULE-${JSON.stringify(over).length}-${Object.keys(over).join('')}`,
    name: 'x',
    type: 'fast',
    equipmentType: 'four-wheel',
    protocol: 'ocpp1.6',
    connectorCount: 1,
    maxPowerKw: 120,
    ...over,
  });
  const ask = async (path: string, body: unknown) => {
    const response = await fetch(`${walk.product.url}/api${path}`, {
      method: 'POST',
      headers: { token: walk.token, language: 'en', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { message } = (await response.json()) as { message: { fields?: { path: string }[] } };
    return { status: response.status, paths: (message.fields ?? []).map(({ path: field }) => field) };
  };

  test.each([
    ['connectorCount', [0, -1, 1.5, 'many']],
    ['voltageV', [0, -1, 1.5, 'many']],
    ['currentA', [0, -1, 1.5, 'many']],
    ['maxPowerKw', [0, -1, 7.5, 'many']],
  ] as const)('5.6.1 %s of a station is a positive integer', async (field, values) => {
    const siteId = await (await walk.product.signIn()).createSite(`Site for ${field}`);
    for (const value of values) {
      const { status, paths } = await ask('/stations', stationForm({ siteId, [field]: value }));
      expect([status, paths]).toEqual([422, [field]]);
    }
  });

  test.each(['a'.repeat(33), 'two words', 'semi;colon', '<b>'])(
    '5.10.1 the user name %s is refused: 1 to 32 letters or digits, or any Chinese characters',
    async (userName) => {
      const { status, paths } = await ask('/users', { userName, realName: 'x' });
      expect([status, paths]).toEqual([422, ['userName']]);
    },
  );

  test.each(['a', 'Worker7', '调度员', 'b'.repeat(32)])('5.10.2 the user name %s is taken', async (userName) => {
    expect((await ask('/users', { userName, realName: 'x' })).status).toBe(200);
  });
});
