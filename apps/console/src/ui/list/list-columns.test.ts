import { describe, expect, test } from 'vitest';
import { arrangeColumns, moveColumn, noColumnChoice, parseColumnChoice } from './list-columns.ts';

const columns = [{ key: 'number' }, { key: 'a' }, { key: 'b', initiallyHidden: true }, { key: 'c' }];
const keys = (choice = noColumnChoice) => arrangeColumns(columns, choice).map((item) => item.column.key);

describe('columns', () => {
  test('the columns of a list stand as the list says until something is chosen', () => {
    expect(keys()).toEqual(['number', 'a', 'b', 'c']);
    expect(arrangeColumns(columns, noColumnChoice).map((item) => item.isShown)).toEqual([true, true, false, true]);
  });

  test('the columns of a list keep the first one first, shown and pinned', () => {
    const choice = { order: ['c', 'number', 'a'], shown: { number: false }, pinned: { number: false } };
    expect(arrangeColumns(columns, choice)[0]).toMatchObject({
      column: { key: 'number' },
      isShown: true,
      isPinned: true,
    });
  });

  test('put pinned ones before the others', () => {
    expect(keys({ ...noColumnChoice, pinned: { c: true } })).toEqual(['number', 'c', 'a', 'b']);
  });

  test('move one place at a time and not past the ends', () => {
    const moved = moveColumn(columns, noColumnChoice, 'c', -1);
    expect(keys(moved)).toEqual(['number', 'a', 'c', 'b']);
    expect(moveColumn(columns, noColumnChoice, 'a', -1)).toBe(noColumnChoice);
    expect(moveColumn(columns, noColumnChoice, 'c', 1)).toBe(noColumnChoice);
  });

  test('the columns of a list that a remembered choice does not know keep their place', () => {
    expect(keys({ ...noColumnChoice, order: ['c', 'gone', 'a'] })).toEqual(['number', 'c', 'b', 'a']);
  });
});

test('an unreadable choice is no choice', () => {
  for (const text of [null, '', '{', '[]', '{"order":1}', '{"order":[],"shown":{"a":1},"pinned":{}}']) {
    expect(parseColumnChoice(text)).toEqual(noColumnChoice);
  }
  const choice = { order: ['a'], shown: { b: true }, pinned: {} };
  expect(parseColumnChoice(JSON.stringify(choice))).toEqual(choice);
});
