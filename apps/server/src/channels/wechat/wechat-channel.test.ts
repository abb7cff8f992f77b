import { execFileSync } from 'node:child_process';
import { privateDecrypt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instant, instant, minuteMs, parseIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallLog, ChannelCall } from '../call-log.ts';
import { maskFields } from '../mask-fields.ts';
import type { PaymentChannel } from '../payment-channel.ts';
import {
  type Asked,
  apiV3Key,
  encrypt,
  keyPairs,
  notificationOf,
  sha1,
  signedHeaders,
  TestWechatPay,
  wechatSettings,
} from './test-wechat-pay.ts';
import { readWechatBill } from './wechat-bill.ts';
import { createWechatChannel } from './wechat-channel.ts';
import { wechatLimits } from './wechat-client.ts';

const pay = new TestWechatPay();
let baseUrl = '';
let channel: PaymentChannel;
let calls: ChannelCall[] = [];
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
const log: CallLog = async (_channel, call) => {
  calls.push(call);
};
const keys = (hasPublicKey: boolean) => ({
  privateKey: keyPairs.merchant.privateKey,
  publicKey: hasPublicKey ? { id: wechatSettings.publicKey?.id ?? '', key: keyPairs.platform.publicKey } : null,
});
const make = (hasPublicKey = true) =>
  createWechatChannel({
    settings: { ...wechatSettings, baseUrl, ...(hasPublicKey ? {} : { publicKey: null }) },
    keys: keys(hasPublicKey),
    calls: log,
    now: () => now,
  });

beforeAll(async () => {
  baseUrl = await pay.open();
});
afterAll(() => pay.close());
beforeEach(() => {
  pay.asked.length = 0;
  pay.now = () => now;
  pay.signing = {};
  calls = [];
  channel = make();
});

const order = {
  number: 'C20261121000000000001',
  amountFen: fen(12_345),
  title: 'Charging balance',
  expiresAt: instant(now + 15 * minuteMs),
  notifyUrl: 'https://charge.example/api/channels/wechat/notifications',
  pageUrl: '',
};
/** GET /v3/pay/transactions/out-trade-no/{out_trade_no}, as documented. */
const transaction = {
  appid: wechatSettings.appId,
  mchid: wechatSettings.mchId,
  out_trade_no: order.number,
  transaction_id: '4200001234202611211234567890',
  trade_type: 'NATIVE',
  trade_state: 'SUCCESS',
  trade_state_desc: 'paid',
  bank_type: 'CMC',
  attach: '',
  success_time: '2026-11-21T12:00:05+08:00',
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  amount: { total: 12_345, payer_total: 12_000, currency: 'CNY', payer_currency: 'CNY' },
};
const paid = {
  state: 'paid',
  thirdPartyNumber: transaction.transaction_id,
  paidFen: 12_345,
  paidAt: parseIso('2026-11-21T04:00:05Z'),
  payer: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
};
const answers = (status: number, body?: unknown) => {
  pay.answer = () => ({ status, ...(body === undefined ? {} : { body }) });
};
const only = (): Asked => {
  expect(pay.asked).toHaveLength(1);
  const [asked] = pay.asked;
  if (asked === undefined) throw new Error('nobody asked');
  return asked;
};

