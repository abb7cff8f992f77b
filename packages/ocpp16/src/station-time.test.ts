import { instant } from '@voltdeck/units/instant';
import { describe, expect, test } from 'vitest';
import { eventTime, stationTime } from './station-time.ts';

const now = instant(Date.parse('2026-11-21T08:00:00Z'));

describe('eventTime', () => {
  test.each([
    '2026-11-21T07:59:59Z',
    '2026-11-21T15:59:59+08:00',
    '2026-11-21T07:59:59.123Z',
    '2015-01-01T00:00:00Z',
    '2026-11-21T08:10:00Z',
  ])('takes %s', (text) => {
    expect(eventTime(text, now)).toBe(Date.parse(text));
  });

  test.each([
    ['the clock of a station without battery', '1970-01-01T00:00:12Z'],
    ['a time before the protocol existed', '2014-12-31T23:59:59Z'],
    ['a clock ahead of ours', '2026-11-21T08:10:01Z'],
    ['the far future', '2099-01-01T00:00:00Z'],
    ['a time without zone', '2026-11-21T16:00:00'],
    ['a date', '2026-11-21'],
    ['no time', 'yesterday'],
    ['an impossible time', '2026-13-45T99:00:00Z'],
    ['a number', 1_795_000_000],
    ['nothing', undefined],
    ['null', null],
    ['a very long text', `2026-11-21T07:59:59.${'0'.repeat(100)}Z`],
  ])('cannot use %s', (_what, value) => {
    expect(eventTime(value, now)).toBeUndefined();
  });
});

describe('stationTime', () => {
  test('keeps the time as the station wrote it, usable or not', () => {
    expect(stationTime('1970-01-01T00:00:12')).toBe('1970-01-01T00:00:12');
    expect(stationTime(1_795_000_000)).toBe('1795000000');
    expect(stationTime(undefined)).toBe('');
    expect(stationTime('2026\0')).toBe('2026');
    expect(stationTime('2026\ud800')).toBe('2026\ufffd');
    expect(stationTime('x'.repeat(100))).toHaveLength(64);
  });
});
