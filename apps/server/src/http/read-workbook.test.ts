import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { mergedCellsMax, spread } from './merged-cells.ts';
import { readWorkbook, type WorkbookLimits } from './read-workbook.ts';
import { zip } from './xlsx.ts';

const limits: WorkbookLimits = {
  rowsMax: 20,
  columnsMax: 10,
  cellTextMax: 50,
  charactersMax: 5_000,
  unpackedBytesMax: 1024 * 1024,
};
const every = () => true;

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const usual = {
  '[Content_Types].xml': '<Types/>',
  'xl/workbook.xml': `<workbook ${main} ${relations}><sheets><sheet name="Hidden" state="hidden" r:id="rId9"/><sheet name="A" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    '<Relationships><Relationship Id="rId9" Target="worksheets/hidden.xml"/><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="00000000000000"/><numFmt numFmtId="165" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  'xl/sharedStrings.xml': `<sst ${main}><si><t>Ｓ１</t></si><si><r><t>Lake</t></r><r><t xml:space="preserve"> side </t></r><rPh><t>LEIKU</t></rPh></si></sst>`,
};

function archive(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  async function* entries() {
    for (const [name, text] of Object.entries(parts)) yield { name, content: Readable.from([text]) };
  }
  return buffer(Readable.from(zip(entries()), { objectMode: false }));
}
const sheet = (rows: string, after = '') =>
  archive({
    ...usual,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`,
  });

/** The first row's cells, by column letter. */
async function cells(row: string): Promise<string[]> {
  const read = await readWorkbook(await sheet(`<row r="1">${row}</row>`), limits, every);
  if (!read.ok) throw new Error(read.error);
  return [...(read.value[0]?.cells.values() ?? [])].map(({ text }) => text);
}

