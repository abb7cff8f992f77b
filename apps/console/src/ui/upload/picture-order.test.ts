import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moved } from './picture-order.ts';

test('a moved picture leaves the others in order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});

test('moving a picture loses and duplicates nothing, and moving it back restores the order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 9 }),
      fc.nat(12),
      fc.nat(12),
      (list, from, to) => {
        const result = moved(list, from, to);
        expect([...result].sort()).toEqual([...list].sort());
        if (from < list.length && to < list.length) {
          expect(result[to]).toBe(list[from]);
          expect(moved(result, to, from)).toEqual(list);
        }
      },
    ),
  );
});
