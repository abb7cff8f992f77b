import { wattHours } from '@voltdeck/units/energy';
import { instant, minuteMs } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InvoiceCall } from '../call-log.ts';
import type { InvoiceProvider, IssuedName, IssueRequest } from '../invoice-provider.ts';
import { maskCall } from '../mask-call.ts';
import { signOf } from './nuonuo-client.ts';
import { createNuonuoProvider } from './nuonuo-provider.ts';
import { interfaceOf, nuonuoKeys, startTestNuonuo, type TestNuonuo } from './test-nuonuo.ts';

const started = instant(Date.UTC(2026, 10, 28, 4));
const issuedAtMs = Date.UTC(2026, 10, 28, 3);
const clock = { now: started };

const blue: IssueRequest = {
  requestNumber: '26112800000000000101',
  kind: 'blue',
  type: 'special',
  number: 'I20261128000000000001',
  seller: {
    name: 'Lakeside Charging Ltd',
    taxNumber: '91330106673959654P',
    address: '1 Lake Road',
    tel: '0571-88888888',
    bank: 'Bank of China',
    bankAccount: '3301',
    drawer: 'Wang',
    checker: 'Zhao',
    payee: 'Qian',
    electricityTaxCode: '1100101020200000000',
    serviceTaxCode: '3040802990000000000',
    terminal: '923',
  },
  buyer: {
    titleKind: 'company',
    name: 'Some Technology Ltd',
    taxNumber: '91350100M000100Y43',
    address: '2 Bay Road',
    phone: '0592-5555555',
    bank: 'CMB',
    bankAccount: '5921',
    email: 'tax@example.com',
  },
  lines: [
    {
      part: 'electricity',
      energyWh: wattHours(20_000),
      grossFen: fen(1400),
      netFen: fen(1239),
      taxFen: fen(161),
      rateBp: 1300,
    },
    {
      part: 'service',
      energyWh: wattHours(20_000),
      grossFen: fen(800),
      netFen: fen(755),
      taxFen: fen(45),
      rateBp: 600,
    },
  ],
  amountFen: fen(2200),
  netFen: fen(1994),
  taxFen: fen(206),
  remark: 'November',
  original: null,
  takesPartOf: null,
  redReason: null,
};
const red: IssueRequest = {
  ...blue,
  requestNumber: '26112800000000000201',
  kind: 'red',
  amountFen: fen(-2200),
  original: {
    requestNumber: blue.requestNumber,
    serial: '20160108165823395151',
    code: null,
    invoiceNumber: '26332000000123456789',
    issuedAt: started,
  },
  redReason: 'An order was refunded',
};
const named: IssuedName = {
  requestNumber: blue.requestNumber,
  serial: '20160108165823395151',
  code: null,
  invoiceNumber: '26332000000123456789',
  issuedAt: started,
};

const accepted = { code: 'E0000', describe: '开票提交成功', result: { invoiceSerialNum: '20160108165823395151' } };
const found = (given: object) => ({
  code: 'E0000',
  result: [{ orderNo: blue.requestNumber, serialNo: '20160108165823395151', ...given }],
});
const issued = found({
  status: '2',
  statusMsg: '开票完成（最终状态）',
  allElectronicInvoiceNumber: '26332000000123456789',
  invoiceNo: '26332000000123456789',
  invoiceTime: issuedAtMs,
  orderAmount: '22.00',
});

let nuonuo: TestNuonuo;
let provider: InvoiceProvider;
let calls: InvoiceCall[] = [];
beforeEach(async () => {
  clock.now = started;
  calls = [];
  nuonuo = await startTestNuonuo();
  provider = createNuonuoProvider(nuonuo.settings, {
    now: () => clock.now,
    note: async (_provider, call) => void calls.push(call),
  });
});
afterEach(() => nuonuo.close());

const asked = () => nuonuo.requests.map(({ method }) => interfaceOf(method));

test('the signature is that of the documentation: HMAC-SHA1 over path, query and body, in Base64', () => {
  const query = { appkey: 'SD1', senid: 'a'.repeat(32), nonce: '12345678', timestamp: '1700000000' };
  expect(signOf('secret', query, '{"orderNos":["1"]}')).toBe('yNeRYDI7nHL40s/VKDzBV0u0N/Q=');
});

