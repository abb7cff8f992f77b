import type { StationId } from '@voltdeck/units/id';
import { expect, test } from 'vitest';
import { FramePace, type FramePaceLimits, FramePaces } from './frame-pace.ts';

const limits: FramePaceLimits = {
  framesPerSecond: 100,
  burstFrames: 20,
  bytesPerFrame: 1_000,
  restMs: 50,
  rememberedMax: 2,
};
const short = 10;

/** How many frames are taken before the pace asks for a pause, and for how long. */
function taken(pace: FramePace, nowMs: number, bytes = short): { frames: number; restMs: number } {
  for (let frames = 1; ; frames += 1) {
    const restMs = pace.take(bytes, nowMs);
    if (restMs > 0) return { frames, restMs };
  }
}

test('a frame pace takes a burst at once, and then no more than the sustained pace', () => {
  const pace = new FramePace(limits);
  expect(taken(pace, 1_000)).toEqual({ frames: 21, restMs: 60 });
  expect(taken(pace, 1_060)).toEqual({ frames: 6, restMs: 60 });
  // The whole burst again, and no more, however long the silence was.
  expect(taken(pace, 100_000)).toEqual({ frames: 21, restMs: 60 });
});

test('a station at the sustained pace is never paused', () => {
  const pace = new FramePace(limits);
  for (let nowMs = 0; nowMs < 10_000; nowMs += 10) expect(pace.take(short, nowMs)).toBe(0);
});

test('a long frame counts as several', () => {
  expect(taken(new FramePace(limits), 0, 4_500).frames).toBe(5);
});

test('a flooding station gains nothing by reconnecting, and one that does not flood is forgotten', () => {
  const paces = new FramePaces(limits);
  const [loud, quiet] = [1, 2] as StationId[] as [StationId, StationId];
  const first = paces.open(loud);
  taken(first, 1_000);
  paces.close(loud, first, 1_000);
  expect(paces.open(loud)).toBe(first);
  const other = paces.open(quiet);
  other.take(short, 1_000);
  paces.close(quiet, other, 1_000);
  expect(paces.open(quiet)).not.toBe(other);
});

test('the number of remembered stations is limited', () => {
  const paces = new FramePaces(limits);
  const left = ([1, 2, 3] as StationId[]).map((stationId) => {
    const pace = paces.open(stationId);
    taken(pace, 1_000);
    paces.close(stationId, pace, 1_000);
    return { stationId, pace };
  });
  expect(left.map(({ stationId, pace }) => paces.open(stationId) === pace)).toEqual([false, false, true]);
});
