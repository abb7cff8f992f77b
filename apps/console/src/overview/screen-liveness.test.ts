import { describe, expect, test } from 'vitest';
import { hearingAfter, lateAfterMs, livenessOf, neverLost } from './screen-liveness.ts';

const at = 1_000_000;

describe('whether a figure may be shown as of now', () => {
  test('an answer is live until it is older than its bound, its age at the server included', () => {
    expect(livenessOf({ receivedAtMs: at, ageMs: 0 }, 0, at + lateAfterMs)).toBe('live');
    expect(livenessOf({ receivedAtMs: at, ageMs: 0 }, 0, at + lateAfterMs + 1)).toBe('old');
    expect(livenessOf({ receivedAtMs: at, ageMs: 15_000 }, 0, at + lateAfterMs - 15_000)).toBe('live');
    expect(livenessOf({ receivedAtMs: at, ageMs: 15_000 }, 0, at + lateAfterMs - 14_999)).toBe('old');
  });

  test('nothing is live while the server cannot be heard, however fresh it is', () => {
    expect(livenessOf({ receivedAtMs: at, ageMs: 0 }, null, at)).toBe('gone');
  });

  test('an answer from before a reconnect is not live after it', () => {
    expect(livenessOf({ receivedAtMs: at, ageMs: 0 }, at + 1, at + 2)).toBe('earlier');
    expect(livenessOf({ receivedAtMs: at + 1, ageMs: 0 }, at + 1, at + 2)).toBe('live');
  });

  test('nothing that never came is live, and neither is what a clock that was set back has in its future', () => {
    expect(livenessOf({ receivedAtMs: 0, ageMs: 0 }, 0, at)).toBe('none');
    expect(livenessOf({ receivedAtMs: at, ageMs: 0 }, 0, at - lateAfterMs - 1)).toBe('old');
  });
});

test('a connection is lost from its first failure on and heard again from its next opening', () => {
  expect(hearingAfter(neverLost, 'connecting', at)).toBe(neverLost);
  expect(hearingAfter(neverLost, 'open', at)).toBe(neverLost);
  const lost = hearingAfter(neverLost, 'lost', at);
  expect(lost).toEqual({ heardSinceMs: null, lostAtMs: at });
  expect(hearingAfter(lost, 'lost', at + 5_000)).toBe(lost);
  expect(hearingAfter(lost, 'open', at + 9_000)).toEqual({ heardSinceMs: at + 9_000, lostAtMs: null });
});
