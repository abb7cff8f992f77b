import { sign } from 'node:crypto';
import { instant, minuteMs, parseIso, shanghaiDateTime } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallLog, ChannelCall } from '../call-log.ts';
import type { PaymentChannel } from '../payment-channel.ts';
import { createAlipayChannel } from './alipay-channel.ts';
import { openAlipayClient } from './alipay-client.ts';
import { alipaySettings, gb, keyPairs, notificationOf, signedText, TestAlipay, zipOf } from './test-alipay.ts';

const alipay = new TestAlipay();
const now = instant(Date.parse('2026-11-21T04:00:00Z'));
let baseUrl = '';
let channel: PaymentChannel;
let calls: ChannelCall[] = [];
const log: CallLog = async (_channel, call) => {
  calls.push(call);
};
const publicKey = keyPairs.alipay.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const make = (privateKey = keyPairs.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string) =>
  createAlipayChannel({
    settings: { ...alipaySettings, baseUrl },
    client: openAlipayClient({ appId: alipaySettings.appId, privateKey, keys: { mode: 'key', publicKey } }),
    calls: log,
    now: () => now,
  });

beforeAll(async () => {
  baseUrl = await alipay.open();
});
afterAll(() => alipay.close());
beforeEach(() => {
  alipay.asked.length = 0;
  calls = [];
  channel = make();
});

const order = {
  number: 'C20261121000000000001',
  amountFen: fen(12_340),
  title: 'Charging balance',
  expiresAt: instant(now + 15 * minuteMs),
  notifyUrl: 'https://charge.example/api/channels/alipay/notifications',
  pageUrl: '',
};
const good = { code: '10000', msg: 'Success' };
/** alipay.trade.query, as documented. */
const trade = {
  ...good,
  trade_no: '2026112122001401234567890123',
  out_trade_no: order.number,
  buyer_logon_id: '159****5620',
  trade_status: 'TRADE_SUCCESS',
  total_amount: '123.40',
  buyer_pay_amount: '120.00',
  send_pay_date: '2026-11-21 12:00:05',
  buyer_user_id: '2088101117955611',
};
const paid = {
  state: 'paid',
  thirdPartyNumber: trade.trade_no,
  paidFen: 12_340,
  paidAt: parseIso('2026-11-21T04:00:05Z'),
  payer: '2088101117955611',
};
const answers = (fields: object) => {
  alipay.answer = () => ({ fields });
};
const refusal = (sub_code: string, code = '40004') => ({
  code,
  msg: 'Business Failed',
  sub_code,
  sub_msg: `because ${sub_code}`,
});
const only = () => {
  expect(alipay.asked).toHaveLength(1);
  const [asked] = alipay.asked;
  if (asked === undefined) throw new Error('nobody asked');
  return asked;
};

describe('payments through Alipay', () => {
  test('a code is asked for by a signed precreate in yuan with two decimals and the time of China', async () => {
    answers({ ...good, out_trade_no: order.number, qr_code: 'https://qr.alipay.com/bavh4wjlxf12tper3a' });
    expect(await channel.createPayment(order)).toEqual({
      outcome: 'answered',
      answer: { codeUrl: 'https://qr.alipay.com/bavh4wjlxf12tper3a' },
    });
    const { method, content, fields, isSigned } = only();
    expect({ method, content, isSigned }).toEqual({
      method: 'alipay.trade.precreate',
      isSigned: true,
      content: {
        out_trade_no: order.number,
        total_amount: '123.40',
        subject: 'Charging balance',
        time_expire: '2026-11-21 12:15:00',
      },
    });
    expect(fields).toMatchObject({ notify_url: order.notifyUrl, timestamp: '2026-11-21 12:00:00', charset: 'utf-8' });
    expect(calls).toMatchObject([{ kind: 'create_payment', number: order.number, status: 200, outcome: 'answered' }]);
  });

  test('keys are taken with and without their lines of PEM, in both forms', async () => {
    answers(trade);
    const { privateKey } = keyPairs.merchant;
    for (const type of ['pkcs1', 'pkcs8'] as const) {
      const bare = privateKey.export({ type, format: 'der' }).toString('base64');
      for (const key of [privateKey.export({ type, format: 'pem' }) as string, bare]) {
        alipay.asked.length = 0;
        expect(await make(key).queryPayment(order.number)).toMatchObject({ outcome: 'answered' });
        expect(only().isSigned).toBe(true);
      }
    }
  });

  test.each([
    ['TRADE_SUCCESS', '2026-11-21 12:00:05', paid],
    ['TRADE_FINISHED', '2026-11-21 12:00:05', paid],
    ['WAIT_BUYER_PAY', undefined, { state: 'paying' }],
    ['TRADE_CLOSED', undefined, { state: 'closed' }],
    // Refunded in full since.
    ['TRADE_CLOSED', '2026-11-21 12:00:05', paid],
  ])('the trade status %s with the payment time %s is %j', async (trade_status, send_pay_date, answer) => {
    answers({ ...trade, trade_status, send_pay_date });
    expect(await channel.queryPayment(order.number)).toEqual({ outcome: 'answered', answer });
  });

  test.each([
    ['of another order', { out_trade_no: 'C2' }],
    ['with a fraction of a fen', { total_amount: '123.405' }],
    ['with an amount in words', { total_amount: '1.2e3' }],
    ['without the time of payment', { send_pay_date: undefined }],
  ])('an answer %s says nothing', async (_name, changed) => {
    answers({ ...trade, ...changed });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });

  test('a trade that nobody has opened yet is absent', async () => {
    answers(refusal('ACQ.TRADE_NOT_EXIST'));
    expect(await channel.queryPayment(order.number)).toEqual({ outcome: 'answered', answer: { state: 'absent' } });
  });

  test.each([
    [{ ...good, trade_no: trade.trade_no }, 'closed'],
    [refusal('ACQ.TRADE_NOT_EXIST'), 'absent'],
    [refusal('ACQ.TRADE_STATUS_ERROR'), 'paid'],
  ])('closing that is answered by %j means %s', async (fields, answer) => {
    answers(fields);
    expect(await channel.closePayment(order.number)).toEqual({ outcome: 'answered', answer });
  });
});

