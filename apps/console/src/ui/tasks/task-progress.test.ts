import { instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { clockText, percentOf, usedMs } from './task-progress.ts';

test('a running task never shows 100 percent', () => {
  expect(percentOf({ state: 'running', doneCount: 1_000, totalCount: 1_000 })).toBe(99);
  expect(percentOf({ state: 'running', doneCount: 333, totalCount: 1_000 })).toBe(33);
  expect(percentOf({ state: 'done', doneCount: 990, totalCount: 1_000 })).toBe(100);
});

test('a task without a count has no percentage, and an empty export is at zero', () => {
  expect(percentOf({ state: 'running', doneCount: 12, totalCount: null })).toBeNull();
  expect(percentOf({ state: 'waiting', doneCount: 0, totalCount: 0 })).toBe(0);
});

test('the time used runs until the end, and never backwards', () => {
  const startedAt = '2026-11-21T08:00:00.000Z';
  const now = instant(Date.parse('2026-11-21T08:00:07.000Z'));
  expect(usedMs({ startedAt: null, endedAt: null }, now)).toBeNull();
  expect(usedMs({ startedAt, endedAt: null }, now)).toBe(7_000);
  expect(usedMs({ startedAt, endedAt: '2026-11-21T08:00:03.000Z' }, now)).toBe(3_000);
  expect(usedMs({ startedAt: '2026-11-21T08:00:09.000Z', endedAt: null }, now)).toBe(0);
});

test('the time used is formatted as a clock', () => {
  expect(clockText(7_900)).toBe('0:07');
  expect(clockText(3_723_000)).toBe('1:02:03');
});
