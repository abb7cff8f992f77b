import type { RechargeCode } from '@voltdeck/contract/recharge-codes';
import { parse } from 'parse5';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverNotifications, embeddedChannels } from '../channels/test-channels.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { makePlace } from '../http/test-records.ts';
import { pageCallsPerMinuteMax } from './payment-page-limit.ts';

let api: TestApi;
let code: RechargeCode & { pageUrl: string };
beforeAll(async () => {
  api = await openTestApi({ channelsOf: embeddedChannels() });
  const { cardId } = await makePlace(api.database, null, 'page');
  const body = { cardId, amountFen: 12_345, channel: 'embedded' };
  code = (await api.post<typeof code>('/recharge-codes', body)).data;
});
afterAll(() => api.close());

const open = async (path: string, language = 'zh-CN,zh;q=0.9') => {
  const answer = await api.app.inject({ method: 'GET', url: path, headers: { 'accept-language': language } });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
};
const path = () => new URL(code.pageUrl).pathname;

test('the page of a payment shows amount, state and number in the language of the browser, in a few kilobytes', async () => {
  const chinese = await open(path());
  expect(chinese.text).toContain('<html lang="zh-CN">');
  expect(chinese.text).toContain('¥123.45');
  expect(chinese.text).toContain('等待支付');
  expect(chinese.text).toContain(code.number);
  const english = await open(path(), 'de,en-GB;q=0.8');
  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain('Waiting for payment');
  const { text: script } = await open('/pay/page.js');
  expect(Buffer.byteLength(english.text) + Buffer.byteLength(script)).toBeLessThan(16_384);
});

test('the page runs no inline script, is kept by nobody and gives its address to nobody', async () => {
  const { text, headers } = await open(path());
  expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=/i);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(parse(text).mode).toBe('no-quirks');
});

test('a code to scan is drawn where the channel has one, and the page of a paid one says so', async () => {
  const { database } = api;
  await database.pool.query("update channel_payments set channel = 'wechat', code_url = 'weixin://x' where id = $1", [
    code.id,
  ]);
  const scanned = await open(path());
  expect(scanned.text).toContain('<svg role="img" aria-label="收款码"');
  expect(scanned.text).toContain('请使用微信扫码支付');
  expect(scanned.text).not.toContain('data-act');
  await database.pool.query("update channel_payments set channel = 'embedded' where id = $1", [code.id]);
  const token = path().split('/').at(-1);
  await api.post(`/pay/${token}/acts`, { act: 'pay' }, { token: null });
  await deliverNotifications(api);
  const paid = await open(path());
  expect(paid.text).toContain('>支付成功<');
  expect(paid.text).not.toContain('data-act');
});

test('an address that leads to no payment says so and nothing else', async () => {
  for (const token of ['A'.repeat(32), 'short', '%3Cscript%3E']) {
    const { status, text } = await open(`/pay/${token}`);
    expect([status, text.includes('支付单不存在')]).toEqual([404, true]);
    expect(text).not.toContain('<script');
  }
});

test('a network that opens too many pages in a minute is refused in the language of the browser', async () => {
  const limited = await openTestApi({ channelsOf: embeddedChannels() });
  const visit = (language: string) =>
    limited.app.inject({ method: 'GET', url: `/pay/${'A'.repeat(32)}`, headers: { 'accept-language': language } });
  for (let call = 0; call < pageCallsPerMinuteMax; call += 1) expect((await visit('en')).statusCode).toBe(404);
  const refused = await visit('en');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.body).toContain('Too many requests');
  expect((await visit('zh-CN')).body).toContain('操作过于频繁');
  expect((await limited.get(`/pay/${'A'.repeat(32)}`, { token: null })).status).toBe(429);
  await limited.close();
});
