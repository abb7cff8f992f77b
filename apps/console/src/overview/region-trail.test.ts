import { expect, test } from 'vitest';
import { regionTrail } from './region-trail.ts';

test("a district lies in its city and its province, in the reader's language", async () => {
  const trail = await regionTrail('330106', 'zh-CN');
  expect(trail.map((step) => step.code)).toEqual(['330000', '330100', '330106']);
  expect(trail[0]?.name).toBe('浙江省');
  expect((await regionTrail('330000', 'en')).map((step) => step.name)).toEqual(['Zhejiang Province']);
});

test('an unknown region code has no trail', async () => {
  expect(await regionTrail('999999', 'en')).toEqual([]);
});
