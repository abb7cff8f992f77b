import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { dayMs, hourMs, type Instant, parseShanghaiDate } from '@voltdeck/units/instant';
import type { Cell, FileColumn } from './file-cells.ts';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Rows written without yielding to other exports of the thread: a millisecond or two. */
const rowsAtOnce = 50;
/** Excel's own limit of one cell. */
const cellTextMax = 32_767;

/** Limits of one sheet; the rest continues in another. */
export type SheetLimits = {
  /** The heads count as one row. Excel itself allows 1,048,576. */
  rowsMax: number;
  /** A file whose size fits its own ZIP header is under 4 GiB, and few programs open half of that. */
  bytesMax: number;
};
export const sheetLimits: SheetLimits = { rowsMax: 1_048_576, bytesMax: 1024 * 1024 * 1024 };

/**
 * An Excel workbook (ECMA-376), written as its rows arrive: memory holds one batch at a time. Rows beyond a sheet's
 * limit continue in further sheets, each with the heads. The file ends with `batches`; an error in it breaks the
 * download off.
 */
export function xlsxStream<Row>(
  sheetName: string,
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  limits: SheetLimits = sheetLimits,
): Readable {
  return Readable.from(zip(parts([{ sheetName, columns, batches }], limits)), { objectMode: false });
}

/** A table of a workbook of several; its name has no more than 31 characters and differs from the others. */
export type SheetTable<Row> = {
  sheetName: string;
  columns: readonly FileColumn<Row>[];
  batches: AsyncIterable<readonly Row[]>;
};

/** A workbook with a sheet for each table. */
export function xlsxOfTables(tables: readonly SheetTable<never>[]): Readable {
  return Readable.from(zip(parts(tables, sheetLimits)), { objectMode: false });
}

/** Sheets come first, because their number is only known after the last row. */
async function* parts<Row>(tables: readonly SheetTable<Row>[], limits: SheetLimits): AsyncGenerator<Entry> {
  const names: string[] = [];
  for (const { sheetName, columns, batches } of tables) {
    const rows = new RowSource(batches);
    let sheets = 0;
    try {
      do {
        sheets += 1;
        names.push(nameOfSheet(sheetName, sheets));
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheet(columns, rows, limits) };
      } while (await rows.hasMore());
    } finally {
      await rows.close();
    }
  }
  yield { name: 'xl/styles.xml', content: once(styles) };
  yield { name: 'xl/workbook.xml', content: once(workbook(names)) };
  yield { name: 'xl/_rels/workbook.xml.rels', content: once(workbookRelations(names.length)) };
  yield { name: '_rels/.rels', content: once(packageRelations) };
  yield { name: '[Content_Types].xml', content: once(contentTypes(names.length)) };
}

/** Rows in pieces that fit the sheets. */
class RowSource<Row> {
  readonly #batches: AsyncIterator<readonly Row[]>;
  #left: readonly Row[] = [];

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#left.length === 0) {
      const next = await this.#batches.next();
      if (next.done === true) return false;
      this.#left = next.value;
    }
    return true;
  }

  /** The rows that have arrived, up to `max`; none before `hasMore` was called. */
  take(max: number): readonly Row[] {
    const taken = this.#left.slice(0, max);
    this.#left = this.#left.slice(max);
    return taken;
  }

  async close(): Promise<void> {
    await this.#batches.return?.();
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* sheet<Row>(
  columns: readonly FileColumn<Row>[],
  rows: RowSource<Row>,
  { rowsMax, bytesMax }: SheetLimits,
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ widthCharacters }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widthCharacters}" customWidth="1"/>`,
  );
  const heads = columns.map(({ head }) => `<c s="${style.head}" t="inlineStr"><is><t>${xmlText(head)}</t></is></c>`);
  yield `${declaration}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData><row>${heads.join('')}</row>`;
  let room = rowsMax - 1;
  let bytes = 0;
  while (room > 0 && bytes < bytesMax && (await rows.hasMore())) {
    const taken = rows.take(Math.min(room, rowsAtOnce));
    room -= taken.length;
    const text = taken
      .map((row) => `<row>${columns.map((column) => cellXml(column.cell(row))).join('')}</row>`)
      .join('');
    bytes += Buffer.byteLength(text);
    yield text;
    await nextTurn();
  }
  yield '</sheetData></worksheet>';
}

const style = { plain: 0, yuan: 1, time: 2, head: 3, day: 4, duration: 5, exactTime: 6 } as const;

