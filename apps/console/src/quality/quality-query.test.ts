import { attemptsKeptDays } from '@voltdeck/contract/quality';
import { dayMs, instant, parseIso, toIso } from '@voltdeck/units/instant';
import { expect, test } from 'vitest';
import {
  daysOfQuery,
  listedSince,
  periodIn,
  periodOf,
  type QualityQuery,
  queryOf,
  queryOfWholeDays,
  wantedIn,
} from './quality-query.ts';

const now = instant(parseIso('2026-08-25T12:00:00.000Z') ?? 0);

test('a part of a day is asked for as the whole days that the figures are of, in China', () => {
  const search = new URLSearchParams({ from: '2026-08-24T18:00:00.000Z', to: '2026-08-25T10:00:00.000Z' });
  expect(queryOfWholeDays(queryOf(search, now))).toEqual({
    from: '2026-08-24T16:00:00.000Z',
    to: '2026-08-25T15:59:59.999Z',
  });
});

test('a period up to now stays open, and other filters stay as they are', () => {
  const search = new URLSearchParams({ from: '2026-08-24T18:00:00.000Z', siteId: '7' });
  expect(queryOfWholeDays(queryOf(search, now))).toEqual({ from: '2026-08-24T16:00:00.000Z', siteId: 7 });
});

test('the figures ask for the starts that the list of attempts was filtered by, and leave out what is none', () => {
  const search = new URLSearchParams({ from: '2026-08-24T16:00:00.000Z', startMode: 'scan,test,card' });
  expect(queryOf(search, now).startMode).toEqual(['card', 'scan']);
  expect(wantedIn(search)).toEqual({ from: '2026-08-24T16:00:00.000Z', startMode: 'scan,test,card' });
  expect(queryOf(new URLSearchParams({ startMode: 'test' }), now)).not.toHaveProperty('startMode');
});

test('days that are picked are asked for as those days in China, and open where they reach to today', () => {
  const picked = periodOf({ fromOn: '2026-08-23', toOn: '2026-08-24' }, now);
  expect(picked).toEqual({ from: '2026-08-22T16:00:00.000Z', to: '2026-08-24T15:59:59.999Z' });
  expect(daysOfQuery(picked as QualityQuery, now)).toEqual({ fromOn: '2026-08-23', toOn: '2026-08-24' });
  const week = periodOf({ fromOn: '2026-08-19', toOn: '2026-08-25' }, now);
  expect(week).toEqual({ from: '2026-08-18T16:00:00.000Z', to: undefined });
  expect(daysOfQuery({ from: week.from }, now)).toEqual({ fromOn: '2026-08-19', toOn: '2026-08-25' });
  expect(periodIn(new URLSearchParams({ from: week.from }), now)).toBe('sevenDays');
});

test('the picker shows the days that a part of a day lies in', () => {
  const search = new URLSearchParams({ from: '2026-08-23T18:00:00.000Z', to: '2026-08-24T10:00:00.000Z' });
  expect(daysOfQuery(queryOf(search, now), now)).toEqual({ fromOn: '2026-08-24', toOn: '2026-08-24' });
});

test('a period that begins before attempts are kept says since when they are listed', () => {
  const from = (days: number) => ({ from: toIso(instant(now - days * dayMs)) });
  expect(listedSince(from(attemptsKeptDays), now)).toBe('2025-07-22');
  expect(listedSince(from(attemptsKeptDays - 1), now)).toBeNull();
  expect(listedSince(queryOf(new URLSearchParams(), now), now)).toBeNull();
});
