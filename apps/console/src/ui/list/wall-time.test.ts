import { expect, test } from 'vitest';
import { isoOfWallTime, wallTimeOf } from './wall-time.ts';

test('a picker shows Shanghai time and returns the same instant, wherever the browser is', () => {
  const iso = '2026-11-20T16:00:00.000Z';
  const wall = wallTimeOf(iso);
  expect(wall?.format('YYYY-MM-DD HH:mm:ss')).toBe('2026-11-21 00:00:00');
  expect(wall === null ? null : isoOfWallTime(wall)).toBe(iso);
});

test('an empty or invalid text is no time', () => {
  expect(wallTimeOf(undefined)).toBeNull();
  expect(wallTimeOf('tomorrow')).toBeNull();
});