function cellXml(cell: Cell): string {
  if ('text' in cell) {
    if (cell.text === null || cell.text === '') return '<c/>';
    return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(cell.text.slice(0, cellTextMax))}</t></is></c>`;
  }
  if ('number' in cell) return cell.number === null ? '<c/>' : `<c><v>${cell.number}</v></c>`;
  if ('fen' in cell) return cell.fen === null ? '<c/>' : `<c s="${style.yuan}"><v>${cell.fen / 100}</v></c>`;
  if ('day' in cell) {
    const at = cell.day === null ? null : parseShanghaiDate(cell.day);
    return at === null ? '<c/>' : `<c s="${style.day}"><v>${serialDay(at)}</v></c>`;
  }
  if ('durationMs' in cell) {
    return cell.durationMs === null
      ? '<c/>'
      : `<c s="${style.duration}"><v>${Number((cell.durationMs / dayMs).toFixed(8))}</v></c>`;
  }
  if ('exactAt' in cell) {
    return cell.exactAt === null ? '<c/>' : `<c s="${style.exactTime}"><v>${serialDay(cell.exactAt)}</v></c>`;
  }
  return cell.at === null ? '<c/>' : `<c s="${style.time}"><v>${serialDay(cell.at)}</v></c>`;
}

/** Excel counts days from 1899-12-30, without a zone: the wall clock of Asia/Shanghai. */
function serialDay(at: Instant): number {
  return Number(((at + 8 * hourMs) / dayMs + 25_569).toFixed(10));
}

/** XML 1.0 allows no control characters but tab and line breaks, and no halves of a surrogate pair. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageSchemas = 'http://schemas.openxmlformats.org/package/2006';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function contentTypes(sheets: number): string {
  const overrides = numbers(sheets).map(
    (sheet) => `<Override PartName="/xl/worksheets/sheet${sheet}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  );
  return `${declaration}<Types xmlns="${packageSchemas}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>${overrides.join('')}<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`;
}
const packageRelations = `${declaration}<Relationships xmlns="${packageSchemas}/relationships"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** The styles' number follows the last sheet's. */
function workbookRelations(sheets: number): string {
  const relations = numbers(sheets).map(
    (sheet) =>
      `<Relationship Id="rId${sheet}" Type="${officeRelations}/worksheet" Target="worksheets/sheet${sheet}.xml"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageSchemas}/relationships">${relations.join('')}<Relationship Id="rId${sheets + 1}" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`;
}
const styles = `${declaration}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/><numFmt numFmtId="167" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="167" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;

/** The name of a table's first, second, … sheet. */
function nameOfSheet(table: string, sheet: number): string {
  // Excel refuses these in a sheet name, and more than 31 characters.
  const ending = sheet === 1 ? '' : ` ${sheet}`;
  return `${table.replaceAll(/[\\/*?:[\]]/g, ' ').slice(0, 31 - ending.length)}${ending}`;
}

function workbook(names: readonly string[]): string {
  const entries = names.map((name, index) => {
    const sheet = index + 1;
    return `<sheet name="${xmlText(name).replaceAll('"', '&quot;')}" sheetId="${sheet}" r:id="rId${sheet}"/>`;
  });
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelations}"><sheets>${entries.join('')}</sheets></workbook>`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

type Entry = { name: string; content: AsyncIterable<string> };

/** A ZIP archive (APPNOTE 6.3) whose sizes follow each file, since they are not known in advance. */
export async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const start = offset;
    const header = localHeader(name);
    offset += header.length;
    yield header;
    const sums = { crc: 0, size: 0, packed: 0 };
    for await (const chunk of deflated(content, sums)) {
      offset += chunk.length;
      yield chunk;
    }
    const descriptor = sizesAfterwards(sums);
    offset += descriptor.length;
    yield descriptor;
    directory.push(directoryEntry(name, start, sums));
  }
  const listing = Buffer.concat(directory);
  yield listing;
  yield endOfDirectory({ entries: directory.length, size: listing.length, start: offset });
}

type Sums = { crc: number; size: number; packed: number };

/**
 * Each piece is a stretch of one stream that ends at a byte (RFC 1951, 3.2.4) and refers to none before. It is
 * compressed on this thread, because Node's own compression threads serve the whole process without priorities.
 */
async function* deflated(content: AsyncIterable<string>, sums: Sums): AsyncGenerator<Buffer> {
  const pack = (text: string, finishFlush: number) => {
    const bytes = Buffer.from(text, 'utf8');
    sums.crc = crc32(bytes, sums.crc);
    sums.size += bytes.length;
    const packed = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED, finishFlush });
    sums.packed += packed.length;
    return packed;
  };
  let piece = '';
  for await (const text of content) {
    piece += text;
    if (piece.length < pieceCharacters) continue;
    yield pack(piece, constants.Z_SYNC_FLUSH);
    piece = '';
  }
  yield pack(piece, constants.Z_FINISH);
}

/** Compressed at once, in a millisecond or two. A list of orders gets a twelfth larger than in one piece. */
const pieceCharacters = 256 * 1024;

const deflateMethod = 8;
/** Bit 3: sizes follow the data; bit 11: names are UTF-8. */
const flags = 0x0808;
/** 1980-01-01, the format's earliest date, since the file's own time carries no meaning. */
const dosDate = 0x0021;

function localHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(deflateMethod, 8);
  header.writeUInt16LE(dosDate, 12);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

function sizesAfterwards({ crc, size, packed }: Sums): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packed, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

/** Numbers beyond 32 bits go into a ZIP64 record (APPNOTE 4.5.3). */
const max32 = 0xffff_ffff;

function directoryEntry(name: string, start: number, { crc, size, packed }: Sums): Buffer {
  const isFar = start >= max32;
  const far = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    far.writeUInt16LE(0x0001, 0);
    far.writeUInt16LE(8, 2);
    far.writeBigUInt64LE(BigInt(start), 4);
  }
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(isFar ? zip64Version : 20, 4);
  entry.writeUInt16LE(isFar ? zip64Version : 20, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflateMethod, 10);
  entry.writeUInt16LE(dosDate, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt16LE(far.length, 30);
  entry.writeUInt32LE(Math.min(start, max32), 42);
  return Buffer.concat([entry, Buffer.from(name), far]);
}

type Directory = { entries: number; size: number; start: number };

/** The end of the archive. A workbook has fewer than 65,535 files, and their directory never gets near 4 GiB. */
export function endOfDirectory({ entries, size, start }: Directory): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(Math.min(start, max32), 16);
  return start < max32 ? end : Buffer.concat([farEnd({ entries, size, start }), end]);
}

/** The same with 64 bits, and its position. */
function farEnd({ entries, size, start }: Directory): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

const zip64Version = 45;
