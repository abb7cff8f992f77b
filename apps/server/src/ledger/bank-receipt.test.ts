import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../database/test-database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

const keysOf = async (receipts: readonly string[]) => {
  const { rows } = await database.pool.query<{ key: string }>(
    'select receipt_key(receipt) as key from unnest($1::text[]) with ordinality as r (receipt, place) order by place',
    [receipts],
  );
  return rows.map(({ key }) => key);
};

test('a receipt is compared without case, width, and every character of Unicode that is a format, a blank or a dash', async () => {
  const passedOver: string[] = [];
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (/[\p{Cf}\p{Z}\p{Pd}\u2212]/u.test(character)) passedOver.push(character);
  }
  expect(passedOver.length).toBeGreaterThan(200);
  const keys = await keysOf(passedOver.map((character) => `HQ${character}77`));
  expect(passedOver.filter((_, index) => keys[index] !== 'hq77').map((c) => c.codePointAt(0)?.toString(16))).toEqual(
    [],
  );
  expect(await keysOf(['ＨＱ７７', 'ｈｑ－７７', 'hq77'])).toEqual(['hq77', 'hq77', 'hq77']);
});

test('what else differs is another receipt', async () => {
  const others = ['HQ78', 'HQ/77', 'HQ.77', 'HQ_77', '回单77', 'HQ770', 'HQ:77', 'HQ+77', 'HQ\\77', 'HQ[77]'];
  expect(new Set(await keysOf(['HQ77', ...others])).size).toBe(others.length + 1);
});
