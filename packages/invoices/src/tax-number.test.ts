import { describe, expect, test } from 'vitest';
import { isCreditCode, isTaxNumber } from './tax-number.ts';

/** Published codes of companies and administrations. */
const real = ['91350100M000100Y43', '91330106673959654P', '91110000802100433B', '12100000000018032A'];
const characters = '0123456789ABCDEFGHJKLMNPQRTUWXY';

describe('a unified social credit code (GB 32100-2015)', () => {
  test.each(real)('%s is one', (code) => {
    expect(isCreditCode(code)).toBe(true);
  });

  test('every change of a single character is found', () => {
    for (const code of real) {
      for (let at = 0; at < code.length; at += 1) {
        for (const character of characters) {
          if (character === code[at]) continue;
          const changed = code.slice(0, at) + character + code.slice(at + 1);
          expect([changed, isCreditCode(changed)]).toEqual([changed, false]);
        }
      }
    }
  });

  test.each([
    '',
    '91350100M000100Y4',
    '91350100M000100Y430',
    '9135010OM000100Y43',
    '91350100I000100Y43',
    'X'.repeat(18),
  ])('%j is none', (code) => {
    expect(isCreditCode(code)).toBe(false);
  });
});

test('a tax number is a credit code, or has the 15 or 20 characters of older ones', () => {
  expect(isTaxNumber('91350100M000100Y43')).toBe(true);
  expect(isTaxNumber('91350100M000100Y44')).toBe(false);
  expect(isTaxNumber('110108751234567')).toBe(true);
  expect(isTaxNumber('11010519491231002X01')).toBe(true);
  for (const text of ['', '1101087512345', '11010875123456', '1101087512345a7', '110108 51234567']) {
    expect([text, isTaxNumber(text)]).toEqual([text, false]);
  }
});
