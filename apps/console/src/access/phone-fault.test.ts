import { expect, test } from 'vitest';
import { phoneFault } from './phone-fault.ts';

test('a phone is eleven digits and nothing else (specification section 5)', () => {
  expect(phoneFault('')).toBe('access.phoneMissing');
  expect(phoneFault('1381234567a')).toBe('access.phoneDigits');
  expect(phoneFault('1381234567')).toBe('access.phoneLength');
  expect(phoneFault('138123456789')).toBe('access.phoneLength');
  expect(phoneFault(' 13812345678 ')).toBeNull();
});
