import { PassThrough, type Readable } from 'node:stream';
import type { Language } from '@voltdeck/contract/languages';
import { type Instant, shanghaiDateTime } from '@voltdeck/units/instant';
import PDFDocument from 'pdfkit';
import { printFont } from '../files/print-font.ts';
import { say } from './say.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

export const mm = 72 / 25.4;
/** A4, upright. */
const page = { width: 210 * mm, height: 297 * mm } as const;
const left = 16 * mm;
export const width = page.width - 2 * left;
const top = 16 * mm;
const bottom = page.height - 18 * mm;
export const rowHeight = 6 * mm;
const ink = '#1f2a44';
const quiet = '#5b6478';
const rule = '#c8cfdf';
const black = '#000000';

/** Who made a document, and when. */
export type Made = { at: Instant; by: string };

/** Opens a document for tables of money, with the printed font and its first page, and what it is read from. */
export async function openPdf(
  title: string,
  { at }: Made,
  language: Language,
): Promise<{ pdf: Pdf; written: Readable }> {
  const font = await printFont();
  const pdf = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    // None of the standard fonts, which have no Chinese.
    font: null as unknown as string,
    lang: language,
    displayTitle: true,
    bufferPages: true,
    info: { Title: title, Producer: 'Voltdeck', Creator: 'Voltdeck', CreationDate: new Date(at) },
    autoFirstPage: false,
  });
  const written = pdf.pipe(new PassThrough());
  pdf.registerFont('print', font as unknown as ArrayBuffer);
  pdf.font('print');
  pdf.addPage();
  return { pdf, written };
}

/** The title, facts in two columns with who made it when, and a note. Answers where the rest begins. */
export function drawHead(
  pdf: Pdf,
  { title, facts, note }: { title: string; facts: readonly (readonly [head: string, text: string])[]; note: string },
  made: Made,
  language: Language,
): number {
  write(pdf, title, { x: left, y: top, width, size: 18, colour: ink });
  const all = [
    ...facts,
    [say(language, 'statement-pdf.madeAt'), shanghaiDateTime(made.at)],
    [say(language, 'statement-pdf.madeBy'), made.by],
  ] as const;
  for (const [index, [head, text]] of all.entries()) {
    const x = left + (index % 2) * (width / 2);
    const y = top + (12 + Math.floor(index / 2) * 6) * mm;
    write(pdf, head, { x, y, width: 26 * mm, size: 9, colour: quiet });
    write(pdf, text, { x: x + 27 * mm, y, width: width / 2 - 29 * mm, size: 9 });
  }
  const y = top + (14 + Math.ceil(all.length / 2) * 6) * mm;
  write(pdf, note, { x: left, y, width, size: 8, colour: quiet });
  return y + 7 * mm;
}

export type PrintedLine = { title: string; value: string; isSum: boolean };

/** Lines with their value at the right, one below the other. Answers where the rest begins. */
export function drawLines(pdf: Pdf, lines: readonly PrintedLine[], y: number): number {
  for (const [index, { title, value, isSum }] of lines.entries()) {
    const at = y + index * rowHeight;
    if (isSum) line(pdf, at - 1 * mm);
    write(pdf, title, { x: left, y: at, width: width * 0.6, size: isSum ? 11 : 10 });
    write(pdf, value, { x: left + width * 0.6, y: at, width: width * 0.4, size: isSum ? 11 : 10, align: 'right' });
  }
  return y + lines.length * rowHeight;
}

/** One line of text. Answers where the rest begins. */
export function drawText(pdf: Pdf, text: string, y: number): number {
  write(pdf, text, { x: left, y, width, size: 10 });
  return y + rowHeight;
}

export type PrintedTable = {
  title: string;
  /** Shares of the width, which add up to one. Figures stand at the right. */
  columns: readonly { head: string; share: number; isText?: boolean }[];
  rows: readonly (readonly string[])[];
  /** The last row is their sum. */
  hasSum: boolean;
};

/** A table, which goes on over pages under its heads. Answers where the rest begins. */
export function drawTable(pdf: Pdf, { title, columns, rows, hasSum }: PrintedTable, y: number): number {
  const heads = columns.map(({ head }) => head);
  const begins = y + 4 * rowHeight > bottom ? top : y;
  if (begins === top) pdf.addPage();
  write(pdf, title, { x: left, y: begins, width, size: 12, colour: ink });
  const drawHeads = (at: number) => {
    drawCells(pdf, columns, heads, at, quiet);
    line(pdf, at + rowHeight - 1 * mm);
    return at + rowHeight;
  };
  let place = drawHeads(begins + 8 * mm);
  for (const [index, cells] of rows.entries()) {
    if (place + rowHeight > bottom) {
      pdf.addPage();
      place = drawHeads(top);
    }
    if (hasSum && index === rows.length - 1) line(pdf, place - 1 * mm);
    drawCells(pdf, columns, cells, place, black);
    place += rowHeight;
  }
  return place;
}

function drawCells(
  pdf: Pdf,
  columns: PrintedTable['columns'],
  cells: readonly string[],
  y: number,
  colour: string,
): void {
  let x = left;
  for (const [index, { share, isText = false }] of columns.entries()) {
    const room = width * share;
    const align = isText ? 'left' : 'right';
    write(pdf, cells[index] ?? '', { x: x + 0.5 * mm, y, width: room - 1 * mm, size: 8, align, colour });
    x += room;
  }
}

/** The title and the number of each page, once all are drawn. */
export function drawFeet(pdf: Pdf, title: string, language: Language): void {
  const { count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(index);
    write(pdf, title, { x: left, y: page.height - 12 * mm, width: width / 2, size: 8, colour: quiet });
    write(pdf, say(language, 'statement-pdf.page', { page: index + 1, pages: count }), {
      x: left + width / 2,
      y: page.height - 12 * mm,
      width: width / 2,
      size: 8,
      align: 'right',
      colour: quiet,
    });
  }
}

function line(pdf: Pdf, y: number): void {
  pdf
    .lineWidth(0.5)
    .moveTo(left, y)
    .lineTo(left + width, y)
    .stroke(rule);
}

type Place = {
  x: number;
  y: number;
  width: number;
  size: number;
  align?: 'left' | 'right';
  colour?: string;
};

/** One line, smaller where it would not fit; longer ones end in an ellipsis. */
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
const smallestPt = 5;
