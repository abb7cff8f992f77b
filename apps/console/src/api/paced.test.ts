import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pacer } from './paced.ts';

describe('pacer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('a pacer acts at once, then once more at the end of the gap however often it was called', () => {
    const act = vi.fn();
    const paced = pacer(act, { gapMs: 3000 }, () => Date.now());
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

  test('a pacer whose answers may be two seconds old waits two seconds after each call', () => {
    const act = vi.fn();
    const paced = pacer(act, { gapMs: 3000, delayMs: 2000 }, () => Date.now());
    paced.ask();
    paced.ask();
    vi.advanceTimersByTime(1999);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
    paced.ask();
    vi.advanceTimersByTime(2999);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(2);
  });

  test('a closed page stops asking', () => {
    const act = vi.fn();
    const paced = pacer(act, { gapMs: 3000 }, () => Date.now());
    paced.ask();
    paced.ask();
    paced.stop();
    vi.advanceTimersByTime(10_000);
    expect(act).toHaveBeenCalledTimes(1);
  });
});
