import { array, assert, bigInt, constant, constantFrom, integer, oneof, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addFen,
  feeFen,
  feeFenOfTenths,
  fen,
  formatYuan,
  groupedYuan,
  minFen,
  parseYuan,
  priceE5,
  splitFen,
  subtractFen,
} from './money.ts';

/** As much as twelve digits of yuan. */
const fenMax = 99_999_999_999_999;
const anAmount = integer({ min: -fenMax, max: fenMax }).map(fen);
/** Not safe integers: fractions, non-numbers, and whole numbers that doubles confuse with their neighbours. */
const inexact = [
  0.1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER - 1,
];

describe('an amount of money', () => {
  test('an amount is a whole number of fen within the safe range, and anything else is a bug', () => {
    for (const value of inexact) expect(() => fen(value)).toThrow(RangeError);
    for (const value of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) expect(fen(value)).toBe(value);
  });

  test('an amount that leaves the safe range by adding or subtracting is a bug, not a near miss', () => {
    const most = fen(Number.MAX_SAFE_INTEGER);
    expect(() => addFen(most, fen(1))).toThrow(RangeError);
    expect(() => subtractFen(fen(-2), most)).toThrow(RangeError);
  });

  test('the sum of no amounts is zero, and of several their sum', () => {
    expect(addFen()).toBe(0);
    expect(addFen(fen(1), fen(20), fen(-300))).toBe(-279);
  });

  test('an amount that is subtracted and added again is unchanged', () => {
    assert(
      property(anAmount, anAmount, (from, amount) => {
        expect(addFen(subtractFen(from, amount), amount)).toBe(from);
        expect(subtractFen(from, amount)).toBe(-subtractFen(amount, from) + 0);
      }),
    );
  });

  test('the smaller of two amounts is above neither', () => {
    assert(
      property(anAmount, anAmount, (a, b) => {
        const least = minFen(a, b);
        expect([a, b]).toContain(least);
        expect(least <= a && least <= b).toBe(true);
      }),
    );
  });
});

describe('a price', () => {
  test('a price may be zero, but never negative', () => {
    expect(priceE5(0)).toBe(0);
    expect(() => priceE5(-1)).toThrow(RangeError);
  });

  test('a price is exact to 1e-5 yuan', () => {
    for (const value of inexact) expect(() => priceE5(value)).toThrow(RangeError);
  });
});

describe('a fee', () => {
  const perKwh = priceE5(100_000);

  test('a fee is energy times price: 500 Wh at 1 yuan per kWh are 50 fen', () => {
    expect(feeFen(500, perKwh)).toBe(50);
    expect(feeFenOfTenths(5_000, perKwh)).toBe(50);
  });

  test('a fee is rounded half up to the fen', () => {
    expect([4, 5, 14, 15].map((energyWh) => feeFen(energyWh, perKwh))).toEqual([0, 1, 1, 2]);
    expect([49, 50, 149, 150].map((energyTenthsWh) => feeFenOfTenths(energyTenthsWh, perKwh))).toEqual([0, 1, 1, 2]);
  });

  test('a fee for no energy, or at a price of zero, is zero', () => {
    expect([feeFen(0, perKwh), feeFen(1_000_000, priceE5(0))]).toEqual([0, 0]);
  });

  test('a fee for negative or inexact energy is a bug', () => {
    for (const energy of [-1, ...inexact]) {
      expect(() => feeFen(energy, perKwh)).toThrow(RangeError);
      expect(() => feeFenOfTenths(energy, perKwh)).toThrow(RangeError);
    }
  });

  test('a fee is never more than half a fen from the exact product, however large, and a tie is rounded up', () => {
    const anEnergy = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const aPrice = integer({ min: 0, max: 1_000_000 }).map(priceE5);
    const isNearest = (fee: number, energy: number, price: number, perFen: bigint) => {
      const doubled = 2n * BigInt(energy) * BigInt(price);
      const from = (2n * BigInt(fee) - 1n) * perFen;
      return from <= doubled && doubled < from + 2n * perFen;
    };
    assert(
      property(anEnergy, aPrice, (energy, price) => {
        // Reduced to a charge whose fee fits.
        const fitting = Math.floor(energy / 1_000);
        expect(isNearest(feeFen(fitting, price), fitting, price, 1_000_000n)).toBe(true);
        expect(isNearest(feeFenOfTenths(fitting, price), fitting, price, 10_000_000n)).toBe(true);
      }),
    );
  });

  test('a fee is exact where doubles are not: a hair below half a fen, beyond and at the edge of the safe range', () => {
    expect(feeFen(90_071_599_999, priceE5(100_001))).toBe(9_007_250_071);
    expect(feeFen(1_286_742_750_642_857, priceE5(7))).toBe(9_007_199_254);
    expect(feeFen(1_286_742_750_571_427, priceE5(7))).toBe(9_007_199_254);
  });

  test('a fee beyond the safe range is a bug', () => {
    expect(() => feeFen(Number.MAX_SAFE_INTEGER, priceE5(10_000_000))).toThrow(RangeError);
  });
});

