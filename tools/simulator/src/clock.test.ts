import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveClock, scriptedClock, TimerGroup } from './clock.ts';
import { TimerQueue } from './timer-queue.ts';

describe('a timer queue', () => {
  test('a timer queue runs timers that were not cancelled, by time and then in order of adding', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat({ max: 50 }), cancelled: fc.boolean() }), { maxLength: 300 }),
        (wanted) => {
          const queue = new TimerQueue();
          const ran: number[] = [];
          const cancels = wanted.map(({ at }, index) => queue.add(at, () => ran.push(index)));
          wanted.forEach(({ cancelled }, index) => {
            if (cancelled) cancels[index]?.();
          });
          const expected = wanted
            .map(({ at, cancelled }, index) => ({ at, cancelled, index }))
            .filter(({ cancelled }) => !cancelled)
            .sort((a, b) => a.at - b.at || a.index - b.index)
            .map(({ index }) => index);
          expect(queue.size).toBe(expected.length);
          for (let run = queue.takeDue(50); run !== null; run = queue.takeDue(50)) run();
          expect(ran).toEqual(expected);
          expect(queue.size).toBe(0);
          expect(queue.nextAt()).toBeNull();
        },
      ),
    );
  });

  test('a timer queue keeps timers that are not due', () => {
    const queue = new TimerQueue();
    queue.add(10, () => {});
    expect(queue.takeDue(9)).toBeNull();
    expect(queue.nextAt()).toBe(10);
  });
});

describe('a scripted clock', () => {
  test('a scripted clock moves only when played and jumps from timer to timer', async () => {
    const clock = scriptedClock(1_000);
    const seen: number[] = [];
    clock.after(500, () => {
      seen.push(clock.now());
      clock.after(100, () => seen.push(clock.now()));
    });
    clock.after(10_000, () => seen.push(clock.now()));
    expect(clock.now()).toBe(1_000);
    await clock.play(5_000);
    expect(seen).toEqual([1_500, 1_600]);
    expect(clock.now()).toBe(6_000);
    expect(clock.pendingTimers()).toBe(1);
  });

  test('a scripted clock waits while something is held', async () => {
    const clock = scriptedClock(0);
    const order: string[] = [];
    const release = clock.hold();
    clock.after(1, () => order.push('timer'));
    const played = clock.play(10);
    clock.afterReal(20, () => {
      order.push('answer');
      release();
    });
    await played;
    expect(order).toEqual(['answer', 'timer']);
  });

  test('a scripted clock lets the other side act before each jump', async () => {
    const seen: string[] = [];
    const clock = scriptedClock(0, async () => {
      seen.push(`say at ${clock.now()}`);
    });
    clock.after(5, () => seen.push('timer at 5'));
    await clock.play(10);
    expect(seen).toEqual(['say at 0', 'timer at 5', 'say at 5']);
  });

  test('a scripted clock reports whether a condition came true within the limit', async () => {
    const clock = scriptedClock(0);
    let happened = false;
    clock.after(1_000, () => {
      happened = true;
    });
    expect(await clock.playUntil(() => happened, 999)).toBe(false);
    expect(await clock.playUntil(() => happened, 1)).toBe(true);
  });
});

describe('a live clock', () => {
  test('a live clock plays event time faster than real time', async () => {
    const clock = liveClock({ startAt: 0, factor: 1_000 });
    await new Promise<void>((resolve) => clock.after(60_000, resolve));
    expect(clock.now()).toBeGreaterThanOrEqual(55_000);
    expect(clock.pendingTimers()).toBe(0);
  });

  test("a live clock's cancelled group leaves nothing behind", () => {
    const clock = liveClock();
    const group = new TimerGroup(clock);
    group.after(1_000, () => {});
    group.after(2_000, () => {});
    expect(clock.pendingTimers()).toBe(2);
    group.cancelAll();
    expect(clock.pendingTimers()).toBe(0);
  });

  test('a live clock refuses a factor of zero', () => {
    expect(() => liveClock({ factor: 0 })).toThrow(RangeError);
  });
});
