import { expect, test } from 'vitest';
import { rowAfter } from './row-keys.ts';

test('arrow keys move by one row, page keys by the visible rows, and none leaves the list', () => {
  const from = (key: string, at: number) => rowAfter(key, at, 20, 8);
  expect([from('ArrowDown', -1), from('ArrowDown', 0), from('ArrowDown', 19)]).toEqual([0, 1, 19]);
  expect([from('ArrowUp', -1), from('ArrowUp', 5), from('ArrowUp', 0)]).toEqual([0, 4, 0]);
  expect([from('PageDown', 3), from('PageDown', 15), from('PageUp', 15), from('PageUp', 3)]).toEqual([11, 19, 7, 0]);
  expect([from('Home', 7), from('End', 7)]).toEqual([0, 19]);
  expect(from('a', 3)).toBeNull();
  expect(rowAfter('ArrowDown', -1, 0, 8)).toBeNull();
  expect(rowAfter('PageDown', 0, 20, 0)).toBe(1);
});
