import { dayMs, hourMs, type Instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { fen } from '@voltdeck/units/money';
import { describe, expect, test } from 'vitest';
import { connectorStates } from '../states.ts';
import { decideTime, type TimeKnown, timeLimits } from './decide-time.ts';
import { after, chargeOf, namedCharge, noon } from './test-charge.ts';

/** A charge that runs at a station that is online and has been since before. */
function known(over: Partial<TimeKnown> = {}): TimeKnown {
  return {
    charge: chargeOf(),
    now: after(minuteMs),
    station: { isOnline: true, onlineAt: after(-dayMs), offlineAt: null, namesCharges: false },
    port: { state: 'charging', stateAt: after(-minuteMs) },
    isFlaggedLost: false,
    stopMissedAt: null,
    isFollowed: false,
    ...over,
  };
}

const online = (onlineAt: Instant | null = after(-dayMs)) => ({
  isOnline: true,
  onlineAt,
  offlineAt: null,
  namesCharges: false,
});
const lost = (offlineAt: Instant | null = noon) => ({
  isOnline: false,
  onlineAt: after(-dayMs),
  offlineAt,
  namesCharges: false,
});
const kindOf = (over: Partial<TimeKnown>) => decideTime(known(over)).kind;

describe('an order that waits to begin', () => {
  const placed = chargeOf({ state: 'placed', startedAt: null, begunAt: null });
  const named = namedCharge({ state: 'placed', startedAt: null, begunAt: null });

  test.each<[string, Partial<TimeKnown>, string]>([
    ['stays for five minutes', { charge: placed, now: after(5 * minuteMs) }, 'nothing'],
    ['is cancelled after that', { charge: placed, now: after(5 * minuteMs + 1) }, 'cancel'],
    [
      'is cancelled after that at a lost station, too',
      { charge: placed, now: after(5 * minuteMs + 1), station: lost() },
      'cancel',
    ],
    [
      'with a name is cancelled after that at a connected station',
      { charge: named, now: after(5 * minuteMs + 1) },
      'cancel',
    ],
    [
      'with a name stays two hours for a lost station',
      { charge: named, now: after(2 * hourMs), station: lost() },
      'nothing',
    ],
    ['with a name is cancelled after that', { charge: named, now: after(2 * hourMs + 1), station: lost() }, 'cancel'],
    [
      'with a name stays five minutes after its station came back',
      { charge: named, now: after(65 * minuteMs), station: online(after(hourMs)) },
      'nothing',
    ],
    [
      'with a name is cancelled after those five minutes',
      { charge: named, now: after(65 * minuteMs + 1), station: online(after(hourMs)) },
      'cancel',
    ],
    [
      'with a name stays where its station was connected at an unknown time',
      { charge: named, now: after(hourMs), station: online(null) },
      'nothing',
    ],
  ])('an order that waits to begin %s', (_title, over, kind) => {
    expect(kindOf(over)).toBe(kind);
  });
});

describe('a charge whose gun port became free', () => {
  const freeAt = after(10 * minuteMs);
  const later = after(15 * minuteMs + 1);
  const free = { port: { state: 'free', stateAt: freeAt }, now: later } as const;

  test('a charge whose gun port became free waits for its stop after five minutes', () => {
    expect(kindOf({ ...free, now: after(15 * minuteMs) })).toBe('nothing');
    expect(decideTime(known({ ...free, charge: chargeOf({ lastReadingAt: after(9 * minuteMs) }) }))).toEqual({
      kind: 'await-stop',
      endedAt: after(9 * minuteMs),
      flag: {
        rule: 'no_stop_received',
        evidence: { lastReadingAt: toIso(after(9 * minuteMs)), portFreeAt: toIso(later) },
      },
    });
  });

  test.each<[string, Partial<TimeKnown>]>([
    ['before the charge began', { port: { state: 'free', stateAt: after(-1) } }],
    ['at the instant at which it began', { port: { state: 'free', stateAt: noon } }],
    [
      'before a charge was placed of which nobody knows when we heard of it',
      { charge: chargeOf({ begunAt: null }), port: { state: 'free', stateAt: after(-minuteMs) } },
    ],
    ['at a station that is lost', { station: lost(after(14 * minuteMs)) }],
    [
      'at a station that came back a moment ago and may still tell its queued stop',
      { station: online(after(10 * minuteMs + 1)) },
    ],
    ['at a station of which nobody knows since when it is there', { station: online(null) }],
    ['while its meter still tells of the charge', { charge: chargeOf({ lastReadingAt: after(10 * minuteMs + 1) }) }],
    ['at a time that nobody knows', { port: { state: 'free', stateAt: null } }],
  ])('a charge is not over: %s', (_title, over) => {
    expect(kindOf({ ...free, ...over })).toBe('nothing');
  });

  test('a charge is over when its meter has been silent for five minutes', () => {
    expect(kindOf({ ...free, charge: chargeOf({ lastReadingAt: after(10 * minuteMs) }) })).toBe('await-stop');
  });

  test.each(connectorStates.filter((state) => state !== 'free'))(
    'a charge is not over while its gun port is in state %s',
    (state) => {
      expect(kindOf({ ...free, port: { state, stateAt: freeAt } })).toBe('nothing');
    },
  );

  test('a charge without readings ended when it began', () => {
    expect(decideTime(known(free))).toMatchObject({ endedAt: noon, flag: { evidence: { lastReadingAt: null } } });
    expect(decideTime(known({ ...free, charge: chargeOf({ startedAt: null }) }))).toMatchObject({ endedAt: later });
  });
});

describe('a charge of which nothing is heard', () => {
  test('a silent charge waits for its stop after a day, counted from its last message', () => {
    const read = chargeOf({ lastReadingAt: after(hourMs) });
    expect(kindOf({ charge: read, now: after(25 * hourMs) })).toBe('nothing');
    expect(decideTime(known({ charge: read, now: after(25 * hourMs + 1) }))).toEqual({
      kind: 'await-stop',
      endedAt: after(hourMs),
      flag: { rule: 'no_stop_received', evidence: { lastReadingAt: toIso(after(hourMs)) } },
    });
    expect(kindOf({ now: after(dayMs) })).toBe('nothing');
    expect(kindOf({ now: after(dayMs + 1) })).toBe('await-stop');
    const unheard = chargeOf({ begunAt: null });
    expect(kindOf({ charge: unheard, now: after(dayMs) })).toBe('nothing');
    expect(kindOf({ charge: unheard, now: after(dayMs + 1) })).toBe('await-stop');
  });

  test('a silent charge is counted by our clock where the station reported it late', () => {
    const late = chargeOf({ startedAt: after(-3 * dayMs), begunAt: noon, lastReadingAt: after(-3 * dayMs) });
    expect(kindOf({ charge: late, now: after(dayMs) })).toBe('nothing');
  });

  test('a silent charge does not block its card longer at a station that is lost', () => {
    expect(kindOf({ now: after(dayMs + 1), station: lost(), isFlaggedLost: true })).toBe('await-stop');
  });

  test('a silent charge is flagged once, half an hour after its station was lost', () => {
    const charge = chargeOf({ lastReadingAt: noon });
    expect(kindOf({ charge, now: after(30 * minuteMs), station: lost() })).toBe('nothing');
    const over = { charge, now: after(30 * minuteMs + 1), station: lost() };
    expect(decideTime(known(over))).toEqual({
      kind: 'flag',
      flag: { rule: 'station_lost', evidence: { lastReadingAt: toIso(noon) } },
    });
    expect(kindOf({ ...over, isFlaggedLost: true })).toBe('nothing');
    expect(kindOf({ ...over, station: lost(null) })).toBe('nothing');
    expect(kindOf({ ...over, station: online() })).toBe('nothing');
    expect(decideTime(known({ ...over, charge: chargeOf() }))).toMatchObject({
      flag: { evidence: { lastReadingAt: null } },
    });
  });
});

describe('a charge that waits for its stop', () => {
  const waiting = chargeOf({ state: 'settling', waitsFor: 'stop', endedAt: noon, heldFen: fen(5_000) });

  test.each<[string, Partial<TimeKnown>, number, object]>([
    ['for a day', {}, dayMs, { waitedHours: 24 }],
    [
      'for ten minutes where the next charge already runs there',
      { isFollowed: true },
      10 * minuteMs,
      { waitedMinutes: 10 },
    ],
    [
      'for a day at stations that keep records, even if another follows',
      { isFollowed: true, station: { ...online(), namesCharges: true } },
      dayMs,
      { waitedHours: 24 },
    ],
  ])('a charge waits for its stop %s', (_title, over, ms, evidence) => {
    expect(kindOf({ charge: waiting, now: after(ms), ...over })).toBe('nothing');
    expect(decideTime(known({ charge: waiting, now: after(ms + 1), ...over }))).toEqual({
      kind: 'settle',
      flag: { rule: 'no_stop_received', evidence },
    });
  });

  test.each<[string, Partial<TimeKnown>, number]>([
    ['a day', {}, dayMs],
    ['ten minutes where it is followed', { isFollowed: true }, 10 * minuteMs],
  ])('a charge waits %s from when its stop was missed, however long ago its last reading was', (_title, over, ms) => {
    const missed = { ...over, charge: waiting, stopMissedAt: after(3 * dayMs) };
    expect(kindOf({ ...missed, now: after(3 * dayMs + ms) })).toBe('nothing');
    expect(kindOf({ ...missed, now: after(3 * dayMs + ms + 1) })).toBe('settle');
  });

  test('a charge waits for its stop from when its start arrived, where that was long after its end', () => {
    const toldLate = { ...waiting, begunAt: after(2 * dayMs) };
    expect(kindOf({ charge: toldLate, now: after(3 * dayMs) })).toBe('nothing');
    expect(kindOf({ charge: toldLate, now: after(3 * dayMs + 1) })).toBe('settle');
  });

  test('a charge waits from its placing where its end is unknown', () => {
    const unended = { ...waiting, endedAt: null };
    expect(kindOf({ charge: unended, now: after(dayMs) })).toBe('nothing');
    expect(kindOf({ charge: unended, now: after(dayMs + 1) })).toBe('settle');
  });
});

describe('a charge that waits for a person', () => {
  const waiting = chargeOf({ state: 'settling', waitsFor: 'person', endedAt: noon, heldFen: fen(5_000) });

  test('a charge that waits for a person releases its hold after a week, and waits on', () => {
    expect(kindOf({ charge: waiting, now: after(7 * dayMs) })).toBe('nothing');
    expect(decideTime(known({ charge: waiting, now: after(7 * dayMs + 1) }))).toEqual({ kind: 'release-hold' });
    expect(kindOf({ charge: { ...waiting, heldFen: fen(0) }, now: after(365 * dayMs) })).toBe('nothing');
  });
});

test.each(['completed', 'cancelled'] as const)('nothing follows for an order that is %s', (state) => {
  expect(kindOf({ charge: chargeOf({ state, endedAt: noon }), now: after(365 * dayMs) })).toBe('nothing');
});

test('a queued message has more time than an order that waits to begin', () => {
  expect(timeLimits.freePortMs).toBeGreaterThanOrEqual(timeLimits.placedMs);
  expect(timeLimits.followedStopMs).toBeGreaterThan(timeLimits.freePortMs);
  expect(timeLimits.waitingHoldMs).toBeGreaterThan(timeLimits.lateStopMs);
});
