import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { dayMs, hourMs, type Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';

/** What a cell holds; the kind decides how Excel shows it. An absent value is an empty cell. */
export type Cell =
  | { text: string | null }
  | { number: number | null }
  /** Shown in yuan with two decimals. */
  | { fen: Fen | null }
  /** Shown as date and time in Asia/Shanghai. */
  | { at: Instant | null };

export type Column<Row> = { head: string; widthCharacters: number; cell(row: Row): Cell };

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Rows that are written without a pause: a millisecond or two. Other exports of the same thread go on between them. */
const rowsAtOnce = 50;
/** Excel's own limit of one cell. */
const cellTextMax = 32_767;

/** What one sheet may hold; what is more goes on in a further one. */
export type SheetLimits = {
  /** The heads of the columns count as one. Excel itself knows 1,048,576. */
  rowsMax: number;
  /** A file in an archive without ZIP64 has less than 4 GiB, and few programs open half of that. */
  bytesMax: number;
};
export const sheetLimits: SheetLimits = { rowsMax: 1_048_576, bytesMax: 1024 * 1024 * 1024 };

/**
 * An Excel workbook (ECMA-376), written while its rows arrive: memory holds one batch, however many there are. More rows
 * than a sheet can hold go on in further sheets, each with the heads. `batches` ends the file; an error in it breaks the
 * download off.
 */
export function xlsxStream<Row>(
  sheetName: string,
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  limits: SheetLimits = sheetLimits,
): Readable {
  return Readable.from(zip(parts(sheetName, columns, batches, limits)), { objectMode: false });
}

/** The sheets come first: only after the last row it is known how many there are. */
async function* parts<Row>(
  sheetName: string,
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  limits: SheetLimits,
): AsyncGenerator<Entry> {
  const rows = new RowSource(batches);
  let sheets = 0;
  try {
    do {
      sheets += 1;
      yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet(columns, rows, limits) };
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  yield { name: 'xl/styles.xml', content: once(styles) };
  yield { name: 'xl/workbook.xml', content: once(workbook(sheetName, sheets)) };
  yield { name: 'xl/_rels/workbook.xml.rels', content: once(workbookRelations(sheets)) };
  yield { name: '_rels/.rels', content: once(packageRelations) };
  yield { name: '[Content_Types].xml', content: once(contentTypes(sheets)) };
}

/** Rows in the pieces that sheets have room for. */
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

  /** What has come already, up to `max`; nothing before `hasMore` was asked. */
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
  columns: readonly Column<Row>[],
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

const style = { plain: 0, yuan: 1, time: 2, head: 3 } as const;

function cellXml(cell: Cell): string {
  if ('text' in cell) {
    if (cell.text === null || cell.text === '') return '<c/>';
    return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(cell.text.slice(0, cellTextMax))}</t></is></c>`;
  }
  if ('number' in cell) return cell.number === null ? '<c/>' : `<c><v>${cell.number}</v></c>`;
  if ('fen' in cell) return cell.fen === null ? '<c/>' : `<c s="${style.yuan}"><v>${cell.fen / 100}</v></c>`;
  return cell.at === null ? '<c/>' : `<c s="${style.time}"><v>${serialDay(cell.at)}</v></c>`;
}

/** Excel counts days from 1899-12-30, without a zone: the wall clock of Asia/Shanghai. */
function serialDay(at: Instant): number {
  return Number(((at + 8 * hourMs) / dayMs + 25_569).toFixed(8));
}

/** XML 1.0 allows no other control characters than tab and line ends, and no halves of a surrogate pair. */
function xmlText(text: string): string {
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

/** The styles have the number after the last sheet's. */
function workbookRelations(sheets: number): string {
  const relations = numbers(sheets).map(
    (sheet) =>
      `<Relationship Id="rId${sheet}" Type="${officeRelations}/worksheet" Target="worksheets/sheet${sheet}.xml"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageSchemas}/relationships">${relations.join('')}<Relationship Id="rId${sheets + 1}" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`;
}
const styles = `${declaration}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`;

function workbook(sheetName: string, sheets: number): string {
  const entries = numbers(sheets).map((sheet) => {
    // Excel refuses these in a sheet's name, and more than 31 characters.
    const ending = sheet === 1 ? '' : ` ${sheet}`;
    const name = `${sheetName.replaceAll(/[\\/*?:[\]]/g, ' ').slice(0, 31 - ending.length)}${ending}`;
    return `<sheet name="${xmlText(name).replaceAll('"', '&quot;')}" sheetId="${sheet}" r:id="rId${sheet}"/>`;
  });
  return `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelations}"><sheets>${entries.join('')}</sheets></workbook>`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

type Entry = { name: string; content: AsyncIterable<string> };

/** A ZIP archive (APPNOTE 6.3) whose sizes follow each file, since they are not known before. */
async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
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
  yield endOfDirectory(directory.length, listing.length, offset);
}

type Sums = { crc: number; size: number; packed: number };

/**
 * Each piece is a stretch of one stream that ends at a byte (RFC 1951, 3.2.4) and refers to none before. It is packed here
 * and now: the threads that Node packs in otherwise serve the whole process and stand back behind nobody.
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

/** Packed at once, in a millisecond or two. A list of orders is a twelfth larger than packed in one piece. */
const pieceCharacters = 256 * 1024;

const deflateMethod = 8;
/** Bit 3: sizes follow the data; bit 11: names are UTF-8. */
const flags = 0x0808;
/** 1980-01-01, the earliest that the format knows: the file's own time says nothing. */
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

function directoryEntry(name: string, start: number, { crc, size, packed }: Sums): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 4);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflateMethod, 10);
  entry.writeUInt16LE(dosDate, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(Buffer.byteLength(name), 28);
  entry.writeUInt32LE(start, 42);
  return Buffer.concat([entry, Buffer.from(name)]);
}

function endOfDirectory(entries: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