describe('issuing', () => {
  test('an order carries buyer, seller and both lines with their own rates, tax included', async () => {
    nuonuo.answers = { requestBillingNew: [accepted] };
    expect(await provider.issue(blue)).toEqual({ outcome: 'pending' });
    const [{ taxNumber, content } = { taxNumber: '', content: {} }] = nuonuo.requests;
    expect(taxNumber).toBe(blue.seller.taxNumber);
    expect(content).toMatchObject({
      order: {
        orderNo: blue.requestNumber,
        invoiceDate: '2026-11-28 12:00:00',
        invoiceType: '1',
        invoiceLine: 'bs',
        pushMode: '-1',
        buyerName: 'Some Technology Ltd',
        buyerTaxNum: '91350100M000100Y43',
        buyerAccount: 'CMB 5921',
        salerTaxNum: '91330106673959654P',
        clerk: 'Wang',
        extensionNumber: '923',
        invoiceDetail: [
          {
            goodsCode: '1100101020200000000',
            withTaxFlag: '1',
            num: '20.000',
            price: '0.70000000',
            taxRate: '0.13',
            taxIncludedAmount: '14.00',
            taxExcludedAmount: '12.39',
            tax: '1.61',
          },
          { goodsCode: '3040802990000000000', taxRate: '0.06', taxIncludedAmount: '8.00', tax: '0.45' },
        ],
      },
    });
  });

  test.each([
    ['20', {}, { outcome: 'pending' }],
    ['21', { invoiceNo: '1' }, { outcome: 'signing', invoiceNumber: '1' }],
    ['22', { failCause: '购方税号有误' }, { outcome: 'refused', text: '购方税号有误' }],
    ['22', { failCause: '开票员未登录电子税务局' }, { outcome: 'needs_person_step', text: '开票员未登录电子税务局' }],
    ['22', { failCause: '请完成实人认证' }, { outcome: 'needs_person_step', text: '请完成实人认证' }],
    ['24', { failCause: '签章失败' }, { outcome: 'signing_refused', text: '签章失败', invoiceNumber: null }],
    ['31', {}, { outcome: 'voiding' }],
    ['3', {}, { outcome: 'voided' }],
    ['77', {}, { outcome: 'unknown', detail: 'status 77' }],
  ])('status %s with %j means %j', async (status, more, state) => {
    nuonuo.answers = { queryInvoiceResult: [found({ status, ...more })] };
    expect(await provider.query(blue, named)).toEqual(state);
  });

  test('an issued invoice has its number of twenty digits, its serial and its time', async () => {
    nuonuo.answers = { queryInvoiceResult: [issued] };
    expect(await provider.query(blue, named)).toEqual({
      outcome: 'issued',
      serial: '20160108165823395151',
      code: null,
      invoiceNumber: '26332000000123456789',
      issuedAt: issuedAtMs,
    });
    expect(nuonuo.requests[0]?.content).toEqual({ orderNos: [blue.requestNumber] });
  });

  test('one that was issued over another amount is not believed', async () => {
    nuonuo.answers = { queryInvoiceResult: [found({ status: '2', invoiceNo: '1', orderAmount: '2.20' })] };
    expect(await provider.query(blue, named)).toMatchObject({ outcome: 'unknown', doubt: 'other_amount' });
  });

  test('the row of another order is not this invoice, and one without a name is where it is the only one', async () => {
    const row = { status: '2', invoiceNo: '7', orderAmount: '22.00', invoiceTime: issuedAtMs };
    const others = (...rows: object[]) => ({ code: 'E0000', result: rows.map((each) => ({ ...row, ...each })) });
    nuonuo.answers = {
      queryInvoiceResult: [
        others({ orderNo: '99999999999999999999' }),
        others({ orderNo: '99999999999999999999' }, { orderNo: blue.requestNumber, invoiceNo: '8' }),
        others({}),
        others({}, {}),
      ],
    };
    expect(await provider.query(blue, named)).toEqual({ outcome: 'absent' });
    expect(await provider.query(blue, named)).toMatchObject({ outcome: 'issued', invoiceNumber: '8' });
    expect(await provider.query(blue, named)).toMatchObject({ outcome: 'issued', invoiceNumber: '7' });
    expect(await provider.query(blue, named)).toEqual({ outcome: 'absent' });
  });

  test.each([undefined, null, 1_790_000_000, 1e20, -5])(
    'a time of issue that cannot be is taken as now: %s',
    async (time) => {
      nuonuo.answers = {
        queryInvoiceResult: [found({ status: '2', invoiceNo: '1', orderAmount: '22', invoiceTime: time })],
      };
      expect(await provider.query(blue, named)).toMatchObject({ outcome: 'issued', issuedAt: clock.now });
    },
  );

  test('a request that nobody knows is absent, and one that is refused is refused with its code', async () => {
    nuonuo.answers = {
      queryInvoiceResult: [
        { code: 'E9500', describe: '未查询到发票信息' },
        { code: 'E0000', result: [] },
      ],
      requestBillingNew: [{ code: 'E9105', describe: '商品编码有误' }],
    };
    expect(await provider.query(blue, named)).toEqual({ outcome: 'absent' });
    expect(await provider.query(blue, named)).toEqual({ outcome: 'absent' });
    expect(await provider.issue(blue)).toEqual({ outcome: 'refused', text: 'E9105 商品编码有误' });
  });

  test('a number that Nuonuo has already is asked about, never issued again', async () => {
    nuonuo.answers = {
      requestBillingNew: [{ code: 'E9106', describe: '订单编号或流水号不能重复' }],
      queryInvoiceResult: [issued],
    };
    expect(await provider.issue(blue)).toMatchObject({ outcome: 'issued' });
    expect(asked()).toEqual(['requestBillingNew', 'queryInvoiceResult']);
  });

  test('a refusal counts for nothing while an earlier request, whose answer was lost, is being issued', async () => {
    nuonuo.answers = {
      requestBillingNew: [{ code: 'E9999', describe: '开票频率超限' }],
      queryInvoiceResult: [found({ status: '20' })],
    };
    expect(await provider.issue(blue)).toEqual({ outcome: 'pending' });
  });

  test('one that waited for a person is taken up again under its number', async () => {
    nuonuo.answers = {
      requestBillingNew: [{ code: 'E9106', describe: '订单编号或流水号不能重复' }],
      queryInvoiceResult: [found({ status: '22', failCause: '请开票员扫码登录' })],
      reInvoice: [{ code: 'E0000' }],
    };
    expect(await provider.issue(blue)).toEqual({ outcome: 'pending' });
    expect(nuonuo.requests.at(-1)?.content).toEqual({ orderno: blue.requestNumber });
  });
});

