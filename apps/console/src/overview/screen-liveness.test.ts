import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { hearingAfter, lateAfterMs, livenessOf, neverLost } from './screen-liveness.ts';

/** By the page's own clock. */
const at = 1_000_000;
/** By the machine's. */
const noon = instant(Date.UTC(2026, 10, 29, 12));
const clocks = (laterMs: number) => ({ nowMs: at + laterMs, now: instant(noon + laterMs) });

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

  test('nothing that never came is live', () => {
    expect(livenessOf({ receivedAtMs: 0, ageMs: 0 }, 0, at)).toBe('none');
  });
});

test('a connection is lost from its first failure on and heard again from its next opening', () => {
  expect(hearingAfter(neverLost, 'connecting', clocks(0))).toBe(neverLost);
  expect(hearingAfter(neverLost, 'open', clocks(0))).toBe(neverLost);
  const lost = hearingAfter(neverLost, 'lost', clocks(0));
  expect(lost).toEqual({ heardSinceMs: null, lostAt: noon });
  expect(hearingAfter(lost, 'lost', clocks(5_000))).toBe(lost);
  expect(hearingAfter(lost, 'open', clocks(9_000))).toEqual({ heardSinceMs: at + 9_000, lostAt: null });
});
