import { expect, test } from 'vitest';
import { sumsFile } from './sums-file.ts';

test('the sums of a list are a line each in its file, as they are shown, with quotes that Excel understands', async () => {
  const columns = [
    { key: 'netFen', title: 'Net "income"', sum: { text: (fen: number) => `${fen / 100}` } },
    { key: 'name', title: 'Name' },
    { key: 'orders', title: 'Charges', sum: { text: (count: number) => count.toLocaleString('en') } },
  ];
  const bytes = new Uint8Array(await sumsFile(columns, { netFen: 12_345, orders: 1_234 }).arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toBe('"Net ""income""","123.45"\r\n"Charges","1,234"\r\n');
});
