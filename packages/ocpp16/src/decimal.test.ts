import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readThousandths, roundThousandths } from './decimal.ts';

describe('readThousandths', () => {
  test.each([
    ['12345', 0, 12_345_000],
    ['12.3456', 3, 12_345_600],
    ['0.0005', 3, 500],
    ['12345.6789', 0, 12_345_678],
    ['-1', 0, -1_000],
    ['+1.5', 0, 1_500],
    ['-0', 0, 0],
    ['.5', 0, 500],
    ['5.', 0, 5_000],
    ['1.2345E4', 0, 12_345_000],
    ['1e-2', 3, 10_000],
    ['0.30000000000000004', 3, 300_000],
    ['000000000000000000001', 0, 1_000],
    ['9007199254740.991', 0, 9_007_199_254_740_991],
    ['0e99', 0, 0],
  ])('readThousandths reads %s with power %i as %i', (text, power, thousandths) => {
    expect(readThousandths(text, power)).toBe(thousandths);
  });

  test.each([
    '',
    '-',
    '.',
    'abc',
    '1,5',
    '1.2.3',
    '1e',
    '1e999',
    ' 1',
    '1 ',
    '0x10',
    'NaN',
    'Infinity',
    '1_0',
    '9007199254741',
    '9'.repeat(41),
  ])('readThousandths refuses %j', (text) => {
    expect(readThousandths(text, 0)).toBeNull();
  });

  test('readThousandths agrees with integer arithmetic for every decimal', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 999_999_999n }),
        fc.stringMatching(/^\d{0,9}$/),
        fc.constantFrom(0, 3),
        fc.boolean(),
        (whole, decimals, power, negative) => {
          const text = `${negative ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
          const scaled = BigInt(`${whole}${decimals}`) * 10n ** BigInt(power + 3);
          const magnitude = Number(scaled / 10n ** BigInt(decimals.length));
          expect(readThousandths(text, power)).toBe(negative && magnitude !== 0 ? -magnitude : magnitude);
        },
      ),
    );
  });
});

describe('roundThousandths', () => {
  test.each([
    [499, 0],
    [500, 1],
    [1_499, 1],
    [1_500, 2],
    [-500, 0],
    [-501, -1],
  ])('roundThousandths rounds %i half up to %i', (thousandths, whole) => {
    expect(roundThousandths(thousandths) + 0).toBe(whole);
  });
});