describe('payments through WeChat Pay', () => {
  test('a code is asked for by a signed Native order in fen that expires in the time of China', async () => {
    answers(200, { code_url: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz' });
    expect(await channel.createPayment(order)).toEqual({
      outcome: 'answered',
      answer: { codeUrl: 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz' },
    });
    expect(only()).toEqual({
      method: 'POST',
      path: '/v3/pay/transactions/native',
      isSigned: true,
      body: {
        appid: wechatSettings.appId,
        mchid: wechatSettings.mchId,
        description: 'Charging balance',
        out_trade_no: order.number,
        time_expire: '2026-11-21T12:15:00+08:00',
        notify_url: order.notifyUrl,
        amount: { total: 12_345, currency: 'CNY' },
      },
    });
    expect(calls).toMatchObject([{ kind: 'create_payment', number: order.number, status: 200, outcome: 'answered' }]);
  });

  test('a paid transaction tells its number, amount, time and payer', async () => {
    answers(200, transaction);
    expect(await channel.queryPayment(order.number)).toEqual({ outcome: 'answered', answer: paid });
    expect(only()).toMatchObject({
      method: 'GET',
      path: `/v3/pay/transactions/out-trade-no/${order.number}?mchid=1900000109`,
      isSigned: true,
    });
  });

  test.each([
    ['NOTPAY', 'paying'],
    ['USERPAYING', 'paying'],
    ['PAYERROR', 'paying'],
    ['CLOSED', 'closed'],
    ['REVOKED', 'closed'],
    ['REFUND', 'paid'],
  ])('the trade state %s means %s', async (trade_state, state) => {
    answers(200, { ...transaction, trade_state });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'answered', answer: { state } });
  });

  test.each([
    ['of another merchant', { ...transaction, mchid: '1900000110' }],
    ['of another app', { ...transaction, appid: 'wx0000000000000000' }],
    ['of another order', { ...transaction, out_trade_no: 'C2' }],
    ['in a state that is not documented', { ...transaction, trade_state: 'MAYBE' }],
    ['that is paid without an amount', { ...transaction, amount: undefined }],
    ['that is paid with a broken amount', { ...transaction, amount: { total: 0.5 } }],
  ])('an answer %s says nothing', async (_name, body) => {
    answers(200, body);
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });

  test('an order that WeChat Pay does not know is absent', async () => {
    answers(404, { code: 'ORDER_NOT_EXIST', message: 'no such order' });
    expect(await channel.queryPayment(order.number)).toEqual({ outcome: 'answered', answer: { state: 'absent' } });
  });

  test.each([
    [204, undefined, 'closed'],
    [400, { code: 'ORDER_CLOSED', message: '' }, 'closed'],
    [400, { code: 'ORDERPAID', message: '' }, 'paid'],
    [404, { code: 'ORDER_NOT_EXIST', message: '' }, 'absent'],
  ])('closing that is answered by %i %j means %s', async (status, body, answer) => {
    answers(status, body);
    expect(await channel.closePayment(order.number)).toEqual({ outcome: 'answered', answer });
    expect(only()).toMatchObject({ path: `/v3/pay/transactions/out-trade-no/${order.number}/close`, isSigned: true });
  });
});

describe('answers that are not believed', () => {
  const tampered: readonly [name: string, change: () => void][] = [
    [
      'signed by a stranger',
      () => {
        pay.signing = { key: keyPairs.stranger.privateKey };
      },
    ],
    [
      'signed under an unknown number',
      () => {
        pay.signing = { serial: 'PUB_KEY_ID_0000000000000000000000000000' };
      },
    ],
    [
      'signed six minutes ago',
      () => {
        pay.now = () => instant(now - 6 * minuteMs);
      },
    ],
  ];
  test.each(tampered)('an answer %s leaves the outcome unknown', async (_name, change) => {
    answers(200, transaction);
    change();
    expect(await channel.queryPayment(order.number)).toMatchObject({
      outcome: 'unknown',
      because: expect.stringContaining('not believed'),
    });
  });

  test('a success without a signature leaves the outcome unknown', async () => {
    pay.answer = () => ({ status: 200, body: transaction, tamper: () => ({}) });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });

  test('a refusal that is signed by a stranger is no refusal', async () => {
    pay.signing = { key: keyPairs.stranger.privateKey };
    answers(404, { code: 'ORDER_NOT_EXIST', message: '' });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('outcomes that nobody knows', () => {
  test.each([500, 502, 503, 429])(
    'status %i is no refusal, because the request may have been carried out',
    async (status) => {
      answers(status, { code: 'SYSTEM_ERROR', message: 'busy' });
      expect(await channel.createPayment(order)).toMatchObject({ outcome: 'unknown' });
      expect(calls).toMatchObject([{ outcome: 'unknown', status }]);
    },
  );

  test('no answer within the limit is unknown, and is written down', async () => {
    expect(wechatLimits.answerMs).toBeLessThanOrEqual(10_000);
    pay.answer = () => 'nothing';
    expect(await channel.createPayment(order)).toMatchObject({
      outcome: 'unknown',
      because: expect.stringContaining('timeout'),
    });
    expect(calls).toMatchObject([{ kind: 'create_payment', status: null, outcome: 'unknown' }]);
  });

  test('no connection is unknown', async () => {
    const nowhere = createWechatChannel({
      settings: { ...wechatSettings, baseUrl: 'http://127.0.0.1:1' },
      keys: keys(true),
      calls: log,
      now: () => now,
    });
    expect(await nowhere.createPayment(order)).toMatchObject({ outcome: 'unknown' });
  });

  test('a 4xx refusal is quoted with its code', async () => {
    answers(403, { code: 'NO_AUTH', message: 'not contracted' });
    expect(await channel.createPayment(order)).toEqual({
      outcome: 'refused',
      refusal: { code: 'NO_AUTH', text: 'not contracted' },
    });
  });
});

describe('refunds and transfers', () => {
  const refund = {
    refund_id: '50000000382019052709732678859',
    out_refund_no: 'F1',
    transaction_id: transaction.transaction_id,
    out_trade_no: order.number,
    status: 'PROCESSING',
    amount: { total: 12_345, refund: 400, payer_total: 12_345, payer_refund: 400, currency: 'CNY' },
  };

  test.each([
    ['SUCCESS', { state: 'done', thirdPartyNumber: refund.refund_id, amountFen: 400 }],
    ['PROCESSING', { state: 'processing', thirdPartyNumber: refund.refund_id }],
    ['CLOSED', { state: 'failed', refusal: { code: 'CLOSED', text: '' } }],
    ['ABNORMAL', { state: 'processing', thirdPartyNumber: refund.refund_id, heldUpBy: { code: 'ABNORMAL', text: '' } }],
  ])('a refund with the status %s is %j', async (status, answer) => {
    answers(200, { ...refund, status });
    const asked = {
      number: 'F1',
      paymentNumber: order.number,
      amountFen: fen(400),
      totalFen: fen(12_345),
      reason: 'broken',
      notifyUrl: order.notifyUrl,
    };
    expect(await channel.refund(asked)).toEqual({ outcome: 'answered', answer });
    expect(only()).toMatchObject({
      path: '/v3/refund/domestic/refunds',
      isSigned: true,
      body: {
        out_trade_no: order.number,
        out_refund_no: 'F1',
        amount: { refund: 400, total: 12_345, currency: 'CNY' },
      },
    });
    expect(await channel.queryRefund('F1', order.number)).toEqual({ outcome: 'answered', answer });
  });

  test('a refund that WeChat Pay does not know is absent', async () => {
    answers(404, { code: 'RESOURCE_NOT_EXISTS', message: '' });
    expect(await channel.queryRefund('F1', order.number)).toEqual({ outcome: 'answered', answer: { state: 'absent' } });
  });

  test('a transfer that its payee has to confirm says what the app needs, and until when', async () => {
    answers(200, { ...transfer, state: 'WAIT_USER_CONFIRM', package_info: 'affffddafdfafddffda==' });
    const until = Date.parse('2026-11-22T12:00:00+08:00');
    expect(await channel.queryPayout('O1')).toMatchObject({
      answer: { state: 'processing', awaitsPayee: { packageInfo: 'affffddafdfafddffda==', until } },
    });
    expect(JSON.stringify(maskFields(calls.at(-1)?.response))).not.toContain('affffddafdfafddffda');
  });

  const transfer = {
    out_bill_no: 'O1',
    transfer_bill_no: '1330000071100999991182020050700019480001',
    create_time: '2026-11-21T12:00:00+08:00',
  };
  test.each([
    ['ACCEPTED', 'processing'],
    ['WAIT_USER_CONFIRM', 'processing'],
    ['TRANSFERING', 'processing'],
    ['CANCELING', 'processing'],
    ['SUCCESS', 'done'],
    ['FAIL', 'failed'],
    ['CANCELLED', 'failed'],
  ])('a transfer in the state %s is %s', async (state, ours) => {
    answers(200, { ...transfer, state, fail_reason: 'PAYEE_ACCOUNT_ABNORMAL' });
    const asked = {
      number: 'O1',
      payee: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
      payeeName: 'Somebody',
      amountFen: fen(700),
      remark: 'Withdrawal',
      notifyUrl: order.notifyUrl,
    };
    expect(await channel.payout(asked)).toMatchObject({ outcome: 'answered', answer: { state: ours } });
    const { path, body, isSigned } = only();
    expect({ path, isSigned }).toEqual({ path: '/v3/fund-app/mch-transfer/transfer-bills', isSigned: true });
    const { user_name, ...rest } = body as Record<string, unknown>;
    expect(rest).toMatchObject({
      appid: wechatSettings.appId,
      out_bill_no: 'O1',
      transfer_scene_id: '1000',
      transfer_amount: 700,
      transfer_scene_report_infos: [{ info_type: 'activity', info_content: 'balance' }],
    });
    const name = privateDecrypt(
      { key: keyPairs.platform.privateKey, oaepHash: 'sha1' },
      Buffer.from(String(user_name), 'base64'),
    );
    expect(name.toString('utf8')).toBe('Somebody');
    expect(await channel.queryPayout('O1')).toMatchObject({ outcome: 'answered', answer: { state: ours } });
  });
});

describe('notifications of WeChat Pay', () => {
  const read = (body: string, headers: Record<string, string>, at: Instant = now, by = channel) =>
    by.readNotification(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      body,
      at,
    );

  test('a payment is decrypted and read', async () => {
    const body = notificationOf('TRANSACTION.SUCCESS', transaction);
    const headers = signedHeaders(body, now);
    expect(await read(body, headers)).toEqual({
      ok: true,
      value: {
        nonce: headers['Wechatpay-Nonce'],
        content: transaction,
        about: { kind: 'payment', number: order.number, found: paid },
      },
    });
  });

  test('a refund and a transfer are read', async () => {
    const refund = notificationOf('REFUND.SUCCESS', {
      mchid: wechatSettings.mchId,
      out_trade_no: order.number,
      transaction_id: transaction.transaction_id,
      out_refund_no: 'F1',
      refund_id: '500',
      refund_status: 'SUCCESS',
      success_time: '2026-11-21T12:00:05+08:00',
      user_received_account: 'a bank card',
      amount: { total: 12_345, refund: 400, payer_total: 12_345, payer_refund: 400 },
    });
    expect(await read(refund, signedHeaders(refund, now))).toMatchObject({
      ok: true,
      value: { about: { kind: 'refund', number: 'F1', found: { state: 'done', amountFen: 400 } } },
    });
    const transfer = notificationOf('MCHTRANSFER.BILL.FINISHED', {
      mch_id: wechatSettings.mchId,
      out_bill_no: 'O1',
      transfer_bill_no: '1330',
      state: 'SUCCESS',
      transfer_amount: 700,
      openid: 'o',
    });
    expect(await read(transfer, signedHeaders(transfer, now))).toMatchObject({
      ok: true,
      value: { about: { kind: 'payout', number: 'O1', found: { state: 'done', amountFen: 700 } } },
    });
  });

  const forged: readonly [
    why: string,
    name: string,
    body: string,
    signing: Parameters<typeof signedHeaders>[2],
    at: Instant,
  ][] = [
    [
      'bad_signature',
      'of a stranger',
      notificationOf('TRANSACTION.SUCCESS', transaction),
      { key: keyPairs.stranger.privateKey },
      now,
    ],
    [
      'unknown_serial',
      'under an unknown number',
      notificationOf('TRANSACTION.SUCCESS', transaction),
      { serial: 'PUB_KEY_ID_0999' },
      now,
    ],
    [
      'stale',
      'of six minutes ago',
      notificationOf('TRANSACTION.SUCCESS', transaction),
      {},
      instant(now - 6 * minuteMs),
    ],
    ['stale', 'of the future', notificationOf('TRANSACTION.SUCCESS', transaction), {}, instant(now + 6 * minuteMs)],
    [
      'other_merchant',
      'for another merchant',
      notificationOf('TRANSACTION.SUCCESS', { ...transaction, mchid: '1900000110' }),
      {},
      now,
    ],
    [
      'other_merchant',
      'for another app',
      notificationOf('TRANSACTION.SUCCESS', { ...transaction, appid: 'wx0' }),
      {},
      now,
    ],
    [
      'other_merchant',
      'encrypted with another key',
      notificationOf('TRANSACTION.SUCCESS', transaction, 'another-key-of-exactly-32-chars!'),
      {},
      now,
    ],
    ['unreadable', 'that is no JSON', 'no JSON', {}, now],
    [
      'unreadable',
      'without an amount',
      notificationOf('TRANSACTION.SUCCESS', { ...transaction, amount: undefined }),
      {},
      now,
    ],
  ];
  test.each(forged)('%s: a notification %s is not believed', async (why, _name, body, signing, at) => {
    expect(await read(body, signedHeaders(body, at, signing))).toEqual({ ok: false, error: why });
  });

  test('a body that was changed after it was signed is not believed', async () => {
    const body = notificationOf('TRANSACTION.SUCCESS', transaction);
    expect(await read(`${body} `, signedHeaders(body, now))).toEqual({ ok: false, error: 'bad_signature' });
  });

  test('a part that was changed inside the encryption is not believed', async () => {
    const whole = JSON.parse(notificationOf('TRANSACTION.SUCCESS', transaction)) as {
      resource: { ciphertext: string };
    };
    const bytes = Buffer.from(whole.resource.ciphertext, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    whole.resource.ciphertext = bytes.toString('base64');
    const body = JSON.stringify(whole);
    expect(await read(body, signedHeaders(body, now))).toEqual({ ok: false, error: 'other_merchant' });
  });

  test('what WeChat Pay hears is 200 for a notification that was taken and an error for one that was not', () => {
    expect(channel.answerNotification(true)).toMatchObject({ status: 200 });
    expect(channel.answerNotification(false)).toMatchObject({ status: 400, body: expect.stringContaining('FAIL') });
  });

  describe('by platform certificates', () => {
    let certificate = '';
    const serial = '1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C';
    beforeAll(() => {
      const folder = mkdtempSync(join(tmpdir(), 'voltdeck-wechat-'));
      const key = join(folder, 'key.pem');
      writeFileSync(key, keyPairs.platform.privateKey.export({ type: 'pkcs8', format: 'pem' }));
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-new',
          '-key',
          key,
          '-subj',
          '/CN=WeChat Pay',
          '-days',
          '1',
          '-out',
          join(folder, 'cert.pem'),
        ],
        { stdio: 'ignore' },
      );
      certificate = readFileSync(join(folder, 'cert.pem'), 'utf8');
      rmSync(folder, { recursive: true });
    });
    const certificates = (key = apiV3Key) => ({
      data: [
        {
          serial_no: serial,
          effective_time: '2026-01-01T00:00:00+08:00',
          expire_time: '2031-01-01T00:00:00+08:00',
          encrypt_certificate: encrypt(certificate, key, 'certificate'),
        },
      ],
    });

    test('certificates are fetched once, decrypted, and believed where one of them signed them', async () => {
      pay.signing = { serial };
      answers(200, certificates());
      const own = make(false);
      const body = notificationOf('TRANSACTION.SUCCESS', transaction);
      for (let time = 0; time < 3; time += 1) {
        expect(await read(body, signedHeaders(body, now, { serial }), now, own)).toMatchObject({ ok: true });
      }
      expect(only()).toMatchObject({ path: '/v3/certificates', isSigned: true });
    });

    test('an unknown certificate is asked for once a minute, not for every notification', async () => {
      pay.signing = { serial };
      answers(200, certificates());
      const own = make(false);
      const body = notificationOf('TRANSACTION.SUCCESS', transaction);
      for (let time = 0; time < 3; time += 1) {
        const headers = signedHeaders(body, now, { serial: '00FF', key: keyPairs.stranger.privateKey });
        expect(await read(body, headers, now, own)).toEqual({ ok: false, error: 'unknown_serial' });
      }
      expect(pay.asked).toHaveLength(1);
    });

    test('certificates that cannot be fetched or decrypted leave a notification to be sent again', async () => {
      const own = make(false);
      const body = notificationOf('TRANSACTION.SUCCESS', transaction);
      answers(500, { code: 'SYSTEM_ERROR', message: '' });
      expect(await read(body, signedHeaders(body, now, { serial }), now, own)).toEqual({ ok: false, error: 'no_keys' });
      pay.signing = { serial };
      answers(200, certificates('another-key-of-exactly-32-chars!'));
      expect(await read(body, signedHeaders(body, now, { serial }), now, own)).toEqual({ ok: false, error: 'no_keys' });
    });
  });
});

describe('trade bills of WeChat Pay', () => {
  const head =
    '\uFEFF交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';
  const line = (cells: readonly string[]) => cells.map((cell) => `\`${cell}`).join(',');
  const payment = line([
    '2026-11-20 12:00:05',
    'wx',
    wechatSettings.mchId,
    '0',
    '',
    '4200',
    'C1',
    'openid',
    'NATIVE',
    'SUCCESS',
    'CMC',
    'CNY',
    '123.45',
    '0.00',
    '0',
    '0',
    '0.00',
    '0.00',
    '',
    '',
    'Charging, balance',
    '',
    '0.74000',
    '0.60%',
    '123.45',
    '0.00',
    '',
  ]);
  const refund = line([
    '2026-11-20 13:00:05',
    'wx',
    wechatSettings.mchId,
    '0',
    '',
    '4200',
    'C1',
    'openid',
    'NATIVE',
    'REFUND',
    'CMC',
    'CNY',
    '0.00',
    '0.00',
    '500',
    'F1',
    '4.00',
    '0.00',
    'ORIGINAL',
    'SUCCESS',
    'Charging balance',
    '',
    '-0.02000',
    '0.60%',
    '0.00',
    '4.00',
    '',
  ]);
  const sumsOf = (count: number, orders: string, refunds: string, fees: string) =>
    `总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n${line([String(count), orders, refunds, '0.00', fees, orders, refunds])}\r\n`;
  const sums = sumsOf(2, '123.45', '4.00', '0.72000');

  async function billOf(text: string, hash?: string) {
    const raw = Buffer.from(text);
    pay.answer = ({ path }) =>
      path.startsWith('/v3/bill/tradebill')
        ? {
            status: 200,
            body: {
              hash_type: 'SHA1',
              hash_value: hash ?? sha1(raw),
              download_url: `${baseUrl}/v3/billdownload/file?token=secret`,
            },
          }
        : { status: 200, raw };
    return channel.downloadBill('2026-11-20');
  }

  test('payments and refunds of a bill are read to the fen', async () => {
    expect(await billOf([head, payment, refund, sums].join('\r\n'))).toMatchObject({
      outcome: 'answered',
      answer: [
        {
          kind: 'payment',
          number: 'C1',
          thirdPartyNumber: '4200',
          amountFen: 12_345,
          feeFen: 74,
          at: parseIso('2026-11-20T04:00:05Z'),
        },
        { kind: 'refund', number: 'F1', thirdPartyNumber: '500', amountFen: -400, feeFen: -2 },
      ],
    });
    expect(pay.asked.map(({ isSigned }) => isSigned)).toEqual([true, true]);
  });

  test('a bill that is not what its hash says, or has a fraction of a fen, is not taken', async () => {
    expect(await billOf([head, payment, refund, sums].join('\r\n'), 'a'.repeat(40))).toMatchObject({
      outcome: 'unknown',
    });
    expect(await billOf([head, payment.replace('0.74000', '0.74300'), sums].join('\r\n'))).toMatchObject({
      outcome: 'unknown',
    });
    expect(await billOf('nothing,of,the,kind')).toMatchObject({ outcome: 'unknown' });
  });

  test('a day without a bill has none, and a bill elsewhere is not fetched', async () => {
    answers(400, { code: 'NO_STATEMENT_EXIST', message: '' });
    expect(await channel.downloadBill('2026-11-20')).toEqual({ outcome: 'answered', answer: null });
    answers(200, { hash_type: 'SHA1', hash_value: '', download_url: 'https://elsewhere.example/v3/billdownload/file' });
    pay.asked.length = 0;
    expect(await channel.downloadBill('2026-11-20')).toMatchObject({ outcome: 'unknown' });
    expect(pay.asked).toHaveLength(1);
  });

  test('a bill of another merchant, or whose lines do not make its sums, is not taken and says why', async () => {
    const faultOf = async (rows: readonly string[]) => {
      const asked = await billOf(rows.join('\r\n'));
      return asked.outcome === 'answered' && asked.answer !== null && 'fault' in asked.answer
        ? asked.answer.fault
        : asked;
    };
    expect(await faultOf([head, payment, sums])).toBe('1 lines, and 总交易单数 is 2');
    expect(await faultOf([head, payment, refund])).toBe('the sums are missing');
    const wrong = [
      sumsOf(2, '123.46', '4.00', '0.72'),
      sumsOf(2, '123.45', '4.01', '0.72'),
      sumsOf(2, '123.45', '4.00', '0.71'),
    ];
    expect(await Promise.all([faultOf([head, payment, refund, wrong[0] ?? ''])])).toEqual([
      'the lines make 123.45, and 订单总金额 is 123.46',
    ]);
    expect(await faultOf([head, payment, refund, wrong[1] ?? ''])).toBe(
      'the lines make 4.00, and 申请退款总金额 is 4.01',
    );
    expect(await faultOf([head, payment, refund, wrong[2] ?? ''])).toBe(
      'the lines make 0.72, and 手续费总金额 is 0.71',
    );
    expect(await faultOf([head, payment.replace(wechatSettings.mchId, '1900000999'), refund, sums])).toBe(
      'a line is of merchant 1900000999',
    );
  });

  test('a large bill leaves the process its turns while it is read', async () => {
    const count = 60_000;
    const rows = Array.from({ length: count }, () => payment);
    const raw = Buffer.from([head, ...rows, sumsOf(count, '7407000.00', '0.00', '44400.00')].join('\r\n'));
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 1);
    const bill = await readWechatBill(raw, wechatSettings.mchId);
    clearInterval(others);
    expect(bill).toHaveLength(count);
    expect(turns).toBeGreaterThan(10);
  });
});
