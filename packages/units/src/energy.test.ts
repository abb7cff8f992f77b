import { assert, maxSafeInteger, property } from 'fast-check';
import { expect, test } from 'vitest';
import { milliamperes, millivolts, wattHours, watts } from './energy.ts';

const quantities = { wattHours, watts, milliamperes, millivolts };

test.each(Object.entries(quantities))('%s are safe integers, and anything else is a bug', (_, quantity) => {
  assert(
    property(maxSafeInteger(), (value) => {
      expect(quantity(value)).toBe(value);
    }),
  );
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53, -(2 ** 53)]) {
    expect(() => quantity(value)).toThrow(RangeError);
  }
});