describe('what may have been carried out is unknown', () => {
  test.each(['hang up', 'html', 'gateway'] as const)('when Nuonuo answers with %s', async (fault) => {
    nuonuo.fault = fault;
    expect(await provider.issue(blue)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.void(blue, named)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.deliver(blue, named)).toMatchObject({ outcome: 'unknown' });
    expect(await provider.query(red, named)).toMatchObject({ outcome: 'unknown' });
  });

  test('when nothing listens', async () => {
    await nuonuo.close();
    expect(await provider.issue(blue)).toMatchObject({ outcome: 'unknown' });
    nuonuo = await startTestNuonuo();
  });
});

test('a token is asked for once a day, and anew after the gateway has refused it', async () => {
  nuonuo.answers = { queryInvoiceResult: [issued] };
  await provider.query(blue, named);
  await provider.query(blue, named);
  expect(nuonuo.tokens).toBe(1);
  clock.now = instant(started + 24 * 60 * minuteMs);
  await provider.query(blue, named);
  expect(nuonuo.tokens).toBe(2);
  nuonuo.fault = 'gateway';
  await provider.query(blue, named);
  nuonuo.fault = 'none';
  expect(await provider.query(blue, named)).toMatchObject({ outcome: 'issued' });
  expect(nuonuo.tokens).toBe(3);
});

