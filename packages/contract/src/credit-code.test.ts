import { expect, test } from 'vitest';
import { isCreditCode } from './credit-code.ts';

test.each([
  // The example of GB 32100-2015, annex A, and codes of well-known companies.
  '91350100M000100Y43',
  '91110108551385082Q',
  '914403001922038216',
  '91440300708461136T',
])('%s has its check character', (code) => {
  expect(isCreditCode(code)).toBe(true);
});

test('every change of one character is found', () => {
  const code = '91350100M000100Y43';
  for (let index = 0; index < code.length; index += 1) {
    for (const other of '0123456789ABCDEFGHJKLMNPQRTUWXY') {
      if (other === code[index]) continue;
      const changed = code.slice(0, index) + other + code.slice(index + 1);
      expect([changed, isCreditCode(changed)]).toEqual([changed, false]);
    }
  }
});

test.each(['', '91350100M000100Y4', '91350100M000100Y433', '91350100I000100Y43', '91350100m000100y43'])(
  '“%s” is no credit code',
  (text) => {
    expect(isCreditCode(text)).toBe(false);
  },
);
