import { type Fen, fen, formatYuan } from '@voltdeck/units/money';
import yauzl from 'yauzl';
import { billRows } from '../bill-rows.ts';
import { exactYuan } from '../exact-yuan.ts';
import type { BillFault, BillLine } from '../payment-channel.ts';
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

/** What the sums add up. */
const receivedColumn = '商家实收';
const commentsMax = 100;

/** Alipay writes its files and their names in GB 18030. */
const chinese = new TextDecoder('gb18030');

/**
 * The lines of a trade bill: a ZIP with a CSV of details and one of sums. Null where it is not that; a fault where it is
 * another seller's, or where its lines do not make the sums below them.
 */
export async function readAlipayBill(zip: Buffer, sellerId: string | null): Promise<BillLine[] | BillFault | null> {
  const details = await detailsIn(zip);
  return details === null ? null : linesOf(details, sellerId);
}

async function linesOf(details: Buffer, sellerId: string | null): Promise<BillLine[] | BillFault | null> {
  let names: string[] | null = null;
  const lines: BillLine[] = [];
  const comments: string[] = [];
  for await (const rows of billRows(details, 'gb18030')) {
    for (const row of rows) {
      if (row.trim() === '') continue;
      // Lines of comments begin with "#": the account above the table, the sums below it.
      if (row.startsWith('#')) {
        if (comments.length < commentsMax) comments.push(row);
        continue;
      }
      if (names === null) {
        names = row.split(',').map((name) => name.trim().replace(/[（(]元[）)]$/, ''));
        if (Object.values(columns).some((name) => !names?.includes(name))) return null;
        continue;
      }
      const line = lineOfRow(row, names);
      if (line === null) return null;
      lines.push(line);
    }
  }
  return names === null ? null : (faultOf(lines, comments.join('\n'), sellerId) ?? lines);
}

function lineOfRow(row: string, names: readonly string[]): BillLine | null {
  const titleIndex = names.indexOf(columns.title);
  const cells = row.split(',').map((cell) => cell.trim());
  // Nothing is quoted, and a title may hold commas.
  const surplus = cells.length - names.length;
  if (surplus < 0) return null;
  cells.splice(titleIndex, surplus + 1, cells.slice(titleIndex, titleIndex + surplus + 1).join(','));
  return lineOf(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

/** The account is the seller's number with "0156"; the sums count payments and refunds, with what the seller received. */
function faultOf(lines: readonly BillLine[], comments: string, sellerId: string | null): BillFault | null {
  const account = /^#账号[：:]\s*\[(\d+)\]/m.exec(comments)?.[1];
  if (sellerId !== null && account !== undefined && !account.startsWith(sellerId)) {
    return { fault: `it is of account ${account}` };
  }
  for (const [kind, name] of [
    ['payment', '交易合计'],
    ['refund', '退款合计'],
  ] as const) {
    const said = new RegExp(`^#${name}[：:](\\d+)笔.*?共(-?[\\d.]+)元`, 'm').exec(comments);
    if (said === null) continue;
    const own = lines.filter((line) => line.kind === kind);
    if (own.length !== Number(said[1])) return { fault: `${own.length} lines, and ${name} is ${said[1]}` };
    const receivedFen = own.map(({ raw }) => exactYuan(raw[receivedColumn] ?? ''));
    const sumFen = receivedFen.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    if (exactYuan(said[2] ?? '') !== sumFen) {
      return { fault: `the lines make ${formatYuan(fen(sumFen))}, and ${name} is ${said[2]}` };
    }
  }
  return null;
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
