import { hourMs, instant, minuteMs, toIso } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { eventTime, stationTime, timesOf, zonelessWithinMs } from './station-time.ts';

const now = instant(Date.parse('2026-11-21T08:00:00Z'));

describe('eventTime', () => {
  test.each([
    '2026-11-21T07:59:59Z',
    '2026-11-21T15:59:59+08:00',
    '2026-11-21T07:59:59.123Z',
    '2026-08-23T08:00:00Z',
    '2026-11-21 07:59:59Z',
    '2026-11-21 15:59:59 +08:00',
    ' 2026-11-21t07:59:59z ',
    '2026-11-21T08:10:00Z',
  ])('a station time of %s is used', (text) => {
    expect(eventTime(text, now)).toBe(
      Date.parse(
        text
          .trim()
          .replace(/[ t](\d)/, 'T$1')
          .replace(' ', ''),
      ),
    );
  });

  test.each([
    ['the clock of a station without battery', '1970-01-01T00:00:12Z'],
    ['a time of 90 days ago and more', '2026-08-23T07:59:59Z'],
    ['a clock of last year', '2025-11-21T07:59:59Z'],
    ['a clock ahead of ours', '2026-11-21T08:10:01Z'],
    ['the far future', '2099-01-01T00:00:00Z'],
    ['a time without zone that is neither now in UTC nor here', '2026-11-21T12:00:00'],
    ['a date', '2026-11-21'],
    ['no time', 'yesterday'],
    ['an impossible time', '2026-13-45T99:00:00Z'],
    ['a number', 1_795_000_000],
    ['nothing', undefined],
    ['null', null],
    ['a very long text', `2026-11-21T07:59:59.${'0'.repeat(100)}Z`],
  ])('a station time of %s is unusable', (_what, value) => {
    expect(eventTime(value, now)).toBeUndefined();
  });
});

describe('a time without a zone', () => {
  test.each([
    ['2026-11-21T07:59:00', 'right in UTC'],
    ['2026-11-21 07:59:00', 'right in UTC, with a space'],
    ['2026-11-21T15:59:00', 'right in Shanghai'],
    ['2026-11-21 15:59', 'right in Shanghai, with a space and without seconds'],
  ])('a time without a zone, %s, is used: %s', (text) => {
    expect(eventTime(text, now)).toBe(now - minuteMs);
  });

  test('a time without a zone is read as UTC or local time only if one of the two is close to now', () => {
    const utc = (ms: number) => toIso(instant(now + ms)).slice(0, 19);
    expect(eventTime(utc(-zonelessWithinMs), now)).toBe(now - zonelessWithinMs);
    expect(eventTime(utc(-zonelessWithinMs - 1_000), now)).toBeUndefined();
    expect(eventTime(utc(8 * hourMs - zonelessWithinMs), now)).toBe(now - zonelessWithinMs);
    expect(eventTime(utc(8 * hourMs - zonelessWithinMs - 1_000), now)).toBeUndefined();
  });

  test('a time without a zone uses the zone that another time of its message reveals', () => {
    const times = ['2026-11-21T02:00:00', '2026-11-21T15:59:00'];
    const timeOf = timesOf(now, () => times);
    expect(times.map(timeOf)).toEqual([Date.parse('2026-11-20T18:00:00Z'), now - minuteMs]);
  });
});

describe('stationTime', () => {
  test('stationTime keeps the time as the station wrote it, usable or not', () => {
    expect(stationTime('1970-01-01T00:00:12')).toBe('1970-01-01T00:00:12');
    expect(stationTime(1_795_000_000)).toBe('1795000000');
    expect(stationTime(undefined)).toBe('');
    expect(stationTime('2026\0')).toBe('2026');
    expect(stationTime('2026\ud800')).toBe('2026\ufffd');
    expect(stationTime('x'.repeat(100))).toHaveLength(64);
  });
});
