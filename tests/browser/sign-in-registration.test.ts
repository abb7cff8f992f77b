import { adminPassword } from '@voltdeck/journeys/product';
import { hashAnswer } from '@voltdeck/server/access/captcha';
import { hashPassword } from '@voltdeck/server/access/password';
import { codesBeforeCaptcha } from '@voltdeck/server/access/sms-codes';
import { freshDatabase } from '@voltdeck/server/database/test-database';
import { instant, minuteMs } from '@voltdeck/units/instant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserPage, PageOptions } from './browser-page.ts';
import { consolePage, newToken, settled } from './console-page.ts';
import { type HostedProduct, hostedProduct } from './hosted-product.ts';
import { accessibilityFaults, overflowFaults } from './page-faults.ts';

let product: HostedProduct;
let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  product = await hostedProduct(database.url);
});
afterAll(async () => {
  await product.stop();
  expect(product.errors).toEqual([]);
});

let visitors = 0;

/** The sign-in page as seen from its own network address. */
async function visit(options: PageOptions & { language: 'zh-CN' | 'en' }): Promise<BrowserPage> {
  visitors += 1;
  const opened = await consolePage(product, { ...options, token: null });
  await opened.context.setExtraHTTPHeaders(ofLastVisitor());
  await opened.page.goto(`${product.url}/login`);
  await opened.page.locator('#password').waitFor();
  return opened;
}

const ofLastVisitor = () => ({ 'x-forwarded-for': `203.0.113.${visitors}` });

/** Does what makes the page fetch a captcha, and tells the test its characters. */
async function withPicture(page: Page, act: () => Promise<unknown>, characters = 'K7GM'): Promise<string> {
  const answered = page.waitForResponse('**/api/captcha');
  await act();
  const { data } = (await (await answered).json()) as { data: { id: string } };
  await database.db
    .updateTable('captchas')
    .set({ answer_hash: hashAnswer(data.id, characters) })
    .where('id', '=', data.id)
    .execute();
  return data.id;
}

/** The code in the server's log, where the embedded provider writes it. */
async function codeOf(phone: string): Promise<string> {
  const find = () =>
    product.output
      .filter((line) => line.includes('"short message"'))
      .map((line) => JSON.parse(line) as { phone: string; code: string })
      .findLast((message) => message.phone === phone)?.code;
  await expect.poll(find).toMatch(/^\d{6}$/);
  return find() ?? '';
}

/** Requests as many codes from elsewhere as are sent without a captcha. */
async function askedForCodes(phone: string): Promise<void> {
  const sent_at = instant(Date.now() - 10 * minuteMs);
  const row = { phone, purpose: 'register' as const, code_hash: Buffer.from(''), remote_address: '198.51.100.1' };
  const rows = Array.from({ length: codesBeforeCaptcha.register.perPhone }, () => ({
    ...row,
    sent_at,
    expires_at: sent_at,
  }));
  await database.db.insertInto('sms_codes').values(rows).execute();
}

/** Failed attempts from the page's network; those from elsewhere do not count against it. */
async function failByApi(userName: string, times: number, headers: Record<string, string> = {}): Promise<void> {
  for (let failures = 0; failures < times; failures += 1) {
    const id = `picture-${userName}-${failures}`;
    const expires_at = new Date(Date.now() + 60_000).getTime() as never;
    await database.db
      .insertInto('captchas')
      .values({ id, answer_hash: hashAnswer(id, 'K7GM'), expires_at })
      .execute();
    const body = new URLSearchParams({ userName, password: 'not it', platForm: '4', captchaId: id, captcha: 'K7GM' });
    await (await fetch(`${product.url}/api/login`, { method: 'POST', body, headers })).arrayBuffer();
  }
}