describe('a cell of a workbook', () => {
  test.each([
    ['a shared text in full width', '<c t="s"><v>0</v></c>', 'S1'],
    ['a shared text in runs, without its pronunciation and outer spaces', '<c t="s"><v>1</v></c>', 'Lake side'],
    ['an inline text', '<c t="inlineStr"><is><t>a &amp; b</t></is></c>', 'a & b'],
    ['the last value of a formula', '<c t="str"><f>A1&amp;"x"</f><v>S1x</v></c>', 'S1x'],
    ['a number of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['a number in scientific notation', '<c><v>3.2010600000001E13</v></c>', '32010600000001'],
    ['a number that shows leading zeros', '<c s="2"><v>106000000001</v></c>', '00106000000001'],
    ['a fraction', '<c><v>0.1</v></c>', '0.1'],
    ['a date', '<c s="1"><v>46752</v></c>', '2027-12-31'],
    ['a date in a Chinese format', '<c s="3"><v>46752.75</v></c>', '2027-12-31'],
    [
      'a text with invisible characters and hard spaces',
      '<c t="inlineStr"><is><t>\u00a0\u200bA-1\ufeff </t></is></c>',
      'A-1',
    ],
  ])('%s is read as it was meant', async (_what, row, text) => {
    expect(await cells(row)).toEqual([text]);
  });

  test('a number beyond the digits that Excel keeps is marked', async () => {
    const read = await readWorkbook(
      await sheet('<row><c><v>8.98601234567890E19</v></c><c><v>860123456789012</v></c></row>'),
      limits,
      every,
    );
    const row = read.ok ? [...(read.value[0]?.cells.values() ?? [])] : [];
    expect(row.map(({ isRounded }) => isRounded)).toEqual([true, false]);
  });

  test('merged cells have the value of their first one, and empty rows are passed over', async () => {
    const rows =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>site</t></is></c></row>' +
      '<row r="2"/><row r="3"><c r="A3" t="inlineStr"><is><t>c</t></is></c></row>';
    const read = await readWorkbook(
      await sheet(rows, '<mergeCells><mergeCell ref="B1:B3"/></mergeCells>'),
      limits,
      every,
    );
    if (!read.ok) throw new Error(read.error);
    expect(read.value.map(({ line, cells: of }) => [line, of.get(0)?.text, of.get(1)?.text])).toEqual([
      [1, 'a', 'site'],
      [3, 'c', 'site'],
    ]);
  });
});

const head = '<row r="1"><c t="inlineStr"><is><t>Site</t></is></c><c t="inlineStr"><is><t>Note</t></is></c></row>';
const isSite = (text: string) => text === 'Site';

describe('the rows of a workbook', () => {
  const rowsOf = async (rows: string, after = '') => {
    const read = await readWorkbook(await sheet(rows, after), limits, isSite);
    if (!read.ok) throw new Error(read.error);
    return read.value;
  };

  test('a column whose head nobody wants is not kept, and a row with nothing else is none', async () => {
    const both = '<c t="s"><v>0</v></c><c t="s"><v>1</v></c>';
    const rows = await rowsOf(`${head}<row r="2">${both}</row><row r="3"><c r="B3"><v>1</v></c></row>`);
    expect(rows.map(({ line, cells: of }) => [line, ...of.keys()])).toEqual([
      [1, 0, 1],
      [2, 0],
    ]);
  });

  test('cells with one shared text are one and the same', async () => {
    const [, first, second] = await rowsOf(`${head}${'<row><c t="s"><v>1</v></c></row>'.repeat(2)}`);
    expect(first?.cells.get(0)).toEqual({ text: 'Lake side', isRounded: false });
    expect(second?.cells.get(0)).toBe(first?.cells.get(0));
  });

  test('a merged head is read in each of its columns, merged cells in wanted columns only', async () => {
    const merged = '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A2:C3"/></mergeCells>';
    const only = '<row r="1"><c t="inlineStr"><is><t>Site</t></is></c></row>';
    const [heads, ...rows] = await rowsOf(`${only}${'<row><c t="s"><v>0</v></c></row>'.repeat(2)}`, merged);
    expect([...(heads?.cells.values() ?? [])].map(({ text }) => text)).toEqual(['Site', 'Site']);
    expect(rows.map(({ cells: of }) => [...of.keys()])).toEqual([[0], [0]]);
  });

  test('a row whose number cannot be is on the line after the last', async () => {
    const numbers = ['2', '2', 'abc', '2.5', '99999999999', '-1', '9', '4', ''];
    const rows = await rowsOf(head + numbers.map((r) => `<row r="${r}"><c><v>1</v></c></row>`).join(''));
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 9, 10, 11]);
  });

  test('a character that the limit of a cell goes through is replaced', async () => {
    const of = async (text: string) =>
      (await rowsOf(`${head}<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`))[1]?.cells.get(0)?.text;
    expect(await of(`${'a'.repeat(49)}\u{1f50c}`)).toBe(`${'a'.repeat(49)}\ufffd`);
    expect(await of(`${'a'.repeat(48)}\u{1f50c}`)).toBe(`${'a'.repeat(48)}\u{1f50c}`);
  });
});

