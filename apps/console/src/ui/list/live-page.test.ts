import type { ConsoleEvent } from '@voltdeck/contract/events';
import { expect, test } from 'vitest';
import { patchedPage } from './live-page.ts';

const event: ConsoleEvent = { kind: 'missed' };
const page = {
  items: [
    { id: 1, n: 0 },
    { id: 2, n: 0 },
  ],
  total: 2,
};
type Row = (typeof page.items)[number];
const concerns = (row: Row) => row.id === 2;

test('an event changes the row that it concerns and no other', () => {
  const after = patchedPage(page, event, { concerns, patch: (row) => ({ ...row, n: 5 }) });
  expect(after).toEqual({
    items: [
      { id: 1, n: 0 },
      { id: 2, n: 5 },
    ],
    total: 2,
  });
});

test('a row that left the list is removed and subtracted from the total', () => {
  expect(patchedPage(page, event, { concerns, patch: () => null })).toEqual({ items: [{ id: 1, n: 0 }], total: 1 });
});

test('an event about no shown row leaves the page unchanged', () => {
  expect(patchedPage(page, event, { concerns: () => false, patch: (row) => row })).toBe(page);
});
