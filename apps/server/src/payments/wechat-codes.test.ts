import type { RechargeCode } from '@voltdeck/contract/recharge-codes';
import { type Instant, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeLifeMs } from '../channels/begin-payment.ts';
import { findOut } from '../channels/find-out.ts';
import { notificationOutcomes, postNotification, testCalls } from '../channels/test-channels.ts';
import {
  keyPairs,
  notificationOf,
  signedHeaders,
  TestWechatPay,
  wechatSettings,
} from '../channels/wechat/test-wechat-pay.ts';
import { createWechatChannel } from '../channels/wechat/wechat-channel.ts';
import { openTestApi, type TestApi } from '../http/test-api.ts';
import { balanceOf, makePlace, type Place } from '../http/test-records.ts';
import { channelRoomOf } from './channel-outcomes.ts';

const pay = new TestWechatPay();
let api: TestApi;
let place: Place;

beforeAll(async () => {
  const baseUrl = await pay.open();
  api = await openTestApi({
    channelsOf: async ({ db, now }) => {
      pay.now = now;
      const keys = {
        privateKey: keyPairs.merchant.privateKey,
        publicKey: { id: wechatSettings.publicKey?.id ?? '', key: keyPairs.platform.publicKey },
      };
      const parts = { settings: { ...wechatSettings, baseUrl }, keys, calls: testCalls(db), now };
      return {
        byName: new Map([['wechat', createWechatChannel(parts)]]),
        embedded: null,
        publicUrl: 'https://charge.example',
      };
    },
  });
  place = await makePlace(api.database, null, 'wechat');
});
afterAll(async () => {
  expect((await api.get('/ledger/proof')).data).toMatchObject({ sumFen: 0, mismatches: 0 });
  await api.close();
  pay.close();
});

const codeUrl = 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz';
const begin = (key: string) =>
  api.post<RechargeCode & { pageUrl: string }>(
    '/recharge-codes',
    { customerId: place.customerId, amountFen: 8_800, channel: 'wechat' },
    { key, language: 'en' },
  );
const walletFen = () => balanceOf(api.database, `customer:${place.customerId}`);
const transaction = (number: string, total: number, state = 'SUCCESS') => ({
  appid: wechatSettings.appId,
  mchid: wechatSettings.mchId,
  out_trade_no: number,
  transaction_id: `42${number.slice(1)}`,
  trade_state: state,
  success_time: toIso(instant(Date.now())),
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  amount: { total, payer_total: total, currency: 'CNY' },
});
const notify = (content: object, at: Instant = api.context.now()) => {
  const body = notificationOf('TRANSACTION.SUCCESS', content);
  return postNotification(api, 'wechat', signedHeaders(body, at), body);
};

test('WeChat Pay is told where to notify, a forged amount moves nothing, and the payer is kept masked in the records', async () => {
  pay.answer = () => ({ status: 200, body: { code_url: codeUrl } });
  const { data: code } = await begin('wechat-one');
  expect(code).toMatchObject({
    state: 'paying',
    codeUrl,
    pageUrl: expect.stringMatching('^https://charge.example/pay/'),
  });
  expect(pay.asked.at(-1)).toMatchObject({
    isSigned: true,
    body: { notify_url: 'https://charge.example/api/channels/wechat/notifications', amount: { total: 8_800 } },
  });
  const before = await walletFen();
  const body = notificationOf('TRANSACTION.SUCCESS', transaction(code.number, 8_800));
  const forged = signedHeaders(body, api.context.now(), { key: keyPairs.stranger.privateKey });
  expect(await postNotification(api, 'wechat', forged, body)).toMatchObject({ status: 400 });
  expect(await walletFen()).toBe(before);
  expect(await notify(transaction(code.number, 8_800))).toMatchObject({ status: 200 });
  expect(await notify(transaction(code.number, 8_800))).toMatchObject({ status: 200 });
  expect(await walletFen()).toBe(before + 8_800);
  expect(await notificationOutcomes(api)).toEqual(['bad_signature', 'settled', 'repeated']);
  const kept = await api.database.db.selectFrom('channel_notifications').select('content').execute();
  expect(JSON.stringify(kept)).not.toContain('oUpF8uMuAJO_M2pxb1Q9zNjWeS6o');
});

test('a code whose answer was lost is never shown, but found out when it was paid, and closed when it was not', async () => {
  pay.answer = () => ({ status: 500, body: { code: 'SYSTEM_ERROR', message: '' } });
  expect((await begin('wechat-two')).status).toBe(504);
  expect((await begin('wechat-three')).status).toBe(504);
  const open = await api.database.db
    .selectFrom('channel_payments')
    .select('number')
    .where('state', '=', 'unknown')
    .orderBy('id')
    .execute();
  const [paid, unpaid] = open.map(({ number }) => number);
  const before = await walletFen();
  pay.answer = ({ path, method }) => {
    if (method === 'POST') return { status: 204 };
    if (paid !== undefined && path.includes(paid)) return { status: 200, body: transaction(paid, 8_800) };
    return { status: 200, body: transaction(unpaid ?? '', 8_800, 'NOTPAY') };
  };
  api.clock.now = instant(Date.now() + codeLifeMs + 2 * minuteMs);
  await findOut(channelRoomOf(api.context));
  expect(await walletFen()).toBe(before + 8_800);
  const states = await api.database.db
    .selectFrom('channel_payments')
    .select(['number', 'state'])
    .where('number', 'in', [paid ?? '', unpaid ?? ''])
    .orderBy('id')
    .execute();
  expect(states.map(({ state }) => state)).toEqual(['paid', 'closed']);
  expect(pay.asked.at(-1)?.path).toContain(`${unpaid}/close`);
  api.clock.now = null;
});
