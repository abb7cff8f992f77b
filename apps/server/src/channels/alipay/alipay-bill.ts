import { type Fen, fen } from '@voltdeck/units/money';
import yauzl from 'yauzl';
import { exactYuan } from '../exact-yuan.ts';
import type { BillLine } from '../payment-channel.ts';
import { parseShanghaiTime } from '../shanghai-time.ts';

/** Bounds of a bill inside its ZIP. */
export const alipayBillLimits = { files: 16, bytes: 256 * 1024 * 1024 } as const;

/** The columns that are read, without their "（元）". */
const columns = {
  thirdPartyNumber: '支付宝交易号',
  number: '商户订单号',
  type: '业务类型',
  title: '商品名称',
  at: '完成时间',
  amount: '订单金额',
  refundNumber: '退款批次号/请求号',
  fee: '服务费',
} as const;

/** Alipay writes its files and their names in GB 18030. */
const chinese = new TextDecoder('gb18030');

/** The lines of a trade bill: a ZIP with a CSV of details and one of sums. Null where it is not that. */
export async function readAlipayBill(zip: Buffer): Promise<BillLine[] | null> {
  const details = await detailsIn(zip);
  return details === null ? null : linesOf(chinese.decode(details));
}

function linesOf(text: string): BillLine[] | null {
  // Lines of comments begin with "#", one of them ends the table.
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '' && !row.startsWith('#'));
  const names = (rows.shift() ?? '').split(',').map((name) => name.trim().replace(/[（(]元[）)]$/, ''));
  if (Object.values(columns).some((name) => !names.includes(name))) return null;
  const titleIndex = names.indexOf(columns.title);
  const lines: BillLine[] = [];
  for (const row of rows) {
    const cells = row.split(',').map((cell) => cell.trim());
    // Nothing is quoted, and a title may hold commas.
    const surplus = cells.length - names.length;
    if (surplus < 0) return null;
    cells.splice(titleIndex, surplus + 1, cells.slice(titleIndex, titleIndex + surplus + 1).join(','));
    const line = lineOf(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
    if (line === null) return null;
    lines.push(line);
  }
  return lines;
}

function lineOf(cells: Readonly<Record<string, string>>): BillLine | null {
  const cell = (column: keyof typeof columns) => cells[columns[column]] ?? '';
  const amountFen = exactYuan(cell('amount'));
  const feeFen = exactYuan(cell('fee') === '' ? '0' : cell('fee'));
  if (amountFen === null || feeFen === null) return null;
  const common = { thirdPartyNumber: cell('thirdPartyNumber'), at: parseShanghaiTime(cell('at')), raw: cells };
  // Signs differ between kinds of bill: a payment brings money and costs a fee, a refund is the other way round.
  if (cell('type') === '退款') {
    return {
      kind: 'refund',
      number: cell('refundNumber'),
      amountFen: signed(amountFen, -1),
      feeFen: signed(feeFen, -1),
      ...common,
    };
  }
  const kind = cell('type') === '交易' ? 'payment' : 'other';
  return { kind, number: cell('number'), amountFen: signed(amountFen, 1), feeFen: signed(feeFen, 1), ...common };
}

function signed(amountFen: Fen, sign: 1 | -1): Fen {
  return amountFen === 0 ? amountFen : fen(sign * Math.abs(amountFen));
}

/** The file of details, by its name; null where there is none or it is too large. */
function detailsIn(zip: Buffer): Promise<Buffer | null> {
  return new Promise((resolve) => {
    yauzl.fromBuffer(zip, { lazyEntries: true, decodeStrings: false }, (error, archive) => {
      if (error !== null || archive === undefined || archive.entryCount > alipayBillLimits.files) return resolve(null);
      archive.on('error', () => resolve(null));
      archive.on('end', () => resolve(null));
      archive.on('entry', (entry: yauzl.Entry) => {
        const name = chinese.decode(entry.fileName as unknown as Buffer);
        if (!name.endsWith('.csv') || name.includes('汇总')) return archive.readEntry();
        if (entry.uncompressedSize > alipayBillLimits.bytes) return resolve(null);
        archive.openReadStream(entry, (failure, stream) => {
          if (failure !== null || stream === undefined) return resolve(null);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('error', () => resolve(null));
          stream.on('end', () => resolve(Buffer.concat(chunks)));
        });
      });
      archive.readEntry();
    });
  });
}
