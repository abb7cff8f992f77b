import { expect, test } from 'vitest';
import { compare } from './comparison.ts';

test('a comparison with yesterday is given in whole percent, and not at all without a yesterday', () => {
  expect(compare(112, 100)).toEqual({ kind: 'up', percent: 12 });
  expect(compare(50, 100)).toEqual({ kind: 'down', percent: 50 });
  expect(compare(1001, 1000)).toEqual({ kind: 'same' });
  expect(compare(5, 0)).toEqual({ kind: 'none' });
});