describe('a split', () => {
  const weights = array(oneof(constant(0), integer({ min: 0, max: 1_000_000 })), {
    minLength: 1,
    maxLength: 12,
  }).filter((all) => all.some((weight) => weight > 0));
  const amount = integer({ min: 0, max: fenMax }).map(fen);

  test('a split adds up to the whole, and gives nothing to a weight of zero', () => {
    assert(
      property(amount, weights, (whole, all) => {
        const parts = splitFen(whole, all);
        expect(parts).toHaveLength(all.length);
        expect(addFen(...parts)).toBe(whole);
        for (const [index, part] of parts.entries()) {
          expect(part).toBeGreaterThanOrEqual(0);
          if (all[index] === 0) expect(part).toBe(0);
        }
      }),
    );
  });

  test('a split gives every part and those before it their share together, rounded half up', () => {
    assert(
      property(amount, weights, (whole, all) => {
        const total = BigInt(all.reduce((sum, weight) => sum + weight, 0));
        let weightSoFar = 0n;
        let given = 0n;
        for (const [index, part] of splitFen(whole, all).entries()) {
          weightSoFar += BigInt(all[index] ?? 0);
          given += BigInt(part);
          const doubled = 2n * BigInt(whole) * weightSoFar;
          expect((2n * given - 1n) * total <= doubled && doubled < (2n * given + 1n) * total).toBe(true);
        }
      }),
    );
  });

  test('a split of an odd fen between equals gives it to the first', () => {
    expect(splitFen(fen(3), [1, 1])).toEqual([2, 1]);
  });

  test('a split of zero gives zero to each', () => {
    expect(splitFen(fen(0), [1, 2])).toEqual([0, 0]);
  });

  test('a split of a negative amount, or by weights that are negative, fractional or all zero, is a bug', () => {
    expect(() => splitFen(fen(-1), [1, 1])).toThrow(RangeError);
    for (const wrong of [[0], [0, 0], [], [-1, 3], [3, -1], [0.5, 0.5]]) {
      expect(() => splitFen(fen(100), wrong)).toThrow(RangeError);
    }
  });
});

describe('an amount as text', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [10, '0.10'],
    [123_456, '1234.56'],
    [-100, '-1.00'],
  ])('%i fen are written "%s"', (amount, text) => {
    expect(formatYuan(fen(amount))).toBe(text);
  });

  test.each([
    [0, '0.00'],
    [99_999, '999.99'],
    [100_000, '1,000.00'],
    [-12_345_678, '-123,456.78'],
    [123_456_789_00, '123,456,789.00'],
  ])('%i fen are "%s" on paper', (amount, text) => {
    expect(groupedYuan(fen(amount))).toBe(text);
  });

  test('a written amount is parsed to the same amount', () => {
    assert(
      property(anAmount, (amount) => {
        expect(parseYuan(formatYuan(amount))).toBe(amount + 0);
      }),
    );
  });

  test.each([
    ['12', 1_200],
    ['12.3', 1_230],
    ['12.34', 1_234],
    ['-0.01', -1],
    ['-0', 0],
    ['007', 700],
    [' 12 ', 1_200],
    ['999999999999.99', fenMax],
  ])('"%s" is read as %i fen', (text, amount) => {
    expect(parseYuan(text)).toBe(amount);
  });

  test.each([
    '',
    '-',
    '.',
    '1.',
    '.5',
    '1.234',
    '1,000',
    '+1',
    '1e3',
    '--1',
    '- 1',
    '¥1',
    '1 yuan',
    '1\n2',
    '１',
    '1'.repeat(13),
  ])('"%s" is not an amount', (text) => {
    expect(parseYuan(text)).toBeNull();
  });

  test('an amount with anything before or after it is refused', () => {
    const strange = constantFrom('x', '元', '.', '-', ',');
    assert(
      property(tuple(anAmount, strange), ([amount, sign]) => {
        expect(parseYuan(`${formatYuan(amount)}${sign}`)).toBeNull();
        expect(parseYuan(`${sign}-${formatYuan(amount)}`)).toBeNull();
      }),
    );
  });
});

test('large integers keep their last fen through every step', () => {
  assert(
    property(bigInt({ min: 1n, max: BigInt(fenMax) }), (amount) => {
      const whole = fen(Number(amount));
      const [part = fen(0), rest = fen(0)] = splitFen(whole, [1, 2]);
      expect(BigInt(part) + BigInt(rest)).toBe(amount);
    }),
  );
});
