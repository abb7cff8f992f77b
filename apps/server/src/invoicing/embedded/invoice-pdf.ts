import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inCapitals } from '@voltdeck/invoices/capitals';
import { invoiceForm as words } from '@voltdeck/phrases/zh-CN/invoice-form';
import { type Instant, shanghaiDate } from '@voltdeck/units/instant';
import { type Fen, formatYuan } from '@voltdeck/units/money';
import PDFDocument from 'pdfkit';
import { printFont } from '../../files/print-font.ts';
import type { InvoiceLine, IssueRequest } from '../invoice-provider.ts';

type Pdf = InstanceType<typeof PDFDocument>;

const mm = 72 / 25.4;
/** The size of a fully digital invoice. */
const page = { width: 210 * mm, height: 140 * mm } as const;
const ink = '#7a3b14';
const black = '#000000';
const red = '#c0392b';
const left = 10 * mm;
const width = page.width - 2 * left;

const heads = [
  words['invoice-form.head.item'],
  words['invoice-form.head.model'],
  words['invoice-form.head.unit'],
  words['invoice-form.head.quantity'],
  words['invoice-form.head.price'],
  words['invoice-form.head.net'],
  words['invoice-form.head.rate'],
  words['invoice-form.head.tax'],
];

function pair(key: keyof typeof words, text: string): string {
  return words['invoice-form.pair'].replace('{name}', words[key]).replace('{text}', () => text);
}

/** The columns of the lines, as parts of the width, and whether figures stand in them. */
const columns = [0.25, 0.08, 0.08, 0.12, 0.13, 0.14, 0.08, 0.12] as const;

/** An invoice of the embedded provider as PDF, which says on its face that it is none of the tax administration. */
export async function invoicePdf(
  request: IssueRequest,
  issued: { invoiceNumber: string; issuedAt: Instant },
): Promise<Buffer> {
  const font = await printFont();
  const pdf = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    // None of the standard fonts, which have no Chinese.
    font: null as unknown as string,
    lang: 'zh-CN',
    displayTitle: true,
    info: {
      Title: `${titleOf(request)} ${issued.invoiceNumber}`,
      Producer: 'Voltdeck',
      Creator: 'Voltdeck',
      CreationDate: new Date(issued.issuedAt),
    },
    autoFirstPage: false,
  });
  const written = buffer(pdf.pipe(new PassThrough()));
  pdf.registerFont('print', font as unknown as ArrayBuffer);
  pdf.font('print');
  pdf.addPage();
  draw(pdf, request, issued);
  pdf.end();
  return written;
}

function titleOf({ kind, type }: Pick<IssueRequest, 'kind' | 'type'>): string {
  return words[`invoice-form.${kind}.${type}`];
}

function draw(pdf: Pdf, request: IssueRequest, issued: { invoiceNumber: string; issuedAt: Instant }): void {
  write(pdf, titleOf(request), {
    x: left,
    y: 7 * mm,
    width,
    size: 16,
    align: 'center',
    colour: request.kind === 'red' ? red : ink,
  });
  write(pdf, words['invoice-form.test'], { x: left, y: 15 * mm, width, size: 8, align: 'center', colour: red });
  const facts = [
    pair('invoice-form.number', issued.invoiceNumber),
    pair('invoice-form.day', shanghaiDate(issued.issuedAt)),
  ];
  for (const [line, text] of facts.entries()) {
    write(pdf, text, { x: left + width * 0.66, y: (7 + line * 5) * mm, width: width * 0.34, size: 8, align: 'right' });
  }
  const top = 20 * mm;
  drawParties(pdf, request, top);
  const foot = drawLines(pdf, request, top + 26 * mm);
  drawFoot(pdf, request, foot);
}

function drawParties(pdf: Pdf, { buyer, seller }: IssueRequest, top: number): void {
  const half = width / 2;
  const height = 26 * mm;
  const parties = [
    { head: words['invoice-form.buyer'], x: left, ...buyer, contact: `${buyer.address} ${buyer.phone}` },
    { head: words['invoice-form.seller'], x: left + half, ...seller, contact: `${seller.address} ${seller.tel}` },
  ];
  for (const { head, x, name, taxNumber, contact, bank, bankAccount } of parties) {
    box(pdf, x, top, half, height);
    write(pdf, head, { x: x + 2 * mm, y: top + 1.5 * mm, width: half - 4 * mm, size: 8, colour: ink });
    const lines = [
      pair('invoice-form.name', name),
      pair('invoice-form.taxNumber', taxNumber),
      pair('invoice-form.contact', contact.trim()),
      pair('invoice-form.bank', `${bank} ${bankAccount}`.trim()),
    ];
    for (const [index, text] of lines.entries()) {
      write(pdf, text, {
        x: x + 2 * mm,
        y: top + (6.5 + index * 4.8) * mm,
        width: half - 4 * mm,
        size: 8,
      });
    }
  }
}

