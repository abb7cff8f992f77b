import { buffer } from 'node:stream/consumers';
import { instant } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { csvStream } from './csv.ts';
import type { Cell } from './file-cells.ts';
import { csvRows } from './test-sheets.ts';

async function written(heads: readonly string[], ...rows: Cell[][]): Promise<string> {
  const columns = heads.map((head, at) => ({
    head,
    widthCharacters: 10,
    cell: (row: Cell[]) => row[at] ?? { text: null },
  }));
  async function* batches() {
    yield rows;
  }
  return (await buffer(csvStream(columns, batches()))).toString();
}

const texts = (...all: (string | null)[]): Cell[] => all.map((one) => ({ text: one }));

describe('comma-separated values', () => {
  test('CSV begins with a byte order mark and ends every line with CR LF (RFC 4180, 2)', async () => {
    expect(await written(['名称', 'B'], texts('一', null))).toBe('\ufeff名称,B\r\n一,\r\n');
  });

  test('CSV quotes a text with a comma, a quote or a line break, and doubles its quotes (RFC 4180, 2)', async () => {
    const rows = ['a,b', 'say "so"', 'two\nlines', 'plain'];
    const file = await written(['A, "B"'], ...rows.map((one) => texts(one)));
    expect(file).toBe('\ufeff"A, ""B"""\r\n"a,b"\r\n"say ""so"""\r\n"two\nlines"\r\nplain\r\n');
    expect(csvRows(file).slice(1).flat()).toEqual(rows);
  });

  test.each(['=1+1', '+86', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\uff1dcmd', '\uff0b1', '\uff0d1', '\uff20a'])(
    'CSV keeps a spreadsheet from running %j',
    async (formula) => {
      expect(csvRows(await written(['A'], texts(formula)))[1]).toEqual([`'${formula}`]);
    },
  );

  test('CSV writes numbers with a point, money in yuan, times in Shanghai and absent values as nothing', async () => {
    const at = instant(Date.parse('2026-11-21T16:00:01.005Z'));
    const cells: Cell[] = [
      { number: -1.5 },
      { fen: fen(-123_450) },
      { at },
      { exactAt: at },
      { day: '2027-12-31' },
      { durationMs: (25 * 3_600 + 61) * 1_000 },
      { number: null },
      { fen: null },
      { at: null },
      { durationMs: null },
    ];
    const [, row] = csvRows(
      await written(
        cells.map((_, index) => String(index)),
        cells,
      ),
    );
    expect(row).toEqual([
      '-1.5',
      '-1234.50',
      '2026-11-22 00:00:01',
      '2026-11-22 00:00:01.005',
      '2027-12-31',
      '25:01:01',
      '',
      '',
      '',
      '',
    ]);
  });
});