describe('answers that are not believed, and outcomes that nobody knows', () => {
  test.each([
    ['signed by a stranger', keyPairs.stranger.privateKey],
    ['that is not signed', null],
  ])('a success %s leaves the outcome unknown', async (_name, by) => {
    alipay.answer = () => ({ fields: trade, by });
    expect(await channel.queryPayment(order.number)).toMatchObject({
      outcome: 'unknown',
      because: expect.stringContaining('not believed'),
    });
  });

  test('a refusal that is signed by a stranger is no refusal', async () => {
    alipay.answer = () => ({ fields: refusal('ACQ.TRADE_NOT_EXIST'), by: keyPairs.stranger.privateKey });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['20000', 'isp.unknow-error'],
    ['40004', 'ACQ.SYSTEM_ERROR'],
  ])('%s %s is no refusal, because the call may have been carried out', async (code, subCode) => {
    answers(refusal(subCode, code));
    expect(await channel.createPayment(order)).toMatchObject({ outcome: 'unknown' });
  });

  test('a refusal is quoted with its code', async () => {
    answers(refusal('ACQ.ACCESS_FORBIDDEN'));
    expect(await channel.createPayment(order)).toEqual({
      outcome: 'refused',
      refusal: { code: 'ACQ.ACCESS_FORBIDDEN', text: 'because ACQ.ACCESS_FORBIDDEN' },
    });
  });

  test('no answer within the limit is unknown, and is written down', async () => {
    alipay.answer = () => 'nothing';
    expect(await channel.createPayment(order)).toMatchObject({ outcome: 'unknown' });
    expect(calls).toMatchObject([{ kind: 'create_payment', status: null, outcome: 'unknown' }]);
  });

  test('a status other than 200 is unknown', async () => {
    alipay.answer = () => ({ fields: trade, status: 502 });
    expect(await channel.queryPayment(order.number)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('refunds and transfers', () => {
  const asked = {
    number: 'F1',
    paymentNumber: order.number,
    amountFen: fen(400),
    totalFen: fen(12_340),
    reason: 'broken',
    notifyUrl: '',
  };

  test('a refund that moved money is done, and one that moved none is asked about', async () => {
    answers({ ...good, trade_no: '1', out_trade_no: order.number, fund_change: 'Y', refund_fee: '4.00' });
    expect(await channel.refund(asked)).toEqual({
      outcome: 'answered',
      answer: { state: 'done', thirdPartyNumber: '1', amountFen: null },
    });
    expect(only()).toMatchObject({
      method: 'alipay.trade.refund',
      isSigned: true,
      content: { out_trade_no: order.number, out_request_no: 'F1', refund_amount: '4.00' },
    });
    answers({ ...good, trade_no: '1', out_trade_no: order.number, fund_change: 'N', refund_fee: '4.00' });
    expect(await channel.refund(asked)).toMatchObject({ answer: { state: 'processing' } });
  });

  test('a refund is done where Alipay says so, and absent where it says nothing', async () => {
    answers({ ...good, trade_no: '1', out_request_no: 'F1', refund_status: 'REFUND_SUCCESS', refund_amount: '4.00' });
    expect(await channel.queryRefund('F1', order.number)).toEqual({
      outcome: 'answered',
      answer: { state: 'done', thirdPartyNumber: '1', amountFen: 400 },
    });
    answers(good);
    expect(await channel.queryRefund('F1', order.number)).toEqual({ outcome: 'answered', answer: { state: 'absent' } });
  });

  test.each([
    ['SUCCESS', 'done'],
    ['DEALING', 'processing'],
    ['FAIL', 'failed'],
  ])('a transfer with the status %s is %s', async (status, state) => {
    answers({ ...good, out_biz_no: 'O1', order_id: '9', status, error_code: 'PAYEE_NOT_EXIST' });
    const payout = {
      number: 'O1',
      payee: '2088101117955611',
      payeeName: 'Somebody',
      amountFen: fen(700),
      remark: 'Withdrawal',
      notifyUrl: '',
    };
    expect(await channel.payout(payout)).toMatchObject({ outcome: 'answered', answer: { state } });
    expect(only()).toMatchObject({
      method: 'alipay.fund.trans.uni.transfer',
      content: {
        out_biz_no: 'O1',
        trans_amount: '7.00',
        product_code: 'TRANS_ACCOUNT_NO_PWD',
        biz_scene: 'DIRECT_TRANSFER',
        payee_info: { identity: '2088101117955611', identity_type: 'ALIPAY_USER_ID', name: 'Somebody' },
      },
    });
    expect(await channel.queryPayout('O1')).toMatchObject({ outcome: 'answered', answer: { state } });
  });
});

describe('notifications of Alipay', () => {
  const fields = {
    notify_time: shanghaiDateTime(now),
    notify_type: 'trade_status_sync',
    notify_id: '2026112100222120005081001234567890',
    app_id: alipaySettings.appId,
    seller_id: alipaySettings.sellerId ?? '',
    charset: 'utf-8',
    version: '1.0',
    trade_no: trade.trade_no,
    out_trade_no: order.number,
    trade_status: 'TRADE_SUCCESS',
    total_amount: '123.40',
    buyer_id: '2088101117955611',
    gmt_payment: '2026-11-21 12:00:05',
    subject: 'Charging & more = 100% +',
  };
  const read = (body: string) => channel.readNotification({}, body, now);

  test('a payment is read, whatever signs its texts hold', async () => {
    expect(await read(notificationOf(fields))).toMatchObject({
      ok: true,
      value: { nonce: fields.notify_id, about: { kind: 'payment', number: order.number, found: paid } },
    });
  });

  test('a refund is read by its own number', async () => {
    const refund = { ...fields, gmt_refund: '2026-11-21 13:00:05.123', refund_fee: '4.00', out_biz_no: 'F1' };
    expect(await read(notificationOf(refund))).toMatchObject({
      ok: true,
      value: { about: { kind: 'refund', number: 'F1', found: { state: 'done', amountFen: null } } },
    });
  });

  const sha1 = () => {
    const text = signedText(fields, ['sign', 'sign_type']);
    const signature = sign('RSA-SHA1', Buffer.from(text), keyPairs.alipay.privateKey).toString('base64');
    return new URLSearchParams({ ...fields, sign_type: 'RSA', sign: signature }).toString();
  };
  test.each([
    ['bad_signature', 'of a stranger', () => notificationOf(fields, keyPairs.stranger.privateKey)],
    ['bad_signature', 'with another amount', () => notificationOf(fields).replace('123.40', '923.40')],
    ['bad_signature', 'signed with SHA-1', sha1],
    ['bad_signature', 'without a signature', () => new URLSearchParams(fields).toString()],
    [
      'stale',
      'of six minutes ago',
      () => notificationOf({ ...fields, notify_time: shanghaiDateTime(instant(now - 6 * minuteMs)) }),
    ],
    ['other_merchant', 'for another app', () => notificationOf({ ...fields, app_id: '2021000000000000' })],
    ['other_merchant', 'for another seller', () => notificationOf({ ...fields, seller_id: '2088000000000000' })],
    ['unreadable', 'with a fraction of a fen', () => notificationOf({ ...fields, total_amount: '123.405' })],
    ['unreadable', 'with a field given twice', () => `${notificationOf(fields)}&total_amount=1.00`],
    ['unreadable', 'that is no form', () => '{"json":true}'],
  ])('%s: a notification %s is not believed', async (why, _name, body) => {
    expect(await read(body())).toEqual({ ok: false, error: why });
  });

  test('what Alipay hears is the word success, or failure', () => {
    expect(channel.answerNotification(true)).toEqual({ status: 200, contentType: 'text/plain', body: 'success' });
    expect(channel.answerNotification(false)).toMatchObject({ body: 'failure' });
  });
});

describe('trade bills of Alipay', () => {
  const head =
    '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';
  const payment =
    '2026\t,C1\t,交易,Charging, balance,2026-11-20 12:00:00,2026-11-20 12:00:05,,,,,*a@b,123.40,123.40,0.00,0.00,0.00,0.00,0.00,,0.00,0.00,,-0.74,0.00,';
  const refund =
    '2026\t,C1\t,退款,Charging balance,2026-11-20 12:00:00,2026-11-20 13:00:05,,,,,*a@b,-4.00,-4.00,0.00,0.00,0.00,0.00,0.00,,0.00,0.00,F1,0.02,0.00,';

  async function billOf(rows: readonly string[], { account = '', sums = [] as readonly string[] } = {}) {
    const details = gb(['#支付宝业务明细', `#账号：[${account}]`, head, ...rows, '#合计', ...sums, ''].join('\r\n'));
    const zip = zipOf([
      [gb('20261120业务明细(汇总).csv'), gb('#合计')],
      [gb('20261120业务明细.csv'), details],
    ]);
    alipay.answer = ({ method }) =>
      method === ''
        ? { raw: zip }
        : { fields: { ...good, bill_download_url: `${new URL(baseUrl).origin}/bill?token=secret` } };
    return channel.downloadBill('2026-11-20');
  }

  test('payments and refunds of a bill are read to the fen, with commas in their titles', async () => {
    expect(await billOf([payment, refund])).toMatchObject({
      outcome: 'answered',
      answer: [
        {
          kind: 'payment',
          number: 'C1',
          thirdPartyNumber: '2026',
          amountFen: 12_340,
          feeFen: 74,
          at: parseIso('2026-11-20T04:00:05Z'),
        },
        { kind: 'refund', number: 'F1', amountFen: -400, feeFen: -2 },
      ],
    });
    expect(calls.map(({ kind, request }) => [kind, JSON.stringify(request).includes('secret')])).toEqual([
      ['find_bill', false],
      ['download_bill', false],
    ]);
  });

  test('a bill with a fraction of a fen, and bytes that are no bill, are not taken', async () => {
    expect(await billOf([payment.replace('-0.74', '-0.745')])).toMatchObject({ outcome: 'unknown' });
    alipay.answer = ({ method }) =>
      method === ''
        ? { raw: Buffer.from('no bill') }
        : { fields: { ...good, bill_download_url: `${new URL(baseUrl).origin}/bill` } };
    expect(await channel.downloadBill('2026-11-20')).toMatchObject({ outcome: 'unknown' });
  });

  test('a bill of another seller, or whose lines do not make its sums, is not taken and says why', async () => {
    const account = `${alipaySettings.sellerId}0156`;
    const sums = ['#交易合计：1笔，商家实收共123.40元，商家优惠共0.00元', '#退款合计：1笔，商家实收退款共-4.00元'];
    expect(await billOf([payment, refund], { account, sums })).toMatchObject({ answer: [{ kind: 'payment' }, {}] });
    expect(await billOf([payment, refund], { account: '20880000000000000156', sums })).toEqual({
      outcome: 'answered',
      answer: { fault: 'it is of account 20880000000000000156' },
    });
    expect(await billOf([payment], { account, sums })).toMatchObject({
      answer: { fault: '0 lines, and 退款合计 is 1' },
    });
    expect(await billOf([payment, refund.replace('-4.00,-4.00', '-4.00,-3.99')], { account, sums })).toMatchObject({
      answer: { fault: 'the lines make -3.99, and 退款合计 is -4.00' },
    });
  });

  test('a day without a bill has none, and a bill elsewhere is not fetched', async () => {
    answers(refusal('isp.bill_not_exist'));
    expect(await channel.downloadBill('2026-11-20')).toEqual({ outcome: 'answered', answer: null });
    alipay.asked.length = 0;
    answers({ ...good, bill_download_url: 'https://alipay.com.elsewhere.example/bill' });
    expect(await channel.downloadBill('2026-11-20')).toMatchObject({ outcome: 'unknown' });
    expect(alipay.asked).toHaveLength(1);
  });
});
