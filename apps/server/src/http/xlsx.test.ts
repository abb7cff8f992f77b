import { pbkdf2 } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32, inflateRawSync } from 'node:zlib';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import type { FileColumn } from './file-cells.ts';
import { endOfDirectory, xlsxStream } from './xlsx.ts';

type Row = { name: string; amount: number };
const columns: FileColumn<Row>[] = [
  { head: '名称 & <more>', widthCharacters: 20, cell: ({ name }) => ({ text: name }) },
  { head: 'Amount', widthCharacters: 10, cell: ({ amount }) => ({ fen: fen(amount) }) },
  { head: 'At', widthCharacters: 20, cell: () => ({ at: instant(Date.parse('2026-11-21T16:00:00Z')) }) },
  { head: 'Nothing', widthCharacters: 5, cell: () => ({ number: null }) },
];

async function* batches(...all: Row[][]): AsyncGenerator<Row[]> {
  yield* all;
}

/** The files of an archive by its central directory, each checked against its own checksums. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const nameLength = archive.readUInt16LE(at + 28);
    const start = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    expect(archive.toString('utf8', start + 30, start + 30 + nameLength)).toBe(name);
    const content = inflateRawSync(archive.subarray(start + 30 + nameLength, start + 30 + nameLength + packed));
    expect([content.length, crc32(content)]).toEqual([size, crc]);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength;
  }
  return files;
}

describe('a workbook', () => {
  test('a workbook holds heads and rows with text, yuan and wall-clock time in Asia/Shanghai', async () => {
    const rows = [{ name: '=cmd|x <b>"\u0000\ud800', amount: 123_456 }];
    const files = unzip(await buffer(xlsxStream('订单/1', columns, batches(rows))));
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('<t>名称 &amp; &lt;more&gt;</t>');
    expect(sheet).toContain('=cmd|x &lt;b&gt;"\ufffd\ufffd</t>');
    expect(sheet).toContain('<c s="1"><v>1234.56</v></c>');
    // 2026-11-22 00:00 in Shanghai is day 46348 of Excel's calendar.
    expect(sheet).toContain('<c s="2"><v>46348</v></c><c/></row>');
    expect(files.get('xl/workbook.xml')).toContain('name="订单 1"');
  });

  test('a workbook is written as its rows arrive, without holding them in memory', async () => {
    let produced = 0;
    async function* endless(): AsyncGenerator<Row[]> {
      for (; produced < 400; produced += 1) {
        yield Array.from({ length: 1_000 }, (_, index) => ({ name: `row ${Math.random()} ${index}`, amount: index }));
      }
    }
    const stream = xlsxStream('Orders', columns, endless());
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    // Backpressure: the writer waits for a slow reader.
    await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBeLessThan(50);
    await reader.return?.(undefined);
    expect(stream.destroyed).toBe(true);
  });

  test('a workbook yields to others between a few rows, however many arrived at once', async () => {
    let turn = 0;
    let isWritten = false;
    const nextTurn = () => {
      turn += 1;
      if (!isWritten) setImmediate(nextTurn);
    };
    nextTurn();
    const rowsOfTurn = new Map<number, number>();
    const counted: FileColumn<Row> = {
      head: 'Turn',
      widthCharacters: 5,
      cell() {
        rowsOfTurn.set(turn, (rowsOfTurn.get(turn) ?? 0) + 1);
        return { number: turn };
      },
    };
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ name: `row ${index}`, amount: index }));
    const files = unzip(await buffer(xlsxStream('x', [...columns, counted], batches(rows))));
    isWritten = true;
    expect(Math.max(...rowsOfTurn.values())).toBeLessThanOrEqual(100);
    expect(files.get('xl/worksheets/sheet1.xml')).toContain('row 999');
  });

  test('a workbook is compressed on its own thread, not in the shared thread pool', async () => {
    let done = 0;
    const others = Array.from({ length: 8 }, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pbkdf2('x', 'y', 200_000, 32, 'sha256', () => {
        done += 1;
        resolve();
      });
      return promise;
    });
    const files = unzip(await buffer(xlsxStream('x', columns, batches([{ name: 'a', amount: 1 }]))));
    // The pool has four threads: the next task in the queue starts when the fifth has ended.
    expect(done).toBeLessThan(4);
    expect(files.get('xl/worksheets/sheet1.xml')).toContain('>a<');
    await Promise.all(others);
  });

  test('a workbook breaks off when its source fails', async () => {
    async function* broken(): AsyncGenerator<Row[]> {
      yield [{ name: 'a', amount: 1 }];
      throw new Error('the database went away');
    }
    await expect(buffer(xlsxStream('Orders', columns, broken()))).rejects.toThrow('the database went away');
  });

  test('a workbook continues in another sheet, with the heads, where one is full by rows or by bytes', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => ({ name: `row ${index}`, amount: index }));
    const files = unzip(
      await buffer(
        xlsxStream('A name of more than thirty-one characters', columns, batches(rows.slice(0, 5), [], rows.slice(5)), {
          rowsMax: 4,
          bytesMax: 1_000_000,
        }),
      ),
    );
    const namesOn = (sheet: number) =>
      [...(files.get(`xl/worksheets/sheet${sheet}.xml`) ?? '').matchAll(/>(row \d|名称)/g)].map(([, name]) => name);
    expect([1, 2, 3, 4].map(namesOn)).toEqual([
      ['名称', 'row 0', 'row 1', 'row 2'],
      ['名称', 'row 3', 'row 4', 'row 5'],
      ['名称', 'row 6'],
      [],
    ]);
    const workbook = files.get('xl/workbook.xml') ?? '';
    expect(
      [...workbook.matchAll(/name="([^"]*)" sheetId="(\d)" r:id="rId(\d)"/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['A name of more than thirty-one ', '1', '1'],
      ['A name of more than thirty-on 2', '2', '2'],
      ['A name of more than thirty-on 3', '3', '3'],
    ]);
    expect(files.get('[Content_Types].xml')).toContain('/xl/worksheets/sheet3.xml');
    expect(files.get('xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet3.xml"');
    const narrow = unzip(
      await buffer(
        xlsxStream('S', columns, batches(rows.slice(0, 1), rows.slice(1, 2)), { rowsMax: 100, bytesMax: 10 }),
      ),
    );
    expect([...narrow.keys()].filter((name) => name.includes('worksheets/'))).toHaveLength(2);
  });

  test('a workbook whose directory begins beyond 4 GiB gives its place in a ZIP64 record', () => {
    const start = 5 * 1024 ** 3;
    const end = endOfDirectory({ entries: 9, size: 700, start });
    expect(end.readUInt32LE(0)).toBe(0x06064b50);
    expect([32, 40, 48].map((at) => Number(end.readBigUInt64LE(at)))).toEqual([9, 700, start]);
    expect([end.readUInt32LE(56), Number(end.readBigUInt64LE(64))]).toEqual([0x07064b50, start + 700]);
    expect([end.readUInt32LE(76), end.readUInt32LE(92)]).toEqual([0x06054b50, 0xffff_ffff]);
    expect(endOfDirectory({ entries: 9, size: 700, start: 1_000 })).toHaveLength(22);
  });

  test('a workbook without rows has one sheet with the heads', async () => {
    const files = unzip(await buffer(xlsxStream('S', columns, batches())));
    expect(files.get('xl/worksheets/sheet1.xml')).toContain('名称');
    expect(files.has('xl/worksheets/sheet2.xml')).toBe(false);
  });
});
