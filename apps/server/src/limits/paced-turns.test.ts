import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PacedTurns } from './paced-turns.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const limits = { perTick: 2, tickMs: 10, waiting: 3 };

test('a limited number of tasks run per tick, and the others follow in order', () => {
  const turns = new PacedTurns(limits);
  const ran: number[] = [];
  const taken = [1, 2, 3, 4, 5, 6].map((number) => turns.take(() => ran.push(number)));
  expect([ran, taken]).toEqual([
    [1, 2],
    [true, true, true, true, true, false],
  ]);
  vi.advanceTimersByTime(10);
  expect(ran).toEqual([1, 2, 3, 4]);
  expect(turns.take(() => ran.push(7))).toBe(true);
  vi.advanceTimersByTime(10);
  expect(ran).toEqual([1, 2, 3, 4, 5, 7]);
});

test('no timer runs while there are no tasks', () => {
  const turns = new PacedTurns(limits);
  turns.take(() => undefined);
  vi.advanceTimersByTime(20);
  expect(vi.getTimerCount()).toBe(0);
  const ran: number[] = [];
  turns.take(() => ran.push(1));
  turns.take(() => ran.push(2));
  turns.take(() => ran.push(3));
  turns.close();
  vi.advanceTimersByTime(100);
  expect([ran, vi.getTimerCount()]).toEqual([[1, 2], 0]);
});
