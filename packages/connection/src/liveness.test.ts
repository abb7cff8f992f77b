import { instant, minuteMs, secondMs } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import { aliveAt, deadAfter, lateHeartbeatMs, notePing, notePong, pongWaitMs, unansweredPingsMax } from './liveness.ts';

const now = instant(1_000_000);
const signs = { silenceMs: 10 * minuteMs, heartbeatMs: 4 * minuteMs };

test('a silent line is dead when its silence is too long', () => {
  expect(deadAfter(aliveAt(now), signs)).toBe(now + signs.silenceMs);
});

test('a station that has answered a ping is dead soon after it leaves several unanswered', () => {
  const line = aliveAt(now);
  notePing(line, now);
  notePong(line, now);
  for (let pings = 1; pings < unansweredPingsMax; pings += 1) notePing(line, instant(now + pings * secondMs));
  expect(deadAfter(line, signs)).toBe(now + signs.silenceMs);
  const lastAt = instant(now + minuteMs);
  notePing(line, lastAt);
  expect(deadAfter(line, signs)).toBe(lastAt + pongWaitMs);
});

test('a station that has never answered a ping has until its next heartbeat is late', () => {
  const line = aliveAt(now);
  for (let pings = 0; pings < unansweredPingsMax; pings += 1) notePing(line, now);
  expect(deadAfter(line, signs)).toBe(now + signs.heartbeatMs + lateHeartbeatMs);
});

test("pings are ignored if only the protocol's heartbeat decides", () => {
  const line = aliveAt(now);
  for (let pings = 0; pings < unansweredPingsMax; pings += 1) notePing(line, now);
  expect(deadAfter(line, { silenceMs: signs.silenceMs, heartbeatMs: null })).toBe(now + signs.silenceMs);
});
