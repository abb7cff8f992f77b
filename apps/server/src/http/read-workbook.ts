import type { Readable } from 'node:stream';
import { failed, ok, type Result } from '@voltdeck/units/result';
import sax from 'sax';
import yauzl from 'yauzl';
import { type Area, areaOf, columnOf, isOverlapping, spread } from './merged-cells.ts';

/** Limits of a workbook from outside. */
export type WorkbookLimits = {
  /** Rows with something in them, the heads included. */
  rowsMax: number;
  columnsMax: number;
  /** Characters of one cell; the rest is cut off. */
  cellTextMax: number;
  /** Characters of all cells that are kept, merged ones included: what the rows come to when they are written out. */
  charactersMax: number;
  /** All parts that are read, unpacked. */
  unpackedBytesMax: number;
};

export type WorkbookFault =
  /** No workbook in the format of Excel 2007 and later. */
  | 'not_a_workbook'
  /** Damaged, encrypted or with parts that no workbook has. */
  | 'unreadable'
  | 'too_many_rows'
  | 'too_large_inside';

/** `isRounded`: a number beyond the fifteen digits that Excel keeps. */
export type ReadCell = { text: string; isRounded: boolean };
/**
 * Columns count from 0; an absent cell is empty. `line` is the row's number in the sheet, and grows from row to row.
 */
export type ReadRow = { line: number; cells: ReadonlyMap<number, ReadCell> };

class Broken extends Error {
  readonly fault: WorkbookFault;
  constructor(fault: WorkbookFault) {
    super(fault);
    this.fault = fault;
  }
}

/** A workbook has some dozens of parts. */
const partsMax = 2_000;

/**
 * The rows of the first visible sheet, as texts: numbers in full, dates as "2027-12-31", formulas by their last value,
 * merged cells with the value of the first in each. The first row has all its cells, the others those under a head that
 * `isWanted`. Nothing in the file is trusted: neither its sizes nor its XML.
 */
export async function readWorkbook(
  file: Buffer,
  limits: WorkbookLimits,
  isWanted: (head: string) => boolean,
): Promise<Result<readonly ReadRow[], WorkbookFault>> {
  // "PK": every archive begins with it, and no other format that people rename.
  if (file.length < 4 || file.readUInt32LE(0) !== 0x04034b50) return failed('not_a_workbook');
  let parts: Parts | null = null;
  try {
    parts = await openParts(file, limits.unpackedBytesMax);
    const book = await readBook(parts);
    const styles = await readStyles(parts);
    const texts = await readSharedTexts(parts, limits);
    return ok(await readSheet(parts, book, { styles, texts, limits, isWanted }));
  } catch (error) {
    // Whatever the libraries say of a file from outside, it is the file's fault.
    return failed(error instanceof Broken ? error.fault : 'unreadable');
  } finally {
    parts?.close();
  }
}

/** The parts of the archive, and how many bytes of them were unpacked. */
class Parts {
  readonly #archive: yauzl.ZipFile;
  readonly #entries: ReadonlyMap<string, yauzl.Entry>;
  readonly #bytesMax: number;
  #bytes = 0;
  #elements = 0;

  constructor(archive: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>, bytesMax: number) {
    this.#archive = archive;
    this.#entries = entries;
    this.#bytesMax = bytesMax;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  async read(name: string): Promise<Readable> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Broken('not_a_workbook');
    if (entry.uncompressedSize > this.#bytesMax) throw new Broken('too_large_inside');
    return new Promise((resolve, reject) => {
      this.#archive.openReadStream(entry, (error, stream) => {
        if (error !== null || stream === undefined) reject(error);
        else resolve(stream);
      });
    });
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesMax) throw new Broken('too_large_inside');
  }

  countElement(): void {
    this.#elements += 1;
    if (this.#elements > elementsMax) throw new Broken('too_large_inside');
  }

  close(): void {
    this.#archive.close();
  }
}