test('voiding, signing again and sending name the invoice as Nuonuo does', async () => {
  nuonuo.answers = {
    invoiceCancellation: [
      { code: 'E0000', result: { invoiceId: '1' } },
      { code: 'E9300', describe: '数电票不支持作废' },
    ],
    queryInvoiceResult: [issued, found({ status: '31' })],
    reInvoice: [{ code: 'E0000' }],
    deliveryInvoice: [{ code: 'E0000' }, { code: 'E9400', describe: '邮箱格式有误' }],
  };
  expect(await provider.void(blue, named)).toEqual({ outcome: 'voiding' });
  expect(await provider.void(blue, named)).toEqual({ outcome: 'refused', text: 'E9300 数电票不支持作废' });
  // One whose first answer was lost is on its way already.
  expect(await provider.void(blue, named)).toEqual({ outcome: 'voiding' });
  expect(await provider.signAgain(blue, named)).toEqual({ outcome: 'pending' });
  expect(await provider.deliver(blue, named)).toEqual({ outcome: 'sent' });
  expect(await provider.deliver(blue, named)).toEqual({ outcome: 'refused', text: 'E9400 邮箱格式有误' });
  expect(nuonuo.requests[0]?.content).toEqual({
    invoiceId: '20160108165823395151',
    invoiceCode: '',
    invoiceNo: '26332000000123456789',
  });
  expect(nuonuo.requests.find(({ method }) => method.endsWith('deliveryInvoice'))?.content).toMatchObject({
    taxnum: blue.seller.taxNumber,
    mail: 'tax@example.com',
  });
});

describe('red letters', () => {
  const form = (given: object) => ({ code: 'E0000', result: { total: 1, list: [{ billStatus: '01', ...given }] } });

  test('one begins as a confirmation form under its own number', async () => {
    nuonuo.answers = { saveInvoiceRedConfirm: [{ code: 'E0000', result: red.requestNumber }] };
    expect(await provider.issue(red)).toEqual({ outcome: 'pending' });
    expect(nuonuo.requests[0]?.content).toMatchObject({
      billId: red.requestNumber,
      blueInvoiceLine: 'bs',
      applySource: '0',
      blueElecInvoiceNumber: '26332000000123456789',
      sellerTaxNo: blue.seller.taxNumber,
      buyerName: blue.buyer.name,
    });
  });

  test('it is issued when the form has the number of the red letter, and waits for whoever has to confirm it', async () => {
    nuonuo.answers = {
      queryInvoiceRedConfirm: [
        { code: 'E0000', result: { total: 0, list: [] } },
        form({ billStatus: '15' }),
        form({ billStatus: '02' }),
        form({ billStatus: '04', redInvoiceNumber: '26332000000999999999', invoiceSerialNum: '77' }),
        form({ billStatus: '05', billMessage: '购方已否认' }),
      ],
    };
    expect(await provider.query(red, named)).toEqual({ outcome: 'absent' });
    expect(await provider.query(red, named)).toEqual({ outcome: 'pending' });
    expect(await provider.query(red, named)).toMatchObject({ outcome: 'needs_person_step' });
    expect(await provider.query(red, named)).toMatchObject({
      outcome: 'issued',
      invoiceNumber: '26332000000999999999',
      serial: '77',
    });
    expect(await provider.query(red, named)).toEqual({ outcome: 'refused', text: '购方已否认' });
  });

  test('the form of another red letter, or over another invoice, is not this one', async () => {
    const done = { billStatus: '04', redInvoiceNumber: '26332000000999999999', invoiceSerialNum: '77' };
    const blueElecInvoiceNumber = red.original?.invoiceNumber;
    nuonuo.answers = {
      queryInvoiceRedConfirm: [
        form({ ...done, billId: 'SOMEBODY-ELSE' }),
        form({ ...done, billId: red.requestNumber, blueElecInvoiceNumber: '26332000000000000001' }),
        form({ ...done, billId: red.requestNumber, blueElecInvoiceNumber }),
      ],
    };
    expect(await provider.query(red, named)).toEqual({ outcome: 'absent' });
    expect(await provider.query(red, named)).toMatchObject({ outcome: 'unknown', doubt: 'bad_number' });
    expect(await provider.query(red, named)).toMatchObject({ outcome: 'issued', serial: '77' });
  });
});

test('the document is fetched from the address that Nuonuo gives, and only a PDF counts', async () => {
  nuonuo.answers = {
    queryInvoiceResult: [found({ status: '2', invoiceNo: '1', pdfUrl: `${nuonuo.url}/document.pdf` })],
  };
  expect((await provider.document(blue, named))?.toString()).toContain('%PDF-');
  nuonuo.answers = { queryInvoiceResult: [found({ status: '2', pdfUrl: `${nuonuo.url}/page.html` })] };
  expect(await provider.document(blue, named)).toBeNull();
  nuonuo.answers = { queryInvoiceResult: [found({ status: '2', pdfUrl: 'file:///etc/passwd' })] };
  expect(await provider.document(blue, named)).toBeNull();
});