/** Answers where the lines end. */
function drawLines(pdf: Pdf, { lines, netFen, taxFen, amountFen }: IssueRequest, top: number): number {
  const height = 38 * mm;
  box(pdf, left, top, width, height);
  drawRow(pdf, heads, top + 1.5 * mm, ink);
  for (const [index, line] of lines.entries()) drawRow(pdf, cellsOf(line), top + (7.5 + index * 6) * mm, black);
  const sums = [words['invoice-form.sum'], '', '', '', '', `¥${formatYuan(netFen)}`, '', `¥${formatYuan(taxFen)}`];
  drawRow(pdf, sums, top + height - 6 * mm, black);
  const sumTop = top + height;
  box(pdf, left, sumTop, width, 8 * mm);
  write(pdf, words['invoice-form.capitals'], {
    x: left + 2 * mm,
    y: sumTop + 2.4 * mm,
    width: 40 * mm,
    size: 8,
    colour: ink,
  });
  write(pdf, inCapitals(amountFen), { x: left + 44 * mm, y: sumTop + 2.2 * mm, width: 92 * mm, size: 9 });
  write(pdf, words['invoice-form.figures'].replace('{amount}', formatYuan(amountFen)), {
    x: left + 136 * mm,
    y: sumTop + 2.2 * mm,
    width: width - 138 * mm,
    size: 9,
    align: 'right',
  });
  return sumTop + 8 * mm;
}

function cellsOf({ part, energyWh, netFen, taxFen, rateBp }: InvoiceLine): string[] {
  return [
    words[`invoice-form.item.${part}`],
    '',
    energyWh === 0 ? '' : words['invoice-form.unit'],
    energyWh === 0 ? '' : (energyWh / 1000).toFixed(3),
    energyWh === 0 ? '' : unitPrice(netFen, energyWh),
    formatYuan(netFen),
    `${rateBp % 100 === 0 ? rateBp / 100 : (rateBp / 100).toFixed(2)}%`,
    formatYuan(taxFen),
  ];
}

/** Yuan per kWh without tax, to eight places as tax software prints it. */
function unitPrice(netFen: Fen, energyWh: number): string {
  return ((netFen * 10) / energyWh).toFixed(8).replace('-', '');
}

function drawRow(pdf: Pdf, cells: readonly string[], y: number, colour: string): void {
  let x = left;
  for (const [index, share] of columns.entries()) {
    const cell = width * share;
    const align = index >= 3 ? 'right' : 'left';
    write(pdf, cells[index] ?? '', { x: x + 1.5 * mm, y, width: cell - 3 * mm, size: 7.5, align, colour });
    x += cell;
  }
}

function drawFoot(pdf: Pdf, request: IssueRequest, top: number): void {
  const height = 20 * mm;
  box(pdf, left, top, width, height);
  write(pdf, words['invoice-form.remark'], {
    x: left + 2 * mm,
    y: top + 1.5 * mm,
    width: 20 * mm,
    size: 8,
    colour: ink,
  });
  const { original, redReason, remark, number, seller } = request;
  const remarks = [
    pair('invoice-form.serial', number),
    ...(original === null ? [] : [pair('invoice-form.original', original.invoiceNumber ?? '')]),
    ...(request.takesPartOf === null ? [] : [words['invoice-form.part']]),
    ...(redReason === null ? [] : [pair('invoice-form.reason', redReason)]),
    ...(remark === '' ? [] : [remark.replaceAll(/\s+/g, ' ')]),
  ];
  for (const [index, text] of remarks.entries()) {
    write(pdf, text, { x: left + 22 * mm, y: top + (1.5 + index * 4.5) * mm, width: width - 26 * mm, size: 8 });
  }
  const people = [
    pair('invoice-form.payee', seller.payee),
    pair('invoice-form.checker', seller.checker),
    pair('invoice-form.drawer', seller.drawer),
  ];
  for (const [index, text] of people.entries()) {
    const x = left + (index * width) / people.length;
    write(pdf, text, { x: x + 2 * mm, y: top + height + 2 * mm, width: width / 3 - 4 * mm, size: 8 });
  }
}

function box(pdf: Pdf, x: number, y: number, boxWidth: number, height: number): void {
  pdf.lineWidth(0.6).rect(x, y, boxWidth, height).stroke(ink);
}

type Place = {
  x: number;
  y: number;
  width: number;
  size: number;
  align?: 'left' | 'right' | 'center';
  colour?: string;
};

/** One line, smaller where it would not fit, down to what can still be read; longer ones end in an ellipsis. */
function write(pdf: Pdf, text: string, { x, y, width: room, size, align = 'left', colour = black }: Place): void {
  if (text === '') return;
  const natural = pdf.fontSize(size).widthOfString(text);
  const fitted = Math.max(smallestPt, Math.min(size, (size * room) / natural));
  pdf
    .fontSize(fitted)
    .fillColor(colour)
    .text(text, x, y + (size - fitted) / 2, {
      width: room + 0.5,
      height: fitted * 1.5,
      align,
      lineBreak: true,
      ellipsis: true,
      features: [],
    });
}
const smallestPt = 4.5;
