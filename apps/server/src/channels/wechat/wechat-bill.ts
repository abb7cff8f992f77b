import { type Fen, fen, formatYuan, zeroFen } from '@voltdeck/units/money';
import { billRows } from '../bill-rows.ts';
import { exactYuan } from '../exact-yuan.ts';
import type { BillFault, BillLine } from '../payment-channel.ts';
import { parseShanghaiTime } from '../shanghai-time.ts';

/** The columns that are read, by the names in the first line. */
const columns = {
  at: '交易时间',
  mchId: '商户号',
  thirdPartyNumber: '微信订单号',
  number: '商户订单号',
  state: '交易状态',
  orderAmount: '订单金额',
  refundThirdPartyNumber: '微信退款单号',
  refundNumber: '商户退款单号',
  refundAmount: '申请退款金额',
  fee: '手续费',
} as const;

/** The names of the sums that are compared, above their line. */
const sumNames = {
  count: '总交易单数',
  orders: '订单总金额',
  refunds: '申请退款总金额',
  fees: '手续费总金额',
} as const;

/**
 * The lines of a trade bill of the kind ALL: a CSV whose cells begin with a back-tick, with two lines of sums at its end.
 * Null where it is not that, or where an amount is not whole fen; a fault where it is another merchant's, or where its
 * lines do not make its sums.
 */
export async function readWechatBill(raw: Buffer, mchId: string): Promise<BillLine[] | BillFault | null> {
  let names: string[] | null = null;
  let sumsAre: string[] | null = null;
  let sums: string[] | null = null;
  const lines: BillLine[] = [];
  for await (const rows of billRows(raw, 'utf-8')) {
    for (const text of rows) {
      if (text === '') continue;
      if (names === null) {
        names = text.replace(/^\uFEFF/, '').split(',');
        if (Object.values(columns).some((name) => !names?.includes(name))) return null;
      } else if (!text.startsWith('`')) {
        // The sums begin with a line of names.
        sumsAre = text.split(',');
      } else if (sumsAre !== null) {
        sums = cellsOf(text);
      } else {
        const cells = cellsOf(text);
        if (cells.length !== names.length) return null;
        const named = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
        if (named[columns.mchId]?.trim() !== mchId) return { fault: `a line is of merchant ${named[columns.mchId]}` };
        const line = lineOf(named);
        if (line === null) return null;
        lines.push(line);
      }
    }
  }
  if (names === null) return null;
  if (sumsAre === null || sums === null) return { fault: 'the sums are missing' };
  return faultOf(lines, new Map(sumsAre.map((name, index) => [name.trim(), sums?.[index] ?? '']))) ?? lines;
}

const cellsOf = (text: string) => text.slice(1).split(',`');

function faultOf(lines: readonly BillLine[], sums: ReadonlyMap<string, string>): BillFault | null {
  if (Number(sums.get(sumNames.count)) !== lines.length) {
    return { fault: `${lines.length} lines, and ${sumNames.count} is ${sums.get(sumNames.count) ?? 'missing'}` };
  }
  for (const [name, column] of [
    [sumNames.orders, columns.orderAmount],
    [sumNames.refunds, columns.refundAmount],
    [sumNames.fees, columns.fee],
  ] as const) {
    const fenSum = lines.reduce((sum, { raw }) => sum + (exactYuan((raw[column] ?? '').trim()) ?? 0), 0);
    const said = sums.get(name);
    // Older bills have fewer sums.
    if (said !== undefined && exactYuan(said) !== fenSum) {
      return { fault: `the lines make ${formatYuan(fen(fenSum))}, and ${name} is ${said}` };
    }
  }
  return null;
}

function lineOf(cells: Readonly<Record<string, string>>): BillLine | null {
  const cell = (column: keyof typeof columns) => (cells[columns[column]] ?? '').trim();
  const feeFen = exactYuan(cell('fee'));
  const isRefund = cell('state') === 'REFUND';
  const amountFen = exactYuan(cell(isRefund ? 'refundAmount' : 'orderAmount'));
  if (feeFen === null || amountFen === null) return null;
  const common = { feeFen, at: parseShanghaiTime(cell('at')), raw: cells };
  if (isRefund) {
    const number = cell('refundNumber');
    const thirdPartyNumber = cell('refundThirdPartyNumber');
    return { kind: 'refund', number, thirdPartyNumber, amountFen: negative(amountFen), ...common };
  }
  const kind = cell('state') === 'SUCCESS' ? 'payment' : 'other';
  return { kind, number: cell('number'), thirdPartyNumber: cell('thirdPartyNumber'), amountFen, ...common };
}

function negative(amountFen: Fen): Fen {
  return amountFen === 0 ? zeroFen : fen(0 - amountFen);
}
