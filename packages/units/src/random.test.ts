import { expect, test } from 'vitest';
import { randomFrom } from './random.ts';

const draw = (seed: number, below: number, count: number) => {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => random(below));
};

test('a seed draws the same numbers every time, and another seed others', () => {
  expect(draw(7, 1_000, 100)).toEqual(draw(7, 1_000, 100));
  expect(draw(7, 1_000, 100)).not.toEqual(draw(8, 1_000, 100));
});

test('random whole numbers lie from 0 up to below the bound, each about as often', () => {
  const counts = new Map<number, number>();
  for (const drawn of draw(1, 10, 100_000)) counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});