async function openParts(file: Buffer, unpackedBytesMax: number): Promise<Parts> {
  const archive = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(file, { lazyEntries: true, validateEntrySizes: true }, (error, opened) => {
      if (error !== null || opened === undefined) reject(error);
      else resolve(opened);
    });
  });
  if (archive.entryCount > partsMax) throw new Broken('unreadable');
  const entries = await new Promise<Map<string, yauzl.Entry>>((resolve, reject) => {
    const listed = new Map<string, yauzl.Entry>();
    archive.on('error', reject);
    archive.on('end', () => resolve(listed));
    archive.on('entry', (entry: yauzl.Entry) => {
      listed.set(String(entry.fileName).replace(/^\//, ''), entry);
      archive.readEntry();
    });
    archive.readEntry();
  });
  if (!entries.has('[Content_Types].xml')) throw new Broken('not_a_workbook');
  return new Parts(archive, entries, unpackedBytesMax);
}

type Attributes = Readonly<Record<string, string>>;
type Listener = {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
};

/** What no workbook reaches; a parser keeps every open element and every attribute of a tag. */
const elementsWithinMax = 64;
const attributesMax = 256;
/** Elements of all parts: what ten thousand rows of a hundred cells come to, and some seconds of reading. */
const elementsMax = 2_500_000;
/** Characters without an element, an end or a text: a tag with all its attributes, a comment, a document type. */
const betweenEventsMax = 256 * 1024;

/** The XML of a part, element by element. No workbook has a document type, which is where entities are declared. */
async function hear(parts: Parts, name: string, listener: Listener): Promise<void> {
  // Without positions the parser would not look at the length of what it keeps.
  const parser = sax.parser(true, { position: true, strictEntities: true } as sax.SAXOptions);
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Broken('unreadable');
  };
  let within = 0;
  let attributes = 0;
  parser.onopentagstart = () => {
    parts.countElement();
    within += 1;
    attributes = 0;
    if (within > elementsWithinMax) throw new Broken('unreadable');
  };
  parser.onattribute = () => {
    attributes += 1;
    if (attributes > attributesMax) throw new Broken('unreadable');
  };
  let sinceEvent = 0;
  parser.onopentag = (tag) => {
    sinceEvent = 0;
    listener.open?.(localName(tag.name), tag.attributes as Attributes);
    // The parser keeps the tag until its element ends.
    tag.attributes = {};
  };
  const hearText = (text: string) => {
    sinceEvent = 0;
    listener.text?.(text);
  };
  parser.ontext = hearText;
  parser.oncdata = hearText;
  parser.onclosetag = (tag) => {
    sinceEvent = 0;
    within -= 1;
    listener.close?.(localName(tag));
  };
  const stream = await parts.read(name);
  stream.setEncoding('utf8');
  // Leaving the loop with an error destroys the stream.
  for await (const chunk of stream as AsyncIterable<string>) {
    parts.count(Buffer.byteLength(chunk));
    // XML 1.0, 2.2; the parser lets it pass, and no database takes it.
    if (chunk.includes('\0')) throw new Broken('unreadable');
    sinceEvent += chunk.length;
    parser.write(chunk);
    if (sinceEvent > betweenEventsMax) throw new Broken('unreadable');
  }
  parser.close();
}

/** Some programs write "x:row". */
const localName = (name: string) => name.slice(name.indexOf(':') + 1);

type Book = { sheet: string; hasDates1904: boolean };

/** Finds the first sheet that is not hidden. */
class BookListener implements Listener {
  relation: string | null = null;
  hasDates1904 = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'workbookPr') this.hasDates1904 = isTrue(attributes.date1904);
    if (name !== 'sheet' || this.relation !== null || (attributes.state ?? 'visible') !== 'visible') return;
    this.relation = Object.entries(attributes).find(([key]) => localName(key) === 'id')?.[1] ?? null;
  }
}

class TargetListener implements Listener {
  readonly #relation: string | null;
  target: string | null = null;

  constructor(relation: string | null) {
    this.#relation = relation;
  }

