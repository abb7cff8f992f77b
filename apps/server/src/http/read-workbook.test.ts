import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readWorkbook, type WorkbookLimits } from './read-workbook.ts';
import { zip } from './xlsx.ts';

const limits: WorkbookLimits = { rowsMax: 20, columnsMax: 10, cellTextMax: 50, unpackedBytesMax: 1024 * 1024 };

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
  const read = await readWorkbook(await sheet(`<row r="1">${row}</row>`), limits);
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
    );
    const row = read.ok ? [...(read.value[0]?.cells.values() ?? [])] : [];
    expect(row.map(({ isRounded }) => isRounded)).toEqual([true, false]);
  });

  test('merged cells have the value of their first one, and empty rows are passed over', async () => {
    const rows =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>site</t></is></c></row>' +
      '<row r="2"/><row r="3"><c r="A3" t="inlineStr"><is><t>c</t></is></c></row>';
    const read = await readWorkbook(await sheet(rows, '<mergeCells><mergeCell ref="B1:B3"/></mergeCells>'), limits);
    if (!read.ok) throw new Error(read.error);
    expect(read.value.map(({ line, cells: of }) => [line, of.get(0)?.text, of.get(1)?.text])).toEqual([
      [1, 'a', 'site'],
      [3, 'c', 'site'],
    ]);
  });
});

describe('a hostile file', () => {
  const faultOf = async (file: Buffer) => {
    const read = await readWorkbook(file, limits);
    return read.ok ? 'read' : read.error;
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