describe('a hostile file', () => {
  const faultOf = async (file: Buffer) => {
    const read = await readWorkbook(file, limits, every);
    return read.ok ? 'read' : read.error;
  };

  /** What the limits of an import make of a file in a thread whose heap may have 128 MB. */
  const faultInLittleMemory = async (file: Buffer): Promise<unknown> => {
    const wide = { ...limits, rowsMax: 10_002, columnsMax: 100, cellTextMax: 500, charactersMax: 10_000_000 };
    const reading = new Worker(
      `const { workerData, parentPort } = require('node:worker_threads');
       import(workerData.module).then(async ({ readWorkbook }) => {
         const read = await readWorkbook(Buffer.from(workerData.file), workerData.limits, () => true);
         parentPort.postMessage(read.ok ? 'read' : read.error);
       });`,
      {
        eval: true,
        workerData: {
          module: new URL('./read-workbook.ts', import.meta.url).href,
          file,
          limits: { ...wide, unpackedBytesMax: 48 * 1024 * 1024 },
        },
        resourceLimits: { maxOldGenerationSizeMb: 128 },
      },
    );
    const [fault] = await once(reading, 'message');
    await reading.terminate();
    return fault;
  };

  test('a part that unpacks to two hundred times its size is refused at the limit', async () => {
    const bomb = await sheet(`<row><c t="inlineStr"><is><t>${'0'.repeat(200 * 1024 * 1024)}</t></is></c></row>`);
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
    expect(await faultOf(bomb)).toBe('too_large_inside');
  });

  test('a part that claims two gigabytes, or less than it has, is refused', async () => {
    const file = await sheet('<row><c><v>1</v></c></row>');
    const claim = (bytes: number) => {
      const copy = Buffer.from(file);
      const name = 'xl/worksheets/sheet1.xml';
      copy.writeUInt32LE(bytes, copy.lastIndexOf(name) - 46 + 24);
      return copy;
    };
    expect(await faultOf(claim(2_000_000_000))).toBe('too_large_inside');
    expect(await faultOf(claim(10))).toBe('unreadable');
  });

  /** One character that NFKC makes eighteen of. */
  const long = '\ufdfa'.repeat(501);

  test('a shared text in two hundred thousand cells is refused in little memory', async () => {
    const file = await archive({
      ...usual,
      'xl/sharedStrings.xml': `<sst ${main}><si><t>${long}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(2_500)}</sheetData></worksheet>`,
    });
    expect(await faultInLittleMemory(file)).toBe('too_large_inside');
  });

  const much = 'x'.repeat(10_000_000);
  test.each([
    ['a comment', `<!--${much}-->`],
    ['an attribute', `<a b="${much}"/>`],
    ['the name of an attribute', `<a ${much}="b"/>`],
    ['a processing instruction', `<?a ${much}?>`],
    ['the name of an element', `<${much}/>`],
    ['a document type', `<!DOCTYPE ${much}>`],
    ['what a document type declares', `<!DOCTYPE a [<!ENTITY b "${much}">]>`],
    ['an entity', `<a>&${much};</a>`],
  ])('%s of ten million characters is refused in little memory', async (_what, part) => {
    const file = await archive({ ...usual, 'xl/worksheets/sheet1.xml': `${part}<worksheet ${main}/>` });
    expect(await faultInLittleMemory(file)).toBe('unreadable');
  });

  test('many long attributes of many open elements are refused in little memory', async () => {
    const attributes = Array.from({ length: 200 }, (_, index) => `a${index}="${'x'.repeat(1_000)}"`).join(' ');
    const open = `<a ${attributes}>`.repeat(40);
    expect(await faultInLittleMemory(await sheet(`${open}${'</a>'.repeat(40)}`))).toBe('read');
    const wide = Array.from({ length: 200 }, (_, index) => `a${index}="${'x'.repeat(50_000)}"`).join(' ');
    expect(await faultInLittleMemory(await sheet(`<a ${wide}/>`))).toBe('unreadable');
  });

  test('a text of ten million characters is read and cut off in little memory', async () => {
    const of = (text: string) => sheet(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
    expect(await faultInLittleMemory(await of(much))).toBe('read');
    expect(await faultInLittleMemory(await of(`<![CDATA[${much}]]>`))).toBe('read');
  });

  test('elements and shared texts beyond what the rows of an import can have are refused', async () => {
    const shared = (count: number) =>
      archive({
        ...usual,
        'xl/sharedStrings.xml': `<sst ${main}>${'<si/>'.repeat(count)}</sst>`,
        'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${head}</sheetData></worksheet>`,
      });
    expect(await faultInLittleMemory(await shared(300_000))).toBe('read');
    expect(await faultInLittleMemory(await shared(300_001))).toBe('too_large_inside');
    expect(await faultInLittleMemory(await sheet('<a/>'.repeat(2_499_900)))).toBe('read');
    expect(await faultInLittleMemory(await sheet('<a/>'.repeat(2_500_000)))).toBe('too_large_inside');
  });

  test('the characters of all cells together have a limit, merged cells included', async () => {
    const cell = `<c t="inlineStr"><is><t>${'a'.repeat(50)}</t></is></c>`;
    const rows = `<row r="1">${cell.repeat(10)}</row>`.repeat(9);
    expect(await faultOf(await sheet(rows))).toBe('read');
    expect(await faultOf(await sheet(`${rows}<row>${cell.repeat(10)}</row><row>${cell}</row>`))).toBe(
      'too_large_inside',
    );
    const thin = `<row r="1">${cell.repeat(10)}</row>${'<row><c><v>1</v></c></row>'.repeat(19)}`;
    const merged = (area: string) => sheet(thin, `<mergeCells><mergeCell ref="${area}"/></mergeCells>`);
    expect(await faultOf(await merged('A1:A20'))).toBe('read');
    expect(await faultOf(await merged('A1:J20'))).toBe('too_large_inside');
  });

  test('merged areas are counted before they are filled, and may not overlap', async () => {
    const rows = 10_001;
    const body = `${head}${'<row><c t="s"><v>0</v></c></row>'.repeat(rows - 1)}`;
    const wide = { ...limits, rowsMax: rows, columnsMax: 100, charactersMax: 50_000_000, unpackedBytesMax: 2 ** 24 };
    const faultWith = async (areas: readonly string[], isWanted: (text: string) => boolean) => {
      const merged = areas.map((area) => `<mergeCell ref="${area}"/>`).join('');
      const heads = `<row r="1">${'<c t="s"><v>0</v></c>'.repeat(100)}</row>${body.slice(head.length)}`;
      const read = await readWorkbook(await sheet(heads, `<mergeCells>${merged}</mergeCells>`), wide, isWanted);
      return read.ok ? 'read' : read.error;
    };
    expect(await faultWith([`A2:T${rows}`], every)).toBe('read');
    expect(await faultWith([`A2:U${rows}`], every)).toBe('too_large_inside');
    expect(await faultWith([`A2:XFD${rows}`], () => false)).toBe('read');
    expect(await faultWith(['A2:C3', 'C3:D4'], every)).toBe('unreadable');
    expect(await faultWith(['A2:C3', 'A4:C4', 'D2:D3'], every)).toBe('read');
    expect(await faultWith(['A2:A1', 'B:B', 'nonsense', 'A2', '$A$2:$A$3'], every)).toBe('read');
  });

  test('merged cells are filled in many turns, so that other requests get theirs between', async () => {
    const rows = 10_001;
    const cells = Array.from({ length: rows }, (_, index) => ({
      line: index + 1,
      cells: new Map([[0, { text: 'a' }]]),
    }));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const columns = Array.from({ length: 20 }, (_, column) => column);
    const area = { from: { line: 2, column: 0 }, to: { line: rows, column: 19 } };
    const isSpread = await spread(cells, [area], { headColumns: columns, columns, charactersMax: mergedCellsMax });
    isOver = true;
    expect(isSpread).toBe(true);
    expect(cells.at(-1)?.cells.size).toBe(20);
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  test('elements and attributes without end are refused', async () => {
    const deep = `<row>${'<a>'.repeat(100)}${'</a>'.repeat(100)}</row>`;
    const wide = `<row ${Array.from({ length: 300 }, (_, index) => `a${index}=""`).join(' ')}/>`;
    expect(await faultOf(await sheet(deep))).toBe('unreadable');
    expect(await faultOf(await sheet(wide))).toBe('unreadable');
    expect(await faultOf(await sheet('<row><c t="inlineStr"><is><t>a\0b</t></is></c></row>'))).toBe('unreadable');
  });

  test('entities and document types are never read', async () => {
    const declared = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]><worksheet ${main}><sheetData><row><c t="inlineStr"><is><t>&f;</t></is></c></row></sheetData></worksheet>`;
    expect(await faultOf(await archive({ ...usual, 'xl/worksheets/sheet1.xml': declared }))).toBe('unreadable');
    expect(await faultOf(await sheet('<row><c t="inlineStr"><is><t>&unknown;</t></is></c></row>'))).toBe('unreadable');
  });

  test('too many rows, broken XML, a missing sheet and an archive of something else are refused', async () => {
    expect(await faultOf(await sheet('<row><c><v>1</v></c></row>'.repeat(21)))).toBe('too_many_rows');
    expect(await faultOf(await sheet('<row><c><v>1</c></row>'))).toBe('unreadable');
    expect(await faultOf(await archive(usual))).toBe('not_a_workbook');
    expect(await faultOf(await archive({ 'readme.txt': 'hello' }))).toBe('not_a_workbook');
    expect(await faultOf(Buffer.from('number,name\n1,2\n'))).toBe('not_a_workbook');
    const half = await sheet('<row><c><v>1</v></c></row>');
    expect(await faultOf(half.subarray(0, half.length / 2))).toBe('unreadable');
  });

  test('whatever bytes of a workbook are changed, it is read or refused and never throws', async () => {
    const file = await sheet('<row><c t="s"><v>0</v></c><c><v>12</v></c></row>');
    for (let at = 0; at < file.length; at += 7) {
      const copy = Buffer.from(file);
      copy[at] = (copy[at] ?? 0) ^ 0xff;
      expect(typeof (await faultOf(copy))).toBe('string');
    }
  });
});
