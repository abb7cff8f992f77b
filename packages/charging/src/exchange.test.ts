import { expect, test } from 'vitest';
import { exchangeFaults, faultOfUnusable } from './exchange.ts';

test('every fault of an exchange has a code of its own, spelt as protocols spell theirs', () => {
  const codes = Object.values(exchangeFaults);
  expect(codes.length).toBeGreaterThan(1);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code).toMatch(/^([A-Z][a-z]+)+$/);
});

const named = (count: number) => Array.from({ length: count }, (_, index) => `value ${index + 1}`);

test.each([
  [0, null],
  [1, 'value 1'],
  [2, 'value 1; value 2'],
  [8, 'value 1; value 2; value 3; value 4; value 5; value 6; value 7; value 8'],
  [9, 'value 1; value 2; value 3; value 4; value 5; value 6; value 7; value 8; 1 more'],
  [300, 'value 1; value 2; value 3; value 4; value 5; value 6; value 7; value 8; 292 more'],
])('a message accepted without %i of its values names the first eight and counts the rest', (count, description) => {
  const fault = description === null ? null : { code: 'UnusableValue', description };
  expect(faultOfUnusable(named(count))).toEqual(fault);
});
