import { type Fen, fen, zeroFen } from '@voltdeck/units/money';
import { exactYuan } from '../exact-yuan.ts';
import type { BillLine } from '../payment-channel.ts';
import { parseShanghaiTime } from '../shanghai-time.ts';

/** The columns that are read, by the names in the first line. */
const columns = {
  at: '交易时间',
  thirdPartyNumber: '微信订单号',
  number: '商户订单号',
  state: '交易状态',
  orderAmount: '订单金额',
  refundThirdPartyNumber: '微信退款单号',
  refundNumber: '商户退款单号',
  refundAmount: '申请退款金额',
  fee: '手续费',
} as const;

/**
 * The lines of a trade bill of the kind ALL: a CSV whose cells begin with a back-tick, with two lines of sums at its end.
 * Null where it is not that, or where an amount is not whole fen.
 */
export function readWechatBill(raw: Buffer): BillLine[] | null {
  const [head = '', ...rest] = raw
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const names = head.split(',');
  if (Object.values(columns).some((name) => !names.includes(name))) return null;
  const lines: BillLine[] = [];
  for (const text of rest) {
    // The sums begin with a line of names.
    if (!text.startsWith('`')) break;
    const cells = text.slice(1).split(',`');
    if (cells.length !== names.length) return null;
    const line = lineOf(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
    if (line === null) return null;
    lines.push(line);
  }
  return lines;
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