  open(name: string, { Id, Target }: Attributes): void {
    if (name === 'Relationship' && Id === this.#relation && Target !== undefined) this.target = Target;
  }
}

async function readBook(parts: Parts): Promise<Book> {
  const book = new BookListener();
  await hear(parts, 'xl/workbook.xml', book);
  const { relation, hasDates1904 } = book;
  const found = new TargetListener(relation);
  await hear(parts, 'xl/_rels/workbook.xml.rels', found);
  const { target } = found;
  if (target === null) throw new Broken('unreadable');
  return { sheet: target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`, hasDates1904 };
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** What the number format of a style makes of a number. */
type Shown = { kind: 'plain' } | { kind: 'date' } | { kind: 'zeros'; digits: number };

const plain: Shown = { kind: 'plain' };
/** Built-in formats of dates (ECMA-376, 18.8.30; 27 to 36 and 50 to 58 are those of Chinese). */
const isDateFormat = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
const stylesMax = 65_536;
/** Excel takes no longer ones. */
const formatCodeMax = 255;

class StyleListener implements Listener {
  readonly styles: Shown[] = [];
  readonly #formats = new Map<number, Shown>();
  #isInCells = false;

  open(name: string, { numFmtId, formatCode }: Attributes): void {
    if (name === 'numFmt') {
      if (this.#formats.size >= stylesMax) throw new Broken('unreadable');
      this.#formats.set(Number(numFmtId), shownBy((formatCode ?? '').slice(0, formatCodeMax)));
    }
    if (name === 'cellXfs') this.#isInCells = true;
    if (name !== 'xf' || !this.#isInCells) return;
    if (this.styles.length >= stylesMax) throw new Broken('unreadable');
    const id = Number(numFmtId ?? 0);
    this.styles.push(this.#formats.get(id) ?? (isDateFormat(id) ? { kind: 'date' } : plain));
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isInCells = false;
  }
}

async function readStyles(parts: Parts): Promise<readonly Shown[]> {
  const listener = new StyleListener();
  if (parts.has('xl/styles.xml')) await hear(parts, 'xl/styles.xml', listener);
  return listener.styles;
}

function shownBy(code: string): Shown {
  // Quoted text, escaped characters, colours and locales say nothing about the number.
  const bare = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '').toLowerCase();
  if (/[yd]/.test(bare)) return { kind: 'date' };
  return /^0{2,30}$/.test(bare) ? { kind: 'zeros', digits: bare.length } : plain;
}

/** More than ten thousand rows come to with every cell a text of its own. */
const sharedTextsMax = 300_000;

/** Pieces of text that belong together. What is spelt above Chinese characters is no part of them. */
class SharedTextListener implements Listener {
  readonly texts: string[] = [];
  readonly #cellTextMax: number;
  #text = '';
  #isText = false;
  #isPhonetic = false;

  constructor({ cellTextMax }: WorkbookLimits) {
    this.#cellTextMax = cellTextMax;
  }

  open(name: string): void {
    if (name === 'si') this.#text = '';
    if (name === 'rPh') this.#isPhonetic = true;
    if (name === 't') this.#isText = !this.#isPhonetic;
  }

  text(piece: string): void {
    if (this.#isText) this.#text += piece.slice(0, this.#cellTextMax + 1 - this.#text.length);
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isPhonetic = false;
    if (name !== 'si') return;
    if (this.texts.length >= sharedTextsMax) throw new Broken('too_large_inside');
    this.texts.push(ownCopy(this.#text));
  }
}

/** Texts that any number of cells may show. Each is cleaned once, and all its cells are the same one. */
class SharedTexts {
  readonly #texts: readonly string[];
  readonly #limits: WorkbookLimits;
  readonly #cells = new Map<number, ReadCell>();

  constructor(texts: readonly string[], limits: WorkbookLimits) {
    this.#texts = texts;
    this.#limits = limits;
  }

  cell(index: number): ReadCell {
    const known = this.#cells.get(index);
    if (known !== undefined) return known;
    const cell = textCell(this.#texts[index] ?? '', this.#limits);
    this.#cells.set(index, cell);
    return cell;
  }
}

async function readSharedTexts(parts: Parts, limits: WorkbookLimits): Promise<SharedTexts> {
  const listener = new SharedTextListener(limits);
  if (parts.has('xl/sharedStrings.xml')) await hear(parts, 'xl/sharedStrings.xml', listener);
  return new SharedTexts(listener.texts, limits);
}

/** Merged areas of a sheet. Each is compared with the others. */
const mergedMax = 1_000;
/** Rows of a sheet in Excel. */
const linesMax = 1_048_576;

type SheetFacts = {
  styles: readonly Shown[];
  texts: SharedTexts;
  limits: WorkbookLimits;
  isWanted: (head: string) => boolean;
};

type SheetRow = { line: number; cells: Map<number, ReadCell> };

class SheetListener implements Listener {
  readonly rows: SheetRow[] = [];
  readonly merged: Area[] = [];
  /** Columns under a wanted head; null until the heads are known. */
  wanted: ReadonlySet<number> | null = null;
  characters = 0;
  readonly #book: Book;
  readonly #facts: SheetFacts;
  #row: SheetRow = { line: 0, cells: new Map() };
  #column = -1;
  #given: Attributes = {};
  #value = '';
  #isValue = false;
  #isPhonetic = false;

  constructor(book: Book, facts: SheetFacts) {
    this.#book = book;
    this.#facts = facts;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#row = { line: lineAfter(this.#row.line, attributes.r), cells: new Map() };
        this.#column = -1;
        return;
      case 'c':
        this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
        this.#given = attributes;
        this.#value = '';
        return;
      case 'rPh':
        this.#isPhonetic = true;
        return;
      case 'v':
      case 't':
        this.#isValue = !this.#isPhonetic;
        return;
      case 'mergeCell':
        this.#merge(attributes.ref ?? '');
    }
  }

  text(piece: string): void {
    if (this.#isValue) this.#value += piece.slice(0, this.#facts.limits.cellTextMax + 1 - this.#value.length);
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false;
    if (name === 'rPh') this.#isPhonetic = false;
    if (name === 'c' && this.#isKept(this.#column)) this.#keepCell();
    if (name === 'row' && this.#row.cells.size > 0) this.#keepRow();
  }

  #isKept(column: number): boolean {
    return this.wanted === null ? column < this.#facts.limits.columnsMax : this.wanted.has(column);
  }

  #keepCell(): void {
    const cell = cellOf(this.#value, this.#given, this.#book, this.#facts);
    if (cell.text === '') return;
    this.characters += cell.text.length;
    if (this.characters > this.#facts.limits.charactersMax) throw new Broken('too_large_inside');
    this.#row.cells.set(this.#column, cell);
  }

  #keepRow(): void {
    const { limits, isWanted } = this.#facts;
    if (this.rows.length >= limits.rowsMax) throw new Broken('too_many_rows');
    this.rows.push(this.#row);
    if (this.wanted !== null) return;
    this.wanted = new Set([...this.#row.cells].flatMap(([column, { text }]) => (isWanted(text) ? [column] : [])));
  }

  #merge(reference: string): void {
    const area = areaOf(reference);
    if (area === null) return;
    if (this.merged.length >= mergedMax) throw new Broken('too_large_inside');
    if (this.merged.some((other) => isOverlapping(area, other))) throw new Broken('unreadable');
    this.merged.push(area);
  }
}

/** The line that a row gives itself, or the next one where that cannot be: rows stand in order, each on its own line. */
function lineAfter(last: number, given: string | undefined): number {
  const line = Number(given);
  return Number.isInteger(line) && line > last && line <= linesMax ? line : last + 1;
}

async function readSheet(parts: Parts, book: Book, facts: SheetFacts): Promise<readonly ReadRow[]> {
  const sheet = new SheetListener(book, facts);
  await hear(parts, book.sheet, sheet);
  const { rows, merged, wanted, characters } = sheet;
  const { columnsMax, charactersMax } = facts.limits;
  const isSpread = await spread(rows, merged, {
    headColumns: Array.from({ length: columnsMax }, (_, column) => column),
    columns: [...(wanted ?? [])],
    charactersMax: charactersMax - characters,
  });
  if (!isSpread) throw new Broken('too_large_inside');
  return rows;
}

function cellOf(value: string, { t, s }: Attributes, book: Book, { styles, texts, limits }: SheetFacts): ReadCell {
  if (t === 's') return texts.cell(Number(value));
  if (t === 'b') return textCell(value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : '', limits);
  // The error of a formula, "#N/A", is shown as it is.
  if (t !== undefined && t !== 'n') return textCell(value, limits);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) return textCell(value, limits);
  const shown = styles[Number(s ?? 0)] ?? plain;
  if (shown.kind === 'date') return { text: dayOf(number, book), isRounded: false };
  const text = numberText(number);
  return {
    text: shown.kind === 'zeros' && /^\d+$/.test(text) ? text.padStart(shown.digits, '0') : text,
    isRounded: Math.abs(number) >= 1e15,
  };
}

/**
 * Full width becomes half width; invisible characters, those that turn text around and outer spaces go. One character
 * may become eighteen, so the text is cut before and after.
 */
function textCell(text: string, { cellTextMax }: WorkbookLimits): ReadCell {
  const cleaned = text
    .slice(0, cellTextMax + 1)
    .normalize('NFKC')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, '')
    .trim();
  return { text: ownCopy(cleaned.slice(0, cellTextMax)), isRounded: false };
}

/**
 * The text by itself. A slice keeps the whole that it was cut from in memory, and a text of many pieces every piece.
 * Half of a character that the cut went through becomes U+FFFD.
 */
const ownCopy = (text: string) => Buffer.from(text, 'utf8').toString('utf8');

/** "3.2010600000001E+13" is 32010600000001. */
function numberText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e21) return BigInt(number).toString();
  return String(Number(number.toPrecision(15)));
}

const daySeconds = 86_400;

/** Days since 1899-12-30, or since 1904-01-01 in workbooks of old Macs. */
function dayOf(serial: number, { hasDates1904 }: Book): string {
  const day = Math.floor(serial) + (hasDates1904 ? 1_462 : 0) - 25_569;
  const at = new Date(day * daySeconds * 1000);
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9_999 ? String(serial) : at.toISOString().slice(0, 10);
}
