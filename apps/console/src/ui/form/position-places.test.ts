import { regionTable } from '@voltdeck/regions/region-table';
import { regionView } from '@voltdeck/regions/regions';
import { expect, test } from 'vitest';
import { placesFor } from './position-places.ts';

test('a region is found by its name in the reader’s language', () => {
  expect(placesFor('杭州', 'zh-CN')[0]).toMatchObject({
    code: '330100',
    name: expect.stringMatching(/^浙江省 \/ 杭州市/),
  });
  expect(placesFor('hangzhou', 'en')[0]?.name).toMatch(/^Zhejiang.* \/ Hangzhou/);
});

test('at most eight regions are found, and the map has a view of each', () => {
  const places = placesFor('区', 'zh-CN');
  expect(places).toHaveLength(8);
  for (const { code } of places) expect(regionView(regionTable, code)).not.toBeNull();
});

test('an empty text and an unknown place find nothing', () => {
  expect(placesFor('  ', 'en')).toEqual([]);
  expect(placesFor('Atlantis', 'en')).toEqual([]);
});
