import { expect, test } from 'vitest';
import { fenOfYuan, yuanOfFen } from './typed-yuan.ts';

test.each([
  ['12', '1200'],
  ['12.5', '1250'],
  ['¥1,234.05', '123405'],
  ['0.07', '7'],
])('a typed amount of %s yuan filters by %s fen', (typed, amountFen) => {
  expect(fenOfYuan(typed, 10_000_000)).toBe(amountFen);
  expect(fenOfYuan(yuanOfFen(amountFen), 10_000_000)).toBe(amountFen);
});

test.each(['', '-1', '1.234', 'twelve', '100000.01'])('%j is no amount to filter by', (typed) => {
  expect(fenOfYuan(typed, 10_000_000)).toBeNull();
});
