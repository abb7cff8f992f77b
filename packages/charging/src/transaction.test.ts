import { assert, integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { isNamed } from './transaction.ts';

test('a number names a charge from 1 on: firmware that started offline invents zero and negative ones', () => {
  expect([isNamed(-1), isNamed(0), isNamed(1)]).toEqual([false, false, true]);
  assert(
    property(integer(), (number) => {
      expect(isNamed(number)).toBe(number >= 1);
    }),
  );
});

test('a text names a charge unless it is nothing but zeros', () => {
  for (const text of ['', '0', '0'.repeat(32)]) expect(isNamed(text)).toBe(false);
  assert(
    property(nat(40), nat(40), (before, after) => {
      for (const sign of ['1', '9', 'A', ' ']) {
        expect(isNamed('0'.repeat(before) + sign + '0'.repeat(after))).toBe(true);
      }
    }),
  );
});
