import { expect, test } from 'vitest';
import { spotTowards } from './site-map-keys.ts';

const middle = { key: 'middle', x: 100, y: 100 };
const spots = [
  middle,
  { key: 'near right', x: 140, y: 105 },
  { key: 'far right', x: 300, y: 100 },
  { key: 'above', x: 110, y: 20 },
  { key: 'lower left', x: 20, y: 180 },
];

test.each([
  ['ArrowRight', 'near right'],
  ['ArrowUp', 'above'],
  ['ArrowLeft', 'lower left'],
  ['ArrowDown', 'lower left'],
])('%s leads to the nearest mark in that direction', (key, expected) => {
  expect(spotTowards(spots, middle, key)?.key).toBe(expected);
});

test('an arrow leads nowhere when there is no mark in its direction, and other keys never do', () => {
  expect(spotTowards(spots, { key: 'far right', x: 300, y: 100 }, 'ArrowRight')).toBeNull();
  expect(spotTowards(spots, middle, 'Enter')).toBeNull();
  expect(spotTowards([middle], middle, 'ArrowUp')).toBeNull();
});
