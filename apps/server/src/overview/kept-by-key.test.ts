import { type Instant, instant } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { keptByKey } from './kept-by-key.ts';

const keptMs = 2_000;

/** Keeps readings that end when they are told to. */
function keeping(max = 10) {
  let at: Instant = instant(0);
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const kept = keptByKey<number>({ max, keptMs, now: () => at });
  return {
    ask: (key = 'all') => kept(key, () => new Promise((resolve, reject) => ends.push({ resolve, reject }))),
    /** Readings that were begun. */
    ends,
    pass: (ms: number) => {
      at = instant(at + ms);
    },
  };
}

test('a reading that lasts longer than it is kept is shared and not begun again', async () => {
  const { ask, ends, pass } = keeping();
  const asked = Array.from({ length: 28 }, () => {
    pass(500);
    return ask();
  });
  expect(ends).toHaveLength(1);
  ends[0]?.resolve(7);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([7]));
});

test('its age begins when it is done', async () => {
  const { ask, ends, pass } = keeping();
  const first = ask();
  pass(10 * keptMs);
  ends[0]?.resolve(1);
  await first;
  pass(keptMs - 1);
  expect(await ask()).toBe(1);
  pass(1);
  const second = ask();
  ends[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('a clock that was set back does not make it last', async () => {
  const { ask, ends, pass } = keeping();
  const first = ask();
  ends[0]?.resolve(1);
  await first;
  pass(-1);
  const second = ask();
  ends[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('a failed one is not kept, and the oldest key makes room', async () => {
  const { ask, ends } = keeping(1);
  const failing = ask();
  ends[0]?.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  const again = ask();
  ends[1]?.resolve(2);
  expect(await again).toBe(2);
  void ask('another');
  void ask();
  expect(ends).toHaveLength(4);
});
