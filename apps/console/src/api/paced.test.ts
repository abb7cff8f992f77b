import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pacer } from './paced.ts';

describe('pacer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a pacer acts at once, then once more at the end of the gap however often it was asked', () => {
    const act = vi.fn();
    const paced = pacer(act, 3000, () => Date.now());
    paced.ask();
    paced.ask();
    paced.ask();
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2999);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(60_000);
    expect(act).toHaveBeenCalledTimes(2);
  });

  test('a page that has gone asks for nothing any more', () => {
    const act = vi.fn();
    const paced = pacer(act, 3000, () => Date.now());
    paced.ask();
    paced.ask();
    paced.stop();
    vi.advanceTimersByTime(10_000);
    expect(act).toHaveBeenCalledTimes(1);
  });
});
