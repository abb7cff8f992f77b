import { expect, test } from 'vitest';
import { formerColumns, keptViewsOf, mergedViews, nothingKept, withColumns } from './kept-views.ts';
import { noColumnChoice } from './list-columns.ts';

const wide = { ...noColumnChoice, widthsPx: { name: 300 } };
const set = { id: 7 as never, list: '/stations', name: 'Faulty', query: 'state=fault', isFirst: false };

test('the stored list settings are read back as written', () => {
  const kept = { columns: { '/stations': wide }, filterSets: [set], unsent: ['/stations'] };
  expect(keptViewsOf(JSON.stringify(kept))).toEqual(kept);
  for (const text of [null, '', '{', '[]', '{"columns":{"a":1},"filterSets":[],"unsent":[]}']) {
    expect(keptViewsOf(text)).toBeNull();
  }
});

test('columns that an older version stored per browser are taken over under the list’s current name', () => {
  const former = { order: ['name'], shown: { voltage: true }, pinned: {} };
  const entries = [
    ['voltdeck-columns:3:stations', JSON.stringify(former)],
    ['voltdeck-columns:3:orders-history', JSON.stringify(former)],
    ['voltdeck-columns:3:users', 'null'],
    ['voltdeck-columns:33:stations', JSON.stringify(former)],
    ['layout-setting', '{}'],
  ] as const;
  expect(formerColumns(3, entries)).toEqual({
    '/stations': { ...former, widthsPx: {} },
    'orders-history': { ...former, widthsPx: {} },
  });
});

test('the server’s settings win, except for columns not yet sent to it', () => {
  const here = withColumns(withColumns(nothingKept, '/orders', wide), '/users', null);
  const told = {
    columns: [
      { list: '/orders', choice: noColumnChoice },
      { list: '/users', choice: wide },
      { list: '/stations', choice: wide },
    ],
    filterSets: [set],
  };
  expect(mergedViews(here, told)).toEqual({
    columns: { '/orders': wide, '/stations': wide },
    filterSets: [set],
    unsent: ['/orders', '/users'],
  });
});
