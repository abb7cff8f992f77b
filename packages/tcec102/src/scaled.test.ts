import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScaled, writeScaled } from './scaled.ts';

describe('reading', () => {
  test.each([
    ['12.5', 2, 1250, 'exact'],
    ['12.50', 2, 1250, 'exact'],
    ['12.5000000', 2, 1250, 'exact'],
    ['0', 2, 0, 'exact'],
    ['-0.0', 2, 0, 'exact'],
    ['-12.34', 2, -1234, 'exact'],
    ['12.345', 2, 1235, 'rounded'],
    ['12.344', 2, 1234, 'rounded'],
    ['-12.345', 2, -1235, 'rounded'],
    ['30.199999999999996', 2, 3020, 'noise'],
    ['12.340000000000002', 2, 1234, 'noise'],
    ['0.0049', 2, 0, 'rounded'],
    ['0.005', 2, 1, 'rounded'],
    ['1.2E3', 2, 120_000, 'exact'],
    ['1.2e-3', 3, 1, 'rounded'],
    ['15e-1', 0, 2, 'rounded'],
    ['5e-1', 0, 1, 'rounded'],
    ['5e-9', 2, 0, 'rounded'],
    ['1e13', 2, 1e15, 'exact'],
    ['0.00001', 5, 1, 'exact'],
  ])('%s at scale %d is %d, %s', (text, scale, value, exactness) => {
    expect(readScaled(text, scale)).toEqual({ value, exactness });
  });

  test.each(['', 'x', '1.', '.5', '+1', '1e', '1e100', '1e14', '9007199254740993', '0x10', 'NaN', '1'.repeat(60)])(
    '"%s" is no number that fits',
    (text) => {
      expect(readScaled(text, 2)).toBeNull();
    },
  );
});

describe('writing', () => {
  test.each([
    [1250, 2, 2, '12.50'],
    [5, 2, 2, '0.05'],
    [0, 2, 2, '0.00'],
    [-5, 2, 2, '-0.05'],
    [1_234, 3, 2, '1.23'],
    [1_235, 3, 2, '1.24'],
    [-1_235, 3, 2, '-1.24'],
    [4, 3, 2, '0.00'],
    [-4, 3, 2, '0.00'],
    [5, 3, 2, '0.01'],
    [1_235, 3, 4, '1.2350'],
    [995, 3, 2, '1.00'],
    [50, 0, 0, '50'],
    [999, 3, 1, '1.0'],
    [120_000, 5, 4, '1.2000'],
  ])('%d at scale %d with %d digits is "%s"', (value, scale, decimals, text) => {
    expect(writeScaled(value, scale, decimals)).toBe(text);
  });

  test('a number that is not whole is a bug', () => {
    expect(() => writeScaled(0.5, 2, 2)).toThrow(RangeError);
    expect(() => writeScaled(2 ** 53, 2, 2)).toThrow(RangeError);
  });
});

test('what is written with all its digits is read as the same number', () => {
  const scaled = fc.record({ value: fc.maxSafeInteger(), scale: fc.integer({ min: 0, max: 6 }), more: fc.nat(3) });
  fc.assert(
    fc.property(scaled, ({ value, scale, more }) => {
      const text = writeScaled(value, scale, scale + more);
      expect(readScaled(text, scale)).toEqual({ value: value === 0 ? 0 : value, exactness: 'exact' });
      expect(Number(text)).toBeCloseTo(value / 10 ** scale, 0);
    }),
  );
});

test('what a double makes of an amount in fen is read as that amount', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_00), fc.nat(1_000_000_00), (one, other) => {
      const scaled = readScaled(String(one / 100 + other / 100), 2);
      expect(scaled?.value).toBe(one + other);
      expect(scaled?.exactness).not.toBe('rounded');
    }),
  );
});