test('what a seller lacks for Nuonuo is named before anything is asked', () => {
  expect(provider.lacks(blue.seller)).toEqual([]);
  expect(provider.lacks({ ...blue.seller, drawer: '', serviceTaxCode: '' })).toEqual(['drawer', 'serviceTaxCode']);
});

test('a red letter over a part names the lines that it takes back, with amounts and no quantity', async () => {
  nuonuo.answers = { saveInvoiceRedConfirm: [{ code: 'E0000', result: red.requestNumber }] };
  const lines = blue.lines.slice(1).map((line) => ({
    ...line,
    energyWh: wattHours(0),
    grossFen: fen(-120),
    netFen: fen(-113),
    taxFen: fen(-7),
  }));
  const part = { ...red, lines, amountFen: fen(-120), takesPartOf: ['electricity', 'service'] } as const;
  expect(await provider.issue(part)).toEqual({ outcome: 'pending' });
  expect(nuonuo.requests.at(-1)?.content).toMatchObject({
    billId: red.requestNumber,
    redReason: '4',
    detail: [
      {
        blueDetailIndex: '2',
        goodsCode: blue.seller.serviceTaxCode,
        taxRate: '0.06',
        taxExcludedAmount: '-1.13',
        taxAmount: '-0.07',
      },
    ],
  });
  await provider.issue(red);
  expect(nuonuo.requests.at(-1)?.content).not.toHaveProperty('detail');
});

describe('the log of calls', () => {
  test('has every call with its kind, number, request id, outcome and time', async () => {
    nuonuo.answers = {
      requestBillingNew: [accepted],
      queryInvoiceResult: [found({ status: '2', pdfUrl: `${nuonuo.url}/document.pdf` })],
      saveInvoiceRedConfirm: [{ code: 'E9999', describe: 'no' }],
      queryInvoiceRedConfirm: [{ code: 'E0000', result: { list: [] } }],
    };
    await provider.issue(blue);
    await provider.document(blue, named);
    await provider.issue(red);
    nuonuo.fault = 'hang up';
    await provider.query(blue, named);
    expect(calls.map(({ kind, number, outcome, status }) => [kind, number, outcome, status])).toEqual([
      ['token', null, 'answered', 200],
      ['issue', blue.requestNumber, 'answered', 200],
      ['query', blue.requestNumber, 'answered', 200],
      ['document', blue.requestNumber, 'answered', 200],
      ['red_letter', red.requestNumber, 'refused', 200],
      ['query_red_letter', red.requestNumber, 'answered', 200],
      ['query', blue.requestNumber, 'unknown', null],
    ]);
    expect(calls[1]?.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(calls[4]?.problem).toBe('E9999 no');
    expect(calls.every(({ at, tookMs }) => at === started && tookMs >= 0)).toBe(true);
  });

  test('holds no key, token or address of a document, and masks who buys and who draws', async () => {
    nuonuo.answers = {
      requestBillingNew: [accepted],
      queryInvoiceResult: [found({ status: '2', pdfUrl: `${nuonuo.url}/document.pdf` })],
      deliveryInvoice: [{ code: 'E0000', describe: '13800138000 tax@example.com' }],
    };
    await provider.issue(blue);
    await provider.document(blue, named);
    await provider.deliver(blue, named);
    const kept = JSON.stringify(calls.map(({ request, response }) => maskCall({ request, response })));
    const { buyer, seller } = blue;
    const hidden = [buyer.name, buyer.taxNumber, buyer.address, buyer.email, buyer.phone, seller.drawer, '13800138000'];
    for (const secret of [nuonuoKeys.appSecret, nuonuoKeys.appKey, 'token-1', '/document.pdf', ...hidden]) {
      expect(kept).not.toContain(secret);
    }
    for (const open of ['requestBillingNew', blue.requestNumber, seller.taxNumber, '14.00', 'E0000']) {
      expect(kept).toContain(open);
    }
  });
});
