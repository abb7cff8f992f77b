import { columnWidthsPx } from '@voltdeck/contract/views';
import { describe, expect, test } from 'vitest';
import { arrangeColumns, moveColumn, noColumnChoice, widenColumn } from './list-columns.ts';

const columns = [{ key: 'number' }, { key: 'a' }, { key: 'b', initiallyHidden: true }, { key: 'c' }];
const keys = (choice = noColumnChoice) => arrangeColumns(columns, choice).map((item) => item.column.key);

describe('columns', () => {
  test("the columns of a list follow the list's order until the user chooses", () => {
    expect(keys()).toEqual(['number', 'a', 'b', 'c']);
    expect(arrangeColumns(columns, noColumnChoice).map((item) => item.isShown)).toEqual([true, true, false, true]);
  });

  test('the columns of a list keep the first one first, shown and pinned', () => {
    const choice = {
      ...noColumnChoice,
      order: ['c', 'number', 'a'],
      shown: { number: false },
      pinned: { number: false },
    };
    expect(arrangeColumns(columns, choice)[0]).toMatchObject({
      column: { key: 'number' },
      isShown: true,
      isPinned: true,
    });
  });

  test('the columns of a list start with the pinned ones', () => {
    expect(keys({ ...noColumnChoice, pinned: { c: true } })).toEqual(['number', 'c', 'a', 'b']);
  });

  test('the columns of a list move one place at a time and not past the ends', () => {
    const moved = moveColumn(columns, noColumnChoice, 'c', -1);
    expect(keys(moved)).toEqual(['number', 'a', 'c', 'b']);
    expect(moveColumn(columns, noColumnChoice, 'a', -1)).toBe(noColumnChoice);
    expect(moveColumn(columns, noColumnChoice, 'c', 1)).toBe(noColumnChoice);
  });

  test('the columns of a list that a stored choice does not know keep their place', () => {
    expect(keys({ ...noColumnChoice, order: ['c', 'gone', 'a'] })).toEqual(['number', 'c', 'b', 'a']);
  });
});

test('a column width stays within readable limits and can be reset', () => {
  const wide = widenColumn(noColumnChoice, 'a', 212.4);
  expect(wide.widthsPx).toEqual({ a: 212 });
  expect(arrangeColumns(columns, wide).map((item) => item.chosenPx)).toEqual([null, 212, null, null]);
  expect(widenColumn(wide, 'a', 2).widthsPx).toEqual({ a: columnWidthsPx.min });
  expect(widenColumn(wide, 'a', 9_999).widthsPx).toEqual({ a: columnWidthsPx.max });
  expect(widenColumn(wide, 'a', null)).toEqual(noColumnChoice);
});
