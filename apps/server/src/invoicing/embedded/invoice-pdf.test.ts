import { wattHours } from '@voltdeck/units/energy';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { expect, test } from 'vitest';
import type { IssueRequest } from '../invoice-provider.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { readInvoice } from './test-invoice-pdf.ts';

const blue: IssueRequest = {
  requestNumber: '26112800000000000101',
  kind: 'blue',
  type: 'ordinary',
  number: 'I20261128000000000001',
  seller: {
    name: '杭州伏特充电有限公司',
    taxNumber: '91330106673959654P',
    address: '浙江省杭州市西湖区文三路1号',
    tel: '0571-88888888',
    bank: '中国银行杭州西湖支行',
    bankAccount: '3301 0000 1111 2222',
    drawer: '王五',
    checker: '赵六',
    payee: '钱七',
    electricityTaxCode: '',
    serviceTaxCode: '',
    terminal: '',
  },
  buyer: {
    titleKind: 'company',
    name: '厦门某某科技股份有限公司第一分公司',
    taxNumber: '91350100M000100Y43',
    address: '福建省厦门市思明区软件园二期观日路一号楼八层东侧八〇一至八一二单元',
    phone: '0592-5555555',
    bank: '招商银行厦门分行营业部',
    bankAccount: '5921 0000 9999 8888',
    email: 'tax@example.com',
  },
  lines: [
    {
      part: 'electricity',
      energyWh: wattHours(123_456),
      grossFen: fen(90_450),
      netFen: fen(80_044),
      taxFen: fen(10_406),
      rateBp: 1300,
    },
    {
      part: 'service',
      energyWh: wattHours(123_456),
      grossFen: fen(30_000),
      netFen: fen(28_302),
      taxFen: fen(1_698),
      rateBp: 600,
    },
  ],
  amountFen: fen(120_450),
  netFen: fen(108_346),
  taxFen: fen(12_104),
  remark: '十一月份充电，共八笔订单',
  original: null,
  takesPartOf: null,
  redReason: null,
};
const issued = { invoiceNumber: 'TEST2611280000000001', issuedAt: instant(Date.UTC(2026, 10, 28, 3)) };

/** Ink outside a frame of white around the page would be cut off by a printer. */
function inkedEdge({ data, width, height }: { data: Uint8Array; width: number; height: number }, marginPx: number) {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (x >= marginPx && x < width - marginPx && y >= marginPx && y < height - marginPx) continue;
      const at = (y * width + x) * 4;
      if ((data[at] ?? 255) < 200 && (data[at + 3] ?? 0) > 50) return { x, y };
    }
  }
  return null;
}

test('a PDF reader finds seller, buyer, both lines and every amount of an invoice, on one page', async () => {
  const pdf = await invoicePdf(blue, issued);
  const { pages, text, pixels } = await readInvoice(pdf);
  expect(pages).toBe(1);
  for (const said of [
    '电子发票（普通发票）',
    '非税务发票',
    '发票号码：TEST2611280000000001',
    '开票日期：2026-11-28',
    `名称：${blue.buyer.name}`,
    `统一社会信用代码/纳税人识别号：${blue.buyer.taxNumber}`,
    blue.buyer.address,
    `名称：${blue.seller.name}`,
    blue.seller.taxNumber,
    '3301 0000 1111 2222',
    '*供电*充电电费',
    '*现代服务*充电服务费',
    '123.456',
    '800.44',
    '13%',
    '104.06',
    '283.02',
    '6%',
    '16.98',
    '¥1083.46',
    '¥121.04',
    '壹仟贰佰零肆圆伍角整',
    '¥1204.50',
    '十一月份充电，共八笔订单',
    `发票流水号：${blue.number}`,
    '开票人：王五',
    '复核：赵六',
    '收款人：钱七',
  ]) {
    expect(text).toContain(said);
  }
  expect(inkedEdge(pixels, 8)).toBeNull();
});

test('its fonts are embedded, so that it looks the same where no Chinese font is', async () => {
  const pdf = await invoicePdf(blue, issued);
  const raw = pdf.toString('latin1');
  expect(raw).toContain('/FontFile2');
  expect(raw.match(/\/Type \/Font\b/g)?.length).toBe(raw.match(/\/Subtype \/(?:Type0|CIDFontType2)/g)?.length);
  expect(pdf.length).toBeLessThan(200_000);
});

test('one request gives the same document byte for byte, however often it is drawn', async () => {
  const [one, two] = [await invoicePdf(blue, issued), await invoicePdf(blue, issued)];
  expect(one.equals(two)).toBe(true);
});

test('a red letter says what it takes back, why, and its amounts below zero', async () => {
  const negative = (amount: number) => fen(0 - amount);
  const red: IssueRequest = {
    ...blue,
    kind: 'red',
    type: 'special',
    lines: blue.lines.map((line) => ({
      ...line,
      energyWh: wattHours(0 - line.energyWh),
      grossFen: negative(line.grossFen),
      netFen: negative(line.netFen),
      taxFen: negative(line.taxFen),
    })),
    amountFen: negative(blue.amountFen),
    netFen: negative(blue.netFen),
    taxFen: negative(blue.taxFen),
    original: { requestNumber: 'x', serial: null, code: null, invoiceNumber: 'TEST2611270000000009', issuedAt: null },
    redReason: '订单已退款',
  };
  const { text } = await readInvoice(await invoicePdf(red, issued));
  for (const said of [
    '红字电子发票（增值税专用发票）',
    '被红冲蓝字发票号码：TEST2611270000000009',
    '红冲原因：订单已退款',
    '（负数）壹仟贰佰零肆圆伍角整',
    '-123.456',
    '-800.44',
    '¥-1204.50',
  ]) {
    expect(text).toContain(said);
  }
});

test('a red letter over a part says so, and has amounts without a quantity', async () => {
  const part: IssueRequest = {
    ...blue,
    kind: 'red',
    lines: [
      {
        part: 'electricity',
        energyWh: wattHours(0),
        grossFen: fen(-180),
        netFen: fen(-159),
        taxFen: fen(-21),
        rateBp: 1300,
      },
    ],
    amountFen: fen(-180),
    netFen: fen(-159),
    taxFen: fen(-21),
    original: { requestNumber: 'x', serial: null, code: null, invoiceNumber: 'TEST2611270000000009', issuedAt: null },
    takesPartOf: ['electricity', 'service'],
    redReason: '部分退款',
  };
  const { text, pixels } = await readInvoice(await invoicePdf(part, issued));
  for (const said of ['部分红冲', '被红冲蓝字发票号码：TEST2611270000000009', '-1.59', '-0.21', '¥-1.80']) {
    expect(text).toContain(said);
  }
  expect(text).not.toContain('千瓦时');
  expect(text).not.toContain('0.000');
  expect(inkedEdge(pixels, 8)).toBeNull();
});
