import { expect, test } from 'vitest';
import { exchangeFaults } from './exchange.ts';

test('every fault of an exchange has a code of its own, spelt as protocols spell theirs', () => {
  const codes = Object.values(exchangeFaults);
  expect(codes.length).toBeGreaterThan(1);
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) expect(code).toMatch(/^([A-Z][a-z]+)+$/);
});