describe('registration', () => {
  test('registration by phone and SMS code signs in, and the account awaits activation', async () => {
    const { page, troubles, close } = await visit({ language: 'zh-CN' });
    const phone = '13800000001';
    await page.getByRole('tab', { name: '注册' }).click();
    await page.getByLabel('手机号', { exact: true }).fill(phone);
    expect(await page.getByLabel('图形验证码', { exact: true }).count()).toBe(0);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: '点击获取' }).click();
    await page.getByText(`验证码已发送至 ${phone}`).waitFor();
    await page.getByRole('button', { name: '60 秒', exact: true, disabled: true }).waitFor();
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: '59 秒', exact: true, disabled: true }).waitFor();
    await page.clock.resume();

    await page.getByLabel('短信验证码').fill(await codeOf(phone));
    await page.getByLabel('密码', { exact: true }).fill('lamps by the lake');
    await page.getByLabel('确认密码', { exact: true }).fill('lamps by the lake');
    await page.getByRole('button', { name: '注册' }).click();
    await page.getByRole('heading', { level: 1, name: '账号待开通' }).waitFor();
    expect(troubles).toEqual([]);
    await close();
  });

  test('registration shows each fault at its field, in English too, before anything is sent', async () => {
    const { page, close } = await visit({ language: 'en' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/registerUser/')) sent.push(request.url());
    });
    await page.getByRole('tab', { name: 'Register' }).click();
    const phone = page.getByLabel('Phone', { exact: true });
    await page.getByRole('button', { name: 'Click To Obtain' }).click();
    await page.getByText('Enter your phone').waitFor();
    expect(await phone.getAttribute('aria-invalid')).toBe('true');
    await phone.fill('1380000000x');
    await page.getByRole('button', { name: 'Click To Obtain' }).click();
    await page.getByText('The phone must be numeric').waitFor();
    await phone.fill('1380000000');
    await page.getByLabel('Password', { exact: true }).fill('12345');
    await page.getByLabel('Confirm password', { exact: true }).fill('12346');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The phone must be 11 digits').waitFor();
    await page.getByText('At least 6 characters').waitFor();
    await page.getByText('The password entered twice is inconsistent').waitFor();
    await page.getByText('Enter the code from the message').waitFor();
    expect(await phone.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(sent).toEqual([]);
    await close();
  });

  test('registration shows at the fields what the server refuses: the captcha, the code, a phone number that is taken', async () => {
    const { page, close } = await visit({ language: 'en' });
    const phone = '13800000002';
    const password_hash = await hashPassword('whatever it was');
    await database.db
      .insertInto('users')
      .values({ user_name: phone, phone, real_name: 'Old', password_hash })
      .execute();
    await askedForCodes(phone);
    await page.getByRole('tab', { name: 'Register' }).click();
    await page.getByLabel('Phone', { exact: true }).fill(phone);
    const obtain = page.getByRole('button', { name: 'Click To Obtain' });
    await withPicture(page, () => obtain.click());
    await page.getByText('Several codes have been asked for. Type the characters in the picture').waitFor();
    const typed = page.getByLabel('Characters in the picture');
    await expect.poll(() => typed.evaluate((element) => element === document.activeElement)).toBe(true);
    await obtain.click();
    await page.getByText('Type the characters in the picture', { exact: true }).waitFor();
    await page.getByLabel('Characters in the picture').fill('ZZZZ');
    await withPicture(page, () => obtain.click());
    await page.getByText('The characters do not match or have expired').waitFor();
    await page.getByLabel('Characters in the picture').fill('K7GM');
    await page.getByRole('button', { name: 'Click To Obtain' }).click();
    await page.getByText(`A code was sent to ${phone}`).waitFor();

    const right = await codeOf(phone);
    await page.getByLabel('SMS code').fill(right === '000000' ? '000001' : '000000');
    await page.getByLabel('Password', { exact: true }).fill('lamps by the lake');
    await page.getByLabel('Confirm password', { exact: true }).fill('lamps by the lake');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('The code is wrong or has expired').waitFor();
    expect(await page.getByLabel('SMS code').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('SMS code').fill(right);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('This phone is already registered').waitFor();
    expect(await page.getByLabel('Phone', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await close();
  });

  test('the code of registration is loaded only on demand', async () => {
    const { page, close } = await visit({ language: 'en' });
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.getByRole('tab', { name: 'Sign in' }).press('ArrowRight');
    await page.getByLabel('Phone', { exact: true }).waitFor();
    expect(scripts.some((url) => url.includes('RegisterForm'))).toBe(true);
    expect(await page.getByRole('tab', { name: 'Register' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tab', { name: 'Register' }).press('ArrowLeft');
    await page.getByLabel('Phone or user name').waitFor();
    await close();
  });
});

describe('after repeated failures', () => {
  test('after repeated failures a captcha is required, renewed after each attempt, and lets the user in', async () => {
    const { page, close } = await visit({ language: 'zh-CN' });
    await failByApi('admin', 3, ofLastVisitor());
    await page.getByLabel('手机号或用户名').fill('admin');
    await page.getByLabel('密码', { exact: true }).fill(adminPassword);
    const signIn = page.getByRole('button', { name: '登录', exact: true });
    await withPicture(page, () => signIn.click());
    const typed = page.getByLabel('图形验证码', { exact: true });
    await typed.waitFor();
    await page.getByText('看不清图片').waitFor();
    await expect.poll(() => typed.evaluate((element) => element === document.activeElement)).toBe(true);

    await typed.fill('ZZZZ');
    await withPicture(page, () => signIn.click());
    const fault = page.getByText('图形验证码错误或已过期');
    await fault.first().waitFor();
    expect(await fault.count()).toBe(1);
    expect(await typed.getAttribute('aria-describedby')).toBe(await fault.getAttribute('id'));
    expect(await typed.inputValue()).toBe('');
    const renewed = await withPicture(page, () => page.getByRole('button', { name: '换一张' }).click());
    expect(renewed).not.toBe('');
    await typed.fill('k7gm');
    await signIn.click();
    await page.waitForURL(`${product.url}/home`);
    await close();
  });

  test('after repeated failures a captcha is required to sign in again in place, too', async () => {
    const who = { userName: 'returning', password: 'back in a minute' };
    const password_hash = await hashPassword(who.password);
    const { id } = await database.db
      .insertInto('users')
      .values({ user_name: who.userName, real_name: 'Returning', password_hash, admin: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    const opened = await consolePage(product, { language: 'en', token: await newToken(product.url, who) });
    const { page } = opened;
    await page.goto(`${product.url}/deviceList`);
    await page.getByRole('heading', { level: 1, name: 'Charging stations' }).waitFor();
    // Before the session ends: from then on any request opens the dialog above the links.
    await failByApi(who.userName, 3);
    const { id: session } = await database.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    const headers = { token: await newToken(product.url) };
    const ended = await fetch(`${product.url}/api/sessions/${session}`, { method: 'DELETE', headers });
    expect(ended.status).toBe(200);

    await page.getByRole('link', { name: 'Gun ports', exact: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=password]').fill(who.password);
    await withPicture(page, () => dialog.getByRole('button', { name: 'Continue' }).click());
    await dialog.getByLabel('Characters in the picture').fill('K7GM');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { level: 1, name: 'Gun ports' }).waitFor();
    await opened.close();
  });

  test('after repeated failures the name is locked, and the button counts down', async () => {
    const opened = await visit({ language: 'en' });
    const { page } = opened;
    await failByApi('locked-out', 5, ofLastVisitor());
    await page.clock.install();
    await page.reload();
    await page.getByLabel('Phone or user name').fill('locked-out');
    await page.getByLabel('Password', { exact: true }).fill('guess');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const waiting = page.getByRole('button', { name: /^Try again in \d+ s$/ });
    await waiting.waitFor();
    expect(await waiting.isDisabled()).toBe(true);
    await page.clock.runFor(31_000);
    expect(await page.getByRole('button', { name: 'Sign in' }).isEnabled()).toBe(true);
    await opened.close();
  });
});

describe('an initial password', () => {
  test('an initial password has to be changed first, and the new one signs in', async () => {
    const password_hash = await hashPassword('given by admin');
    await database.db
      .insertInto('users')
      .values({ user_name: 'fresh', real_name: 'Fresh', password_hash, password_is_initial: true, admin: true })
      .execute();
    const opened = await visit({ language: 'en' });
    const { page } = opened;
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const signInAs = async (password: string) => {
      await page.getByLabel('Phone or user name').fill('fresh');
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signInAs('given by admin');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This is an initial password').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${product.url}/deviceList`);
    await dialog.getByText('This is an initial password').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await settled(opened);
    expect(await accessibilityFaults(page)).toEqual([]);

    await dialog.getByLabel('Original password').fill('given by admin');
    await dialog.getByLabel('New password', { exact: true }).fill('given by admin');
    await dialog.getByLabel('Confirm new password').fill('given by admin');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('The new password must differ from the original one').waitFor();
    await dialog.getByLabel('New password', { exact: true }).fill('chosen by myself');
    await dialog.getByLabel('Confirm new password').fill('chosen by myself');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL('**/login*');
    await page.getByRole('alert').getByText('Password changed, please log in again').waitFor();
    await signInAs('chosen by myself');
    await page.getByRole('heading', { level: 1, name: 'Charging stations' }).waitFor();
    expect(refused).toEqual([]);
    await opened.close();
  });
});

describe.each([
  { language: 'zh-CN', colours: 'light', width: 1440 },
  { language: 'en', colours: 'dark', width: 375 },
  { language: 'zh-CN', colours: 'dark', width: 375 },
  { language: 'en', colours: 'light', width: 1440 },
] as const)('in $language, $colours, $width wide', (options) => {
  test('axe finds nothing serious on both forms, with faults shown, and nothing overflows', async () => {
    const opened = await visit(options);
    const { page } = opened;
    await page.locator('form button[type=submit]').click();
    await settled(opened);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('#way-register').click();
    await askedForCodes('13800000003');
    await page.locator('#register-phone').fill('13800000003');
    await page.locator('#register-code + button').click();
    await page.locator('#register-captcha').waitFor();
    await page.locator('img').waitFor();
    await page.locator('form button[type=submit]').click();
    await settled(opened);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowFaults(page)).toEqual([]);
    await opened.close();
  });
});
